/** Reads an S3 request body: unwraps aws-chunked streams and checks every hash that the caller sent. */
import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Call, type RequestHead, ServiceError } from '../service.ts';

export interface BodyFacts {
  size: number;
  md5: string;
  /** The checksum header that the caller sent; stored and returned. */
  checksum: { name: string; value: string } | undefined;
}

const TRAILER_PAYLOAD = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';

/** Yields the bytes. At the end it checks the hashes and fills `facts`. */
export async function* verifiedBody(call: Call, facts: Partial<BodyFacts>): AsyncGenerator<Buffer> {
  const { head, signedHash } = call;
  if (signedHash.startsWith('STREAMING-') && signedHash !== TRAILER_PAYLOAD) {
    throw new ServiceError('NotImplemented', `The local cloud does not implement ${signedHash}`, 501);
  }
  const trailers = new Map<string, string>();
  const source = signedHash === TRAILER_PAYLOAD ? unwrap(call.incoming, trailers) : call.incoming;
  const checksumName = checksumHeaderOf(head);
  const checksum = checksumName === undefined ? undefined : checksumOf(checksumName);
  const md5 = createHash('md5');
  const sha256 = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    md5.update(chunk);
    checksum?.update(chunk);
    if (!isUnsigned(signedHash)) sha256.update(chunk);
    yield chunk;
  }
  assertLength(head, size);
  if (!isUnsigned(signedHash) && sha256.digest('hex') !== signedHash) {
    throw new ServiceError(
      'XAmzContentSHA256Mismatch',
      "The provided 'x-amz-content-sha256' header does not match what was computed.",
    );
  }
  const digest = md5.digest();
  const givenMd5 = head.headers['content-md5']?.toString();
  if (givenMd5 !== undefined && givenMd5 !== digest.toString('base64')) {
    throw new ServiceError('BadDigest', 'The Content-MD5 you specified did not match what we received.');
  }
  facts.size = size;
  facts.md5 = digest.toString('hex');
  facts.checksum =
    checksumName && checksum ? assertChecksum(checksumName, checksum.value(), head, trailers) : undefined;
}

const isUnsigned = (hash: string) => hash === 'UNSIGNED-PAYLOAD' || hash === TRAILER_PAYLOAD;

export async function wholeBody(call: Call, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of verifiedBody(call, {})) {
    size += chunk.length;
    if (size > maxBytes) throw new ServiceError('MaxMessageLengthExceeded', 'Your request was too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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

const CHECKSUM_HEADER = /^x-amz-checksum-(crc32|crc32c|crc64nvme|sha1|sha256)$/;

function checksumHeaderOf(head: RequestHead): string | undefined {
  const trailer = head.headers['x-amz-trailer']?.toString().toLowerCase();
  return [
    ...Object.keys(head.headers),
    ...[...head.query.keys()].map((name) => name.toLowerCase()),
    trailer ?? '',
  ].find((name) => CHECKSUM_HEADER.test(name));
}

function assertChecksum(name: string, actual: string, head: RequestHead, trailers: Map<string, string>) {
  const given = trailers.get(name) ?? head.headers[name]?.toString() ?? queryValue(head, name);
  if (given !== actual) {
    const algorithm = name.split('-').at(-1)?.toUpperCase();
    throw new ServiceError(
      'BadDigest',
      `The ${algorithm} you specified did not match the calculated checksum.`,
    );
  }
  return { name, value: actual };
}

function queryValue(head: RequestHead, name: string): string | undefined {
  return [...head.query].find(([key]) => key.toLowerCase() === name)?.[1];
}

function checksumOf(name: string): { update(chunk: Buffer): void; value(): string } {
  if (name === 'x-amz-checksum-crc32') return crc32Checksum();
  if (name === 'x-amz-checksum-sha256') return hashChecksum(createHash('sha256'));
  if (name === 'x-amz-checksum-sha1') return hashChecksum(createHash('sha1'));
  throw new ServiceError('NotImplemented', `The local cloud does not implement ${name}`, 501);
}

function crc32Checksum() {
  let sum = 0;
  return {
    update: (chunk: Buffer) => {
      sum = crc32(chunk, sum);
    },
    value: () => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(sum);
      return bytes.toString('base64');
    },
  };
}

const hashChecksum = (hash: Hash) => ({
  update: (chunk: Buffer) => void hash.update(chunk),
  value: () => hash.digest('base64'),
});

/** aws-chunked: `<size in hex>[;extensions]\r\n<bytes>\r\n` … `0\r\n<trailer lines>\r\n`. */
export async function* unwrap(
  source: AsyncIterable<Buffer>,
  trailers: Map<string, string>,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  for (;;) {
    const size = Number.parseInt((await reader.line()) ?? '', 16);
    if (!(size >= 0)) throw incomplete();
    if (size === 0) break;
    yield* reader.bytes(size);
    if ((await reader.line()) !== '') throw incomplete();
  }
  for (let line = await reader.line(); line; line = await reader.line()) {
    const colon = line.indexOf(':');
    trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
}

const incomplete = () => new ServiceError('IncompleteBody', 'The request body terminated unexpectedly');

class ByteReader {
  readonly #source: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Without its line end. Undefined at the end of the stream. */
  async line(): Promise<string | undefined> {
    let end = this.#rest.indexOf('\r\n');
    while (end < 0) {
      if (this.#rest.length > 8192) throw incomplete();
      if (!(await this.#more())) return undefined;
      end = this.#rest.indexOf('\r\n');
    }
    const line = this.#rest.toString('latin1', 0, end);
    this.#rest = this.#rest.subarray(end + 2);
    return line;
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw incomplete();
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async #more(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value]);
    return true;
  }
}
