import type { S3Client } from '@aws-sdk/client-s3';
import { ApiError } from '../contract/api-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RequestStatus } from '../contract/fields.ts';
import type { RequestState, SignatureRequest } from '../requests/model.ts';
import {
  archivalDocumentOf,
  archivalEvidenceOf,
  type StoredFile,
  sealedDocumentOf,
  sealedEvidenceOf,
} from '../store/objects.ts';
import type { FileReply } from './call.ts';
import { pdfReply, type RestWanted } from './pdf-reply.ts';

const purgedError = (purgedAt: string) =>
  new ApiError('document_purged', undefined, { fields: { purged_at: purgedAt } });

/** The error for a file that is not there. A purge deletes files just before it is recorded; where none is planned, one is lost. */
export function missingFile({ id, purgedAt, purgeAt }: RequestState): Error {
  const at = purgedAt ?? purgeAt;
  return at === null ? new Error(`A file of the request ${id} is missing.`) : purgedError(at);
}

const ENDED_UNSEALED: Partial<Record<RequestStatus, ErrorCode>> = {
  cancelled: 'request_cancelled',
  declined: 'request_declined',
  expired: 'request_expired',
};

/** Tells a client or signer that the seal is awaited, or that there will be none. */
export const notSealed = ({ status }: RequestState) =>
  new ApiError(ENDED_UNSEALED[status] ?? 'not_yet_signed');

interface Wanted {
  /** Left out: as it was sealed. */
  form?: 'archival' | undefined;
  rest?: RestWanted;
}

/** Replies with one of a request's files, or throws the reason why it is gone. */
async function fileReply(
  s3: S3Client,
  bucket: string,
  { state, content }: SignatureRequest,
  file: StoredFile,
  what: 'signed' | 'evidence',
  rest: RestWanted | undefined,
): Promise<FileReply> {
  if (state.purgedAt) throw purgedError(state.purgedAt);
  const filename = content.filename.replace(/(\.pdf)?$/i, `-${what}.pdf`);
  const reply = await pdfReply(s3, { bucket, ...file, filename, disposition: 'attachment' }, rest);
  if (!reply) throw missingFile(state);
  return reply;
}

/** Replies with the sealed PDF, or throws the reason why there is none. */
export async function sealedDocument(
  s3: S3Client,
  bucket: string,
  request: SignatureRequest,
  { form, rest }: Wanted = {},
): Promise<FileReply> {
  const { state } = request;
  const file = form === 'archival' ? archivalDocumentOf(state) : sealedDocumentOf(state);
  if (!file) throw notSealed(state);
  return fileReply(s3, bucket, request, file, 'signed', rest);
}

/** Replies with the sealed evidence file, or throws the reason why there is none. */
export async function evidenceFile(
  s3: S3Client,
  bucket: string,
  request: SignatureRequest,
  { form, rest }: Wanted = {},
): Promise<FileReply> {
  const { state } = request;
  if (!state.seal) throw notSealed(state);
  const file = form === 'archival' ? archivalEvidenceOf(state) : sealedEvidenceOf(state);
  if (!file) throw new ApiError('evidence_unavailable');
  return fileReply(s3, bucket, request, file, 'evidence', rest);
}
