import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { getCanonicalHeaders, getSigningKey, SignatureV4Base } from '@smithy/signature-v4';
import type { RequestHead } from './service.ts';

/** SigV4 of header-signed requests, presigned URLs and POST policies, recomputed with the SDK's own signer. */

export type AuthenticationFailureKind =
  | 'missing'
  | 'malformed'
  | 'unknown-key'
  | 'mismatch'
  | 'skewed'
  | 'expired';

export class AuthenticationFailure extends Error {
  readonly kind: AuthenticationFailureKind;

  constructor(kind: AuthenticationFailureKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Whose signature it claims to be, and over what. */
export interface Claim {
  accessKeyId: string;
  shortDate: string;
  region: string;
  service: string;
  signature: string;
}

export interface SignedRequest extends Claim {
  signedHeaders: string[];
  longDate: string;
  /** What the canonical request says of the body: a SHA-256 in hex, or one of S3's constants. */
  payloadHash: string | undefined;
  presigned: boolean;
  expiresSeconds: number;
}

const maxSkewMs = 15 * 60 * 1000;
const maxPresignedSeconds = 7 * 24 * 3600;

/** The hash interface that the SDK's signer wants, over node:crypto (its JavaScript twin costs 5 times as much). */
class NodeSha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    throw new Error('A hash is used once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** Opens the signer's canonical forms, which it keeps to itself. */
class Canonical extends SignatureV4Base {
  constructor(service: string) {
    super({
      service,
      region: 'unused',
      credentials: { accessKeyId: '', secretAccessKey: '' },
      sha256: NodeSha256,
      uriEscapePath: service !== 's3',
    });
  }

  stringToSign(head: RequestHead, signed: SignedRequest, payloadHash: string): Promise<string> {
    const scope = `${signed.shortDate}/${signed.region}/${signed.service}/aws4_request`;
    const request = {
      method: head.method,
      protocol: 'http:',
      hostname: '',
      path: head.path,
      query: queryBag(head.query),
      headers: {},
    };
    const canonical = this.createCanonicalRequest(request, signedHeaders(head, signed), payloadHash);
    return this.createStringToSign(signed.longDate, scope, canonical, 'AWS4-HMAC-SHA256');
  }
}

function queryBag(query: URLSearchParams): Record<string, string[]> {
  return Object.fromEntries([...new Set(query.keys())].map((key) => [key, query.getAll(key)]));
}

function signedHeaders(head: RequestHead, signed: SignedRequest): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of signed.signedHeaders) {
    const value = head.headers[name];
    if (value === undefined) throw mismatch();
    headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return getCanonicalHeaders({ headers, ...noRequest }, undefined, new Set(signed.signedHeaders));
}

const noRequest = { method: '', protocol: '', hostname: '', path: '' };

const mismatch = () =>
  new AuthenticationFailure(
    'mismatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  );

/** Reads what a request says of its own signature; verifies nothing yet. */
export function readSignature(head: RequestHead): SignedRequest {
  if (head.headers.authorization !== undefined) return fromHeader(head, head.headers.authorization);
  if (head.query.has('X-Amz-Signature')) return fromQuery(head);
  throw new AuthenticationFailure('missing', 'Missing Authentication Token');
}

const authorizationForm =
  /^AWS4-HMAC-SHA256 +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([0-9a-f]{64})$/;

function fromHeader(head: RequestHead, authorization: string): SignedRequest {
  const [, credential = '', headers = '', signature = ''] = authorizationForm.exec(authorization) ?? [];
  return {
    ...readCredential(credential),
    signature,
    signedHeaders: headersThatCount(headers),
    longDate: String(head.headers['x-amz-date'] ?? ''),
    payloadHash: head.headers['x-amz-content-sha256']?.toString(),
    presigned: false,
    expiresSeconds: 0,
  };
}

function fromQuery(head: RequestHead): SignedRequest {
  const field = (name: string) => head.query.get(name) ?? '';
  const expiresSeconds = Number(field('X-Amz-Expires'));
  if (!(expiresSeconds >= 0 && expiresSeconds <= maxPresignedSeconds)) {
    throw new AuthenticationFailure('malformed', 'X-Amz-Expires must be between 0 and 604800 seconds');
  }
  return {
    ...readCredential(field('X-Amz-Credential')),
    signature: field('X-Amz-Signature'),
    signedHeaders: headersThatCount(field('X-Amz-SignedHeaders')),
    longDate: field('X-Amz-Date'),
    payloadHash: head.query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    presigned: true,
    expiresSeconds,
  };
}

/** A signature that leaves out the host would be good for any service. */
function headersThatCount(list: string): string[] {
  const names = list.split(';');
  if (!names.includes('host')) {
    throw new AuthenticationFailure('malformed', 'The authorization must sign the host header');
  }
  return names;
}

export function readCredential(credential: string): Omit<Claim, 'signature'> {
  const [accessKeyId, shortDate, region, service, end, ...rest] = credential.split('/');
  if (!accessKeyId || !shortDate || !region || !service || end !== 'aws4_request' || rest.length > 0) {
    throw new AuthenticationFailure('malformed', 'The authorization is malformed');
  }
  return { accessKeyId, shortDate, region, service };
}

export async function verifySignature(
  head: RequestHead,
  signed: SignedRequest,
  secretAccessKey: string,
  bodyHash: string,
  now: number,
): Promise<void> {
  const canonical = new Canonical(signed.service);
  const text = await canonical.stringToSign(head, signed, signed.payloadHash ?? bodyHash);
  await verifyText(text, signed, secretAccessKey);
  verifyTime(signed, now);
}

/** Compares in constant time. A POST policy's signed text is the policy itself. */
export async function verifyText(text: string, claim: Claim, secretAccessKey: string): Promise<void> {
  const credentials = { accessKeyId: claim.accessKeyId, secretAccessKey };
  const key = await getSigningKey(NodeSha256, credentials, claim.shortDate, claim.region, claim.service);
  const expected = createHmac('sha256', key).update(text).digest();
  const given = Buffer.from(claim.signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw mismatch();
}

function verifyTime(signed: SignedRequest, now: number): void {
  const signedAt = parseLongDate(signed.longDate);
  if (signedAt === undefined || !signed.longDate.startsWith(signed.shortDate)) {
    throw new AuthenticationFailure('malformed', 'The date of the signature is malformed');
  }
  if (signed.presigned) {
    if (signedAt > now + maxSkewMs) throw new AuthenticationFailure('expired', 'Request is not valid yet');
    if (now >= signedAt + signed.expiresSeconds * 1000) {
      throw new AuthenticationFailure('expired', 'Request has expired');
    }
  } else if (Math.abs(now - signedAt) > maxSkewMs) {
    throw new AuthenticationFailure(
      'skewed',
      `Signature expired: ${signed.longDate} is not within 15 minutes of ${new Date(now).toISOString()}`,
    );
  }
}

function parseLongDate(text: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text);
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}
