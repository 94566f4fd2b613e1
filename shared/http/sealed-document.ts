import type { S3Client } from '@aws-sdk/client-s3';
import { ApiError } from '../contract/api-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RequestStatus } from '../contract/fields.ts';
import type { RequestState, SignatureRequest } from '../requests/model.ts';
import {
  archivalDocumentOf,
  archivalEvidenceOf,
  sealedDocumentOf,
  sealedEvidenceOf,
} from '../store/objects.ts';
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

/** Tells a client or signer that the seal is awaited, or that there will be none. */
export const notSealed = ({ status }: RequestState) =>
  new ApiError(ENDED_UNSEALED[status] ?? 'not_yet_signed');

/** Left out: as it was sealed. */
type Form = 'archival';

/** Replies with the sealed PDF, or throws the reason why there is none. */
export async function sealedDocument(
  s3: S3Client,
  bucket: string,
  { state, content }: SignatureRequest,
  form?: Form,
): Promise<FileReply> {
  const file = form === 'archival' ? archivalDocumentOf(state) : sealedDocumentOf(state);
  if (!file) throw notSealed(state);
  if (state.purgedAt) throw purgedError(state.purgedAt);
  const reply = await pdfReply(s3, {
    bucket,
    ...file,
    filename: named(content.filename, 'signed'),
    disposition: 'attachment',
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
  form?: Form,
): Promise<FileReply> {
  if (!state.seal) throw notSealed(state);
  const file = form === 'archival' ? archivalEvidenceOf(state) : sealedEvidenceOf(state);
  if (!file) throw new ApiError('evidence_unavailable');
  if (state.purgedAt) throw purgedError(state.purgedAt);
  const reply = await pdfReply(s3, {
    bucket,
    ...file,
    filename: named(content.filename, 'evidence'),
    disposition: 'attachment',
  });
  if (!reply) throw purgedError(state.purgeAt);
  return reply;
}
