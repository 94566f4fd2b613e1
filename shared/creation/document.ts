import type { S3Client } from '@aws-sdk/client-s3';
import { ApiError } from '../contract/api-error.ts';
import { DOCUMENT_LIMIT, type ErrorCode } from '../contract/errors.ts';
import { LIMITS } from '../contract/limits.ts';
import type { SignatureMembers } from '../contract/signatures.ts';
import type { RequestContent } from '../requests/model.ts';
import { sha256Hex } from '../runtime/hash.ts';
import type { Attachment } from '../sealing/attachments.ts';
import { inspectPdf } from '../sealing/intake.ts';
import { findObject } from '../store/find-object.ts';
import type { OwnerMode } from '../store/keys.ts';
import { originalKey, uploadObjectKey } from '../store/objects.ts';
import { ObjectTaken, putOnce } from '../store/put-once.ts';
import type { Table } from '../store/table.ts';
import { findUpload, useUploadWrite } from '../store/uploads.ts';
import { keyConflict } from './idempotency.ts';

export type DocumentInput = SignatureMembers['document'];

/** More would fill the signer's screen; of those the number is shown. */
const LISTED_ATTACHMENTS = 20;

type Source = 'content_base64' | 'upload_id';

const refused = (code: ErrorCode, source: Source, why: string) =>
  new ApiError(code, `document.${source}${why}`, { field: `/document/${source}` });
const tooLarge = (source: Source) =>
  refused('document_too_large', source, ` is larger than ${DOCUMENT_LIMIT} decoded.`);

interface Place {
  s3: S3Client;
  stagingBucket: string;
  table: Table;
  now: () => Date;
}

/** The request that a document is for. */
interface Purpose {
  owner: OwnerMode;
  requestId: string;
}

async function readUpload(
  { s3, stagingBucket, table, now }: Place,
  uploadId: string,
  { owner, requestId }: Purpose,
): Promise<Uint8Array> {
  const unusable = (why: string) => refused('invalid_upload', 'upload_id', ` ${why}.`);
  const upload = await findUpload(table, uploadId);
  if (!upload || upload.ownerId !== owner.ownerId || upload.mode !== owner.mode)
    throw unusable('names no upload of yours');
  if (upload.usedBy && upload.usedBy !== requestId) throw unusable('was used already; an upload serves once');
  if (now().toISOString() >= upload.expiresAt) throw unusable('has ended; an upload lives an hour');
  const bytes = await findObject({ s3, bucket: stagingBucket }, uploadObjectKey(uploadId));
  if (!bytes) throw unusable('is not finished; send the file to its form first');
  return bytes;
}

/** Reads the document and refuses one that could not be sealed later. */
export async function checkDocument(
  place: Place,
  { filename = 'document.pdf', content_base64 = '', upload_id }: DocumentInput,
  purpose: Purpose,
) {
  const source = upload_id === undefined ? 'content_base64' : 'upload_id';
  const bytes =
    upload_id === undefined
      ? Buffer.from(content_base64, 'base64')
      : await readUpload(place, upload_id, purpose);
  if (bytes.length > LIMITS.documentBytes) throw tooLarge(source);
  const inspection = inspectPdf(bytes);
  if (!inspection.ok) throw refused(inspection.code, source, `: ${inspection.reason}`);
  return {
    bytes,
    content: {
      filename,
      documentSize: bytes.length,
      documentSha256: sha256Hex(bytes),
      pageCount: inspection.pageCount,
      alreadySigned: inspection.signed,
      attachments: attachmentsOf(inspection.attachments),
    },
    /** Marks the upload as used, in the transaction that creates the request. */
    extraWrites: upload_id === undefined ? [] : [useUploadWrite(upload_id, purpose.requestId)],
  };
}

function attachmentsOf(attachments: Attachment[]): RequestContent['attachments'] {
  if (attachments.length === 0) return null;
  const listed = attachments.slice(0, LISTED_ATTACHMENTS);
  return { count: attachments.length, listed: listed.map(({ name, size }) => ({ filename: name, size })) };
}

/** Stores the original once. A call that resumes an interrupted one finds what that one stored. */
export async function storeOriginal(
  s3: S3Client,
  bucket: string,
  requestId: string,
  bytes: Uint8Array,
): Promise<void> {
  try {
    await putOnce(s3, {
      Bucket: bucket,
      Key: originalKey(requestId),
      Body: bytes,
      ContentType: 'application/pdf',
    });
  } catch (error) {
    if (!(error instanceof ObjectTaken)) throw error;
    // The body is the same, so the upload that it names was replaced.
    throw keyConflict(
      'document.upload_id had another file when this Idempotency-Key was first used; send a new key.',
    );
  }
}
