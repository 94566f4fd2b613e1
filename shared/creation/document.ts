import { GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { LIMITS } from '../contract/fields.ts';
import { ApiError } from '../http/api-error.ts';
import type { RequestContent } from '../requests/model.ts';
import { inspectPdf } from '../sealing/intake.ts';
import { type Mode, sha256Hex, uploadKey } from '../store/keys.ts';
import { originalKey, uploadObjectKey } from '../store/objects.ts';
import type { Table, Write } from '../store/table.ts';

export interface DocumentInput {
  filename?: string | undefined;
  content_base64?: string | undefined;
  upload_id?: string | undefined;
}

export interface CheckedDocument {
  bytes: Uint8Array;
  content: Pick<
    RequestContent,
    'filename' | 'documentSize' | 'documentSha256' | 'pageCount' | 'alreadySigned'
  >;
  /** Marks the upload as used, in the transaction that makes the request. */
  claim: Write[];
}

const tooLarge = (field: string) =>
  new ApiError('document_too_large', `${field} is larger than 10 MB (10,485,760 bytes) decoded.`);

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function decodeBase64(text: string): Uint8Array {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  if (compact.length > (LIMITS.documentBytes / 3 + 1) * 4) throw tooLarge('document.content_base64');
  if (compact.length === 0 || compact.length % 4 !== 0 || !BASE64.test(compact)) {
    throw new ApiError(
      'invalid_base64',
      'document.content_base64 must be the whole PDF as standard base64, with padding.',
    );
  }
  return Buffer.from(compact, 'base64');
}

async function readUpload(
  s3: S3Client,
  bucket: string,
  table: Table,
  owner: { id: string; mode: Mode },
  uploadId: string,
  requestId: string,
  now: Date,
) {
  const refused = (why: string) => new ApiError('invalid_upload', `document.upload_id ${why}.`);
  const upload = await table.get(uploadKey(uploadId), { consistent: true });
  if (!upload || upload.ownerId !== owner.id || upload.mode !== owner.mode)
    throw refused('names no upload of yours');
  if (upload.usedBy && upload.usedBy !== requestId) throw refused('was used already; an upload serves once');
  if (now.toISOString() >= String(upload.expiresAt)) throw refused('has ended; an upload lives an hour');
  const claim: Write = {
    update: uploadKey(uploadId),
    set: { usedBy: requestId },
    condition: { expression: 'attribute_not_exists(#usedBy) OR #usedBy = :requestId', values: { requestId } },
  };
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: uploadObjectKey(uploadId) }));
    if (!Body) throw refused('is empty');
    return { bytes: await Body.transformToByteArray(), claim };
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey')
      throw refused('is not finished; send the file to its form first');
    throw error;
  }
}

interface Place {
  s3: S3Client;
  stagingBucket: string;
  table: Table;
}

/** The document as bytes that are known to be sealable, wherever they came from. */
export async function checkDocument(
  place: Place,
  owner: { id: string; mode: Mode },
  document: DocumentInput,
  requestId: string,
  now: Date,
): Promise<CheckedDocument> {
  if (document.content_base64 !== undefined && document.upload_id !== undefined)
    throw new ApiError('ambiguous_document');
  if (document.content_base64 === undefined && document.upload_id === undefined) {
    throw new ApiError(
      'document_required',
      'document.content_base64 is missing; give the PDF as base64, or document.upload_id.',
    );
  }
  const field = document.upload_id === undefined ? 'document.content_base64' : 'document.upload_id';
  const { bytes, claim } =
    document.upload_id === undefined
      ? { bytes: decodeBase64(document.content_base64 ?? ''), claim: undefined }
      : await readUpload(
          place.s3,
          place.stagingBucket,
          place.table,
          owner,
          document.upload_id,
          requestId,
          now,
        );
  if (bytes.length > LIMITS.documentBytes) throw tooLarge(field);
  const inspection = inspectPdf(bytes);
  if (!inspection.ok) throw new ApiError(inspection.code, `${field}: ${inspection.reason}`);
  return {
    bytes,
    content: {
      filename: document.filename ?? 'document.pdf',
      documentSize: bytes.length,
      documentSha256: sha256Hex(bytes),
      pageCount: inspection.pageCount,
      alreadySigned: inspection.signed,
    },
    claim: claim ? [claim] : [],
  };
}

export async function storeOriginal(
  s3: S3Client,
  bucket: string,
  requestId: string,
  bytes: Uint8Array,
): Promise<void> {
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: originalKey(requestId),
      Body: bytes,
      ContentType: 'application/pdf',
    }),
  );
}
