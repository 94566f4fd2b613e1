import type { S3Client } from '@aws-sdk/client-s3';
import { ApiError } from '../contract/api-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RequestStatus } from '../contract/fields.ts';
import type { SignatureRequest } from '../requests/model.ts';
import { evidenceKey } from '../store/objects.ts';
import type { FileReply } from './call.ts';
import { pdfReply } from './pdf-reply.ts';

const named = (filename: string, what: string) => filename.replace(/(\.pdf)?$/i, `-${what}.pdf`);

export const purgedError = (purgedAt: string | null) =>
  new ApiError('document_purged', undefined, { fields: { purged_at: purgedAt } });

const ENDED_UNSEALED: Partial<Record<RequestStatus, ErrorCode>> = {
  cancelled: 'request_cancelled',
  declined: 'request_declined',
  expired: 'request_expired',
};

/** Tells a client who waits for a seal that there will be none. A signer's link says so by itself. */
export function assertMayBeSealed({ state }: SignatureRequest): void {
  const code = ENDED_UNSEALED[state.status];
  if (code) throw new ApiError(code);
}

/** Replies with the sealed PDF, or throws the reason why there is none. */
export async function sealedDocument(
  s3: S3Client,
  bucket: string,
  { state, content }: SignatureRequest,
): Promise<FileReply> {
  if (!state.seal || !state.documentHash) throw new ApiError('not_yet_signed');
  if (state.purgedAt) throw purgedError(state.purgedAt);
  const reply = await pdfReply(s3, {
    bucket,
    key: state.seal.objectKey,
    filename: named(content.filename, 'signed'),
    disposition: 'attachment',
    sha256: state.documentHash,
  });
  // The purge deletes the object just before it updates the request.
  if (!reply) throw purgedError(state.purgeAt);
  return reply;
}

/** Replies with the sealed evidence file, or throws the reason why there is none. */
export async function evidenceFile(
  s3: S3Client,
  bucket: string,
  { state, content }: SignatureRequest,
): Promise<FileReply> {
  if (!state.seal) throw new ApiError('not_yet_signed');
  if (!state.evidenceHash) throw new ApiError('evidence_unavailable');
  if (state.purgedAt) throw purgedError(state.purgedAt);
  const reply = await pdfReply(s3, {
    bucket,
    key: evidenceKey(state.id),
    filename: named(content.filename, 'evidence'),
    disposition: 'attachment',
    sha256: state.evidenceHash,
  });
  if (!reply) throw purgedError(state.purgeAt);
  return reply;
}
