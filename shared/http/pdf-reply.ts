import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { visible } from '../runtime/visible.ts';
import type { FileReply } from './call.ts';

interface Stored {
  bucket: string;
  key: string;
  filename: string;
  disposition: 'inline' | 'attachment';
  /** Lower-case hex SHA-256 of the bytes. */
  sha256: string;
}

/** Builds a Content-Disposition with the visible file name in ASCII for old clients and in UTF-8 (RFC 6266). */
export function contentDisposition(disposition: string, filename: string): string {
  // Requests made before such names were refused may have one of which nothing can be seen.
  const shown = visible(filename) || 'document.pdf';
  const withoutAccents = shown.normalize('NFKD').replace(/(?<=[a-z])\p{M}+/giu, '');
  const ascii = withoutAccents.replace(/[^\x20-\x7e]|["\\%;]/gu, '_');
  const encoded = encodeURIComponent(shown).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Streams a PDF from its bucket; undefined if the object does not exist. Content-Length lets the client detect a
 * truncated response.
 */
export async function pdfReply(s3: S3Client, stored: Stored): Promise<FileReply | undefined> {
  try {
    const { Body, ContentLength } = await s3.send(
      new GetObjectCommand({ Bucket: stored.bucket, Key: stored.key }),
    );
    if (!Body || ContentLength === undefined) return undefined;
    return {
      stream: Body as Readable,
      headers: {
        'Content-Length': String(ContentLength),
        'Content-Disposition': contentDisposition(stored.disposition, stored.filename),
        ETag: `"${stored.sha256}"`,
      },
    };
  } catch (error) {
    if (error instanceof Error && error.name === 'NoSuchKey') return undefined;
    throw error;
  }
}

/** Replies with a file once that is recorded. Otherwise nobody reads its stream, which would keep its connection to S3. */
export async function recordedReply(reply: FileReply, record: () => Promise<unknown>): Promise<FileReply> {
  try {
    await record();
    return reply;
  } catch (error) {
    reply.stream.destroy();
    throw error;
  }
}
