import { randomBytes } from 'node:crypto';
import '../runtime/connecting.ts';
import { readUpTo } from '../runtime/read-up-to.ts';
import { certificatesOfPem, oneLine } from './certificate.ts';
import { DerError, TAGS } from './der.ts';
import { derNull, encode, integer, octetString, oid, sequence } from './der-encode.ts';
import { SealError, TimestampUnavailable } from './errors.ts';
import { SignatureFault } from './faults.ts';
import type { Known } from './long-term/chain.ts';
import { OIDS } from './oids.ts';
import { tokenOfResponse, verifyNewToken, withoutStrays } from './timestamp-token.ts';
import { TokenFault } from './tst-info.ts';

/** A configured timestamp authority. */
export interface Authority {
  url: string;
  /** PEM of pinned certificates; tokens must chain to one of them. */
  caPem: string;
  username?: string;
  password?: string;
  /** Tokens must be issued under this policy, if given. */
  policyOid?: string;
}

export interface Timestamp {
  /** DER of the verified TimeStampToken. */
  token: Uint8Array;
  time: Date;
  /** The subject of the authority's certificate, on one line. */
  authority: string;
  /** Hexadecimal. */
  serial: string;
  policy: string;
  /** The authority's certificate, the others in the token, and the pinned ones. */
  chain: Known;
}

/** Gets a verified timestamp over a SHA-256, in at most so many bytes, or throws TimestampUnavailable. */
export type Timestamper = (imprint: Uint8Array, maxBytes?: number) => Promise<Timestamp>;

export interface TimestampOptions {
  fetch?: typeof fetch;
  now?: () => Date;
  randomBytes?: (size: number) => Uint8Array;
  /** For one authority, including its whole answer. */
  timeoutMs?: number;
  /** Rejects with a SealError if a seal cannot use an authority with this chain. */
  prove?: (chain: Known) => Promise<unknown>;
}

const MAX_RESPONSE_BYTES = 64 * 1024;
/** A token up to this size fits into a seal with a typical chain. */
const USUAL_MAX_BYTES = 12 * 1024;

/**
 * An RFC 3161 client that asks the authorities in order until one gives a token that passes every check and can be proved. An
 * authority that timed out or is not proved is asked last from then on: a seal needs up to four timestamps within its function's
 * time limit.
 */
export function timestamper(authorities: readonly Authority[], options: TimestampOptions = {}): Timestamper {
  const means = {
    fetch,
    now: () => new Date(),
    randomBytes,
    timeoutMs: 10_000,
    prove: async () => undefined,
    ...options,
  };
  const late = new Set<Authority>();
  return async (imprint, maxBytes = USUAL_MAX_BYTES) => {
    const attempts: { authority: string; fault: string }[] = [];
    for (const authority of authorities.toSorted((a, b) => Number(late.has(a)) - Number(late.has(b)))) {
      const passOver = (fault: string) => attempts.push({ authority: new URL(authority.url).host, fault });
      let stamp: Timestamp;
      try {
        stamp = await ask(authority, imprint, maxBytes, means);
      } catch (error) {
        if (isTimeout(error)) late.add(authority);
        passOver(faultOf(error));
        continue;
      }
      const unproved = await faultOfProof(means.prove(stamp.chain));
      if (unproved === undefined) return stamp;
      late.add(authority);
      passOver(unproved);
    }
    throw new TimestampUnavailable(attempts);
  };
}

async function ask(
  authority: Authority,
  imprint: Uint8Array,
  maxBytes: number,
  means: Required<TimestampOptions>,
): Promise<Timestamp> {
  const anchors = certificatesOfPem(authority.caPem);
  const nonce = integer(means.randomBytes(16));
  const response = await post(authority, timestampRequest(imprint, nonce, authority.policyOid), means);
  const token = tokenOfResponse(response);
  if (token.length > maxBytes)
    throw new TokenFault(`the token takes ${token.length} bytes, of ${maxBytes} reserved`);
  const verified = verifyNewToken(token, {
    imprint,
    nonce,
    policyOid: authority.policyOid,
    anchors,
    now: means.now(),
  });
  return {
    token: withoutStrays(token, verified),
    time: verified.time,
    authority: oneLine(verified.signer.x509.subject),
    serial: verified.serial,
    policy: verified.policy,
    chain: { certificates: [verified.signer, ...verified.others], anchors },
  };
}

function timestampRequest(imprint: Uint8Array, nonce: Uint8Array, policyOid: string | undefined): Buffer {
  return sequence(
    integer(1),
    sequence(sequence(oid(OIDS.sha256), derNull()), octetString(imprint)),
    policyOid ? oid(policyOid) : Buffer.alloc(0),
    nonce,
    encode(TAGS.boolean, Uint8Array.of(0xff)),
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
  const tooLong = () => new TokenFault('the answer is too long');
  return readUpTo(response.body ?? [], MAX_RESPONSE_BYTES, tooLong);
}

/** For logs and alarms: names the fault, never what was sent. */
function faultOf(error: unknown): string {
  if (error instanceof DerError) return `the answer is no timestamp (${error.message})`;
  if (error instanceof SignatureFault) return error.message;
  if (isTimeout(error)) return 'no answer in time';
  return `failed (${property(property(error, 'cause'), 'code') ?? property(error, 'name')})`;
}

/** Undefined if there is a proof. Another fault than a SealError, as of the storage, is none of the authority's. */
const faultOfProof = (proof: Promise<unknown>): Promise<string | undefined> =>
  proof.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof SealError) return error.told;
      throw error;
    },
  );

const isTimeout = (error: unknown) => property(error, 'name') === 'TimeoutError';

const property = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
