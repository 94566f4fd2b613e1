/** Reads an S3 request body: unwraps an aws-chunked one, and checks the checksum that the caller sent. */
import { crc32 } from 'node:zlib';
import { type Call, type RequestHead, ServiceError } from '../service.ts';

/** The content and, as stored and returned, its checksum header. */
interface Content {
  body: Buffer;
  checksum: { name: string; value: string } | undefined;
}

/** Stands for the body's hash where the SDK sends a stream: in chunks, with the checksum behind them. */
export const UNSIGNED_CHUNKS = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

const CHECKSUM = 'x-amz-checksum-crc32';

export function contentOf({ head, body: received }: Call): Content {
  const isChunked = head.headers['x-amz-content-sha256'] === UNSIGNED_CHUNKS;
  const { body, trailers } = isChunked ? unwrap(received) : { body: received, trailers: new Map() };
  assertLength(head, body.length);
  const other = [...trailers.keys()].find((name) => name !== CHECKSUM);
  if (other !== undefined) throw notImplemented(other);
  const given: unknown = trailers.get(CHECKSUM) ?? head.headers[CHECKSUM];
  if (given === undefined) return { body, checksum: undefined };
  const value = checksumOf(body);
  if (given !== value)
    throw new ServiceError('BadDigest', 'The CRC32 you specified did not match the calculated checksum.');
  return { body, checksum: { name: CHECKSUM, value } };
}

function assertLength(head: RequestHead, size: number): void {
  const stated = head.headers['x-amz-decoded-content-length'];
  if (stated !== undefined && Number(stated) !== size) {
    throw new ServiceError(
      'IncompleteBody',
      'You did not provide the number of bytes specified by the Content-Length HTTP header',
    );
  }
}

function checksumOf(body: Buffer): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return bytes.toString('base64');
}

/** aws-chunked: `<size in hex>[;extensions]\r\n<bytes>\r\n` … `0\r\n<trailer lines>\r\n`. */
export function unwrap(chunked: Buffer): { body: Buffer; trailers: Map<string, string> } {
  const chunks: Buffer[] = [];
  let at = 0;
  const readLine = (): string => {
    const end = chunked.indexOf('\r\n', at);
    if (end < 0) throw incomplete();
    const line = chunked.toString('latin1', at, end);
    at = end + 2;
    return line;
  };
  for (;;) {
    const size = Number.parseInt(readLine(), 16);
    if (size === 0) break;
    if (!(size > 0)) throw incomplete();
    chunks.push(chunked.subarray(at, at + size));
    at += size;
    if (readLine() !== '') throw incomplete();
  }
  const lines = chunked.toString('latin1', at).split('\r\n').filter(Boolean);
  return { body: Buffer.concat(chunks), trailers: new Map(lines.map(trailerOf)) };
}

function trailerOf(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

export const notImplemented = (what: string) =>
  new ServiceError('NotImplemented', `The local cloud does not implement ${what}`, 501);

const incomplete = () => new ServiceError('IncompleteBody', 'The request body terminated unexpectedly');
