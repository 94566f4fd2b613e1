import { Readable } from 'node:stream';
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

/** The headers by which a client asks for the rest of a file, or only for another one than it has. */
export interface RestWanted {
  'if-none-match'?: string | undefined;
  range?: string | undefined;
  'if-range'?: string | undefined;
}

/**
 * Accepts only the rest of a file, and only if the client has the beginning of the same file. CloudFront may drop
 * If-Range: without it, the client compares the answer's ETag.
 */
const wantedRange = ({ range = '', 'if-range': ifRange }: RestWanted, etag: string) =>
  /^bytes=[1-9]\d{0,14}-$/.test(range) && (ifRange ?? etag) === etag ? range : undefined;

const isNamed = (error: unknown, name: string) => error instanceof Error && error.name === name;

/**
 * Streams a PDF, or its rest, from its bucket; undefined if the object does not exist. By Content-Length, which API
 * Gateway renames in streams, the client detects a truncated response.
 */
export async function pdfReply(
  s3: S3Client,
  stored: Stored,
  rest: RestWanted = {},
): Promise<FileReply | undefined> {
  const etag = `"${stored.sha256}"`;
  // Goes before a range (RFC 9110, 13.2.2).
  if (rest['if-none-match']?.includes(etag))
    return { status: 304, stream: Readable.from([]), headers: { ETag: etag } };
  const Range = wantedRange(rest, etag);
  try {
    const { Body, ContentLength, ContentRange } = await s3.send(
      new GetObjectCommand({ Bucket: stored.bucket, Key: stored.key, ...(Range && { Range }) }),
    );
    if (!Body || ContentLength === undefined) return undefined;
    return {
      ...(ContentRange && { status: 206 }),
      stream: Body as Readable,
      headers: {
        'Content-Length': String(ContentLength),
        'Content-Disposition': contentDisposition(stored.disposition, stored.filename),
        ETag: etag,
        ...(ContentRange && { 'Content-Range': ContentRange }),
      },
    };
  } catch (error) {
    if (isNamed(error, 'NoSuchKey')) return undefined;
    // A server may ignore a range: answers one beyond the end of the file with the whole file.
    if (Range && isNamed(error, 'InvalidRange')) return pdfReply(s3, stored);
    throw error;
  }
}

/**
 * Replies with a file once the download is recorded; one that the client has is none. If recording fails, closes the stream, since an
 * unread one keeps its connection to S3.
 */
export async function recordedReply(reply: FileReply, record: () => Promise<unknown>): Promise<FileReply> {
  try {
    if (reply.status !== 304) await record();
    return reply;
  } catch (error) {
    reply.stream.destroy();
    throw error;
  }
}
