import type { S3Client } from '@aws-sdk/client-s3';
import type { SignatureRequest } from '../requests/model.ts';
import { ApiError } from './api-error.ts';
import type { Reply } from './call.ts';
import { pdfReply } from './pdf-reply.ts';

const sealedName = (filename: string) => filename.replace(/(\.pdf)?$/i, '-signed.pdf');

export const purged = (purgedAt: string | null) =>
  new ApiError('document_purged', undefined, { fields: { purged_at: purgedAt } });

/** The sealed PDF, or why there is none. */
export async function sealedDocument(
  s3: S3Client,
  bucket: string,
  { state, content }: SignatureRequest,
): Promise<Reply> {
  if (!state.seal || !state.documentHash) throw new ApiError('not_yet_signed');
  if (state.purgedAt) throw purged(state.purgedAt);
  const reply = await pdfReply(s3, {
    bucket,
    key: state.seal.objectKey,
    filename: sealedName(content.filename),
    disposition: 'attachment',
    sha256: state.documentHash,
  });
  // The purge removes the object first and says so a moment later.
  if (!reply) throw purged(state.purgeAt);
  return reply;
}
