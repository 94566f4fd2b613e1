import { randomBytes } from 'node:crypto';
import { certificatesOfPem, oneLine, sha256 } from './certificate.ts';
import { DerError, derNull, encode, integer, octetString, oid, sequence, tags } from './der.ts';
import { TimestampUnavailable } from './errors.ts';
import { oids } from './oids.ts';
import { TokenFault, tokenOfResponse, verifyToken } from './timestamp-token.ts';

/** A timestamp authority, as configured. */
export interface Authority {
  url: string;
  /** PEM of the certificates that its tokens must lead to; each is trusted as it is. */
  caPem: string;
  username?: string;
  password?: string;
  /** If given, tokens must be issued under this policy. */
  policyOid?: string;
}

export interface Timestamp {
  /** DER of the TimeStampToken as it came, verified. */
  token: Uint8Array;
  time: Date;
  /** The subject of the authority's certificate, on one line. */
  authority: string;
  /** Hexadecimal. */
  serial: string;
  policy: string;
}

/** Gets a verified timestamp over the data; throws TimestampUnavailable, and never gives anything less. */
export type Timestamper = (data: Uint8Array) => Promise<Timestamp>;

export interface TimestampOptions {
  fetch?: typeof fetch;
  now?: () => Date;
  randomBytes?: (size: number) => Uint8Array;
  /** For one authority, from the request's first byte to the answer's last. */
  timeoutMs?: number;
}

const MAX_RESPONSE_BYTES = 64 * 1024;

/** An RFC 3161 client that asks the authorities in their order until one gives a token that passes every check. */
export function timestamper(authorities: readonly Authority[], options: TimestampOptions = {}): Timestamper {
  const means = {
    fetch: options.fetch ?? fetch,
    now: options.now ?? (() => new Date()),
    randomBytes: options.randomBytes ?? randomBytes,
    timeoutMs: options.timeoutMs ?? 10_000,
  };
  return async (data) => {
    const attempts: { authority: string; fault: string }[] = [];
    for (const authority of authorities) {
      try {
        return await ask(authority, data, means);
      } catch (error) {
        attempts.push({ authority: new URL(authority.url).host, fault: faultOf(error) });
      }
    }
    throw new TimestampUnavailable(attempts);
  };
}

async function ask(
  authority: Authority,
  data: Uint8Array,
  means: Required<TimestampOptions>,
): Promise<Timestamp> {
  const anchors = certificatesOfPem(authority.caPem);
  const imprint = sha256(data);
  const nonce = integer(means.randomBytes(16));
  const response = await post(authority, timestampRequest(imprint, nonce, authority.policyOid), means);
  const token = tokenOfResponse(response);
  const verified = verifyToken(token, {
    imprint,
    nonce,
    policyOid: authority.policyOid,
    anchors,
    now: means.now(),
  });
  return {
    token,
    time: verified.time,
    authority: oneLine(verified.signer.x509.subject),
    serial: verified.serial,
    policy: verified.policy,
  };
}

function timestampRequest(imprint: Uint8Array, nonce: Uint8Array, policyOid: string | undefined): Buffer {
  return sequence(
    integer(1),
    sequence(sequence(oid(oids.sha256), derNull()), octetString(imprint)),
    policyOid ? oid(policyOid) : Buffer.alloc(0),
    nonce,
    encode(tags.boolean, Uint8Array.of(0xff)),
  );
}

async function post(
  { url, username, password }: Authority,
  body: Buffer,
  means: Required<TimestampOptions>,
): Promise<Buffer> {
  const headers: Record<string, string> = {
    'content-type': 'application/timestamp-query',
    accept: 'application/timestamp-reply',
  };
  if (username !== undefined) {
    headers.authorization = `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
  }
  const signal = AbortSignal.timeout(means.timeoutMs);
  const request = {
    method: 'POST',
    headers,
    body: new Uint8Array(body),
    redirect: 'manual',
    signal,
  } as const;
  const response = await means.fetch(url, request);
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new TokenFault(`HTTP ${response.status}`);
  }
  return readBody(response);
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new TokenFault('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** For logs and alarms: what went wrong, never what was sent. */
function faultOf(error: unknown): string {
  if (error instanceof TokenFault) return error.message;
  if (error instanceof DerError) return `the answer is no timestamp (${error.message})`;
  if (property(error, 'name') === 'TimeoutError') return 'no answer in time';
  return `failed (${property(property(error, 'cause'), 'code') ?? property(error, 'name')})`;
}

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
