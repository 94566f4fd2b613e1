import { ApiError } from '../contract/api-error.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { RequestStatus } from '../contract/fields.ts';
import { isPurgeDue } from '../requests/ending.ts';
import type { RequestState, SignatureRequest } from '../requests/model.ts';
import { systemNow } from '../runtime/time.ts';
import type { Bucket } from '../store/find-object.ts';
import {
  archivalDocumentOf,
  archivalEvidenceOf,
  type StoredFile,
  sealedDocumentOf,
  sealedEvidenceOf,
} from '../store/objects.ts';
import { loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import type { FileReply } from './call.ts';
import { pdfReply, type RestWanted } from './pdf-reply.ts';

/** The bucket with the files of requests, and the table with what became of them. */
interface Files extends Bucket {
  table: Table;
}

const purgedError = (purgedAt: string) =>
  new ApiError('document_purged', undefined, { fields: { purged_at: purgedAt } });

/**
 * The error for a file that is not there. A purge deletes files just before it is recorded, and may have begun after the request
 * was read; where none is due, the file is lost.
 */
export async function missingFile(table: Table, requestId: string): Promise<Error> {
  const state = (await loadRequest(table, requestId))?.state;
  const isBeingPurged = state !== undefined && isPurgeDue(state, systemNow());
  const at = state?.purgedAt ?? (isBeingPurged ? state.purgeAt : null);
  return at === null ? new Error(`A file of the request ${requestId} is missing.`) : purgedError(at);
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
  files: Files,
  { state, content }: SignatureRequest,
  file: StoredFile,
  what: 'signed' | 'evidence',
  rest: RestWanted | undefined,
): Promise<FileReply> {
  if (state.purgedAt) throw purgedError(state.purgedAt);
  const filename = content.filename.replace(/(\.pdf)?$/i, `-${what}.pdf`);
  const stored = { bucket: files.bucket, ...file, filename, disposition: 'attachment' } as const;
  const reply = await pdfReply(files.s3, stored, rest);
  if (!reply) throw await missingFile(files.table, state.id);
  return reply;
}

export async function sealedDocument(
  files: Files,
  request: SignatureRequest,
  { form, rest }: Wanted = {},
): Promise<FileReply> {
  const { state } = request;
  const file = form === 'archival' ? archivalDocumentOf(state) : sealedDocumentOf(state);
  if (!file) throw notSealed(state);
  return fileReply(files, request, file, 'signed', rest);
}

export async function evidenceFile(
  files: Files,
  request: SignatureRequest,
  { form, rest }: Wanted = {},
): Promise<FileReply> {
  const { state } = request;
  if (!state.seal) throw notSealed(state);
  const file = form === 'archival' ? archivalEvidenceOf(state) : sealedEvidenceOf(state);
  if (!file) throw new ApiError('evidence_unavailable');
  return fileReply(files, request, file, 'evidence', rest);
}
