import type { Readable } from 'node:stream';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import type { Reply } from './call.ts';

interface Stored {
  bucket: string;
  key: string;
  filename: string;
  disposition: 'inline' | 'attachment';
  /** Lower-case hex SHA-256 of the bytes. */
  sha256: string;
}

/** A file name for every client: plain ASCII, and beside it the real one (RFC 6266). */
export function contentDisposition(disposition: string, filename: string): string {
  const ascii = filename.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%;]/g, '_');
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Streams a PDF out of its bucket. The object is open before the answer begins, and its length is announced:
 * what breaks in between cannot look whole. Undefined where there is no such object.
 */
export async function pdfReply(s3: S3Client, stored: Stored): Promise<Reply | undefined> {
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
