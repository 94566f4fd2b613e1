/** Verifies SigV4 signatures of headers, presigned URLs and POST policies with the SDK's own signer. */
import { createHash, createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { getCanonicalHeaders, SignatureV4Base } from '@smithy/signature-v4';
import { AuthenticationFailure, type RequestHead } from './service.ts';

/** The claimed signer and scope of a signature. */
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
  /** The body's hash in the canonical request: SHA-256 in hex, or one of S3's constants. */
  payloadHash: string | undefined;
  presigned: boolean;
  expiresSeconds: number;
}

const MAX_SKEW_MS = 15 * 60 * 1000;
const MAX_PRESIGNED_SECONDS = 7 * 24 * 3600;

/** The SDK's hash interface over node:crypto, which is 5 times as fast as the SDK's JavaScript hash. */
export class NodeSha256 {
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
    throw new Error('A hash can be used only once');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/** Gives access to the signer's protected canonical form. */
class Canonical extends SignatureV4Base {
  constructor(uriEscapePath: boolean) {
    super({
      service: 'unused',
      region: 'unused',
      credentials: { accessKeyId: '', secretAccessKey: '' },
      sha256: NodeSha256,
      uriEscapePath,
    });
  }

  request(head: RequestHead, signed: SignedRequest, payloadHash: string): string {
    const { method, path } = head;
    const request = {
      method,
      protocol: 'http:',
      hostname: '',
      path,
      query: queryBag(head.query),
      headers: {},
    };
    return this.createCanonicalRequest(request, signedHeaders(head, signed), payloadHash);
  }
}

const ofS3 = new Canonical(false);
const ofOthers = new Canonical(true);

function stringToSign(head: RequestHead, signed: SignedRequest, payloadHash: string): string {
  const canonical = (signed.service === 's3' ? ofS3 : ofOthers).request(head, signed, payloadHash);
  const scope = `${signed.shortDate}/${signed.region}/${signed.service}/aws4_request`;
  return `AWS4-HMAC-SHA256\n${signed.longDate}\n${scope}\n${hash('sha256', canonical)}`;
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
  return getCanonicalHeaders({ headers, ...NO_REQUEST }, undefined, new Set(signed.signedHeaders));
}

const NO_REQUEST = { method: '', protocol: '', hostname: '', path: '' };

const mismatch = () =>
  new AuthenticationFailure(
    'mismatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  );

/** Reads the signature of a request without verifying it. */
export function readSignature(head: RequestHead): SignedRequest {
  if (head.headers.authorization !== undefined) return fromHeader(head, head.headers.authorization);
  if (head.query.has('X-Amz-Signature')) return fromQuery(head);
  throw new AuthenticationFailure('missing', 'Missing Authentication Token');
}

const AUTHORIZATION_FORM =
  /^AWS4-HMAC-SHA256 +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([0-9a-f]{64})$/;

function fromHeader(head: RequestHead, authorization: string): SignedRequest {
  const [, credential = '', headers = '', signature = ''] = AUTHORIZATION_FORM.exec(authorization) ?? [];
  return {
    ...readCredential(credential),
    signature,
    signedHeaders: signedHeaderNames(headers),
    longDate: String(head.headers['x-amz-date'] ?? ''),
    payloadHash: head.headers['x-amz-content-sha256']?.toString(),
    presigned: false,
    expiresSeconds: 0,
  };
}

function fromQuery(head: RequestHead): SignedRequest {
  const field = (name: string) => head.query.get(name) ?? '';
  const expiresSeconds = Number(field('X-Amz-Expires'));
  if (!(expiresSeconds >= 0 && expiresSeconds <= MAX_PRESIGNED_SECONDS)) {
    throw new AuthenticationFailure('malformed', 'X-Amz-Expires must be between 0 and 604800 seconds');
  }
  return {
    ...readCredential(field('X-Amz-Credential')),
    signature: field('X-Amz-Signature'),
    signedHeaders: signedHeaderNames(field('X-Amz-SignedHeaders')),
    longDate: field('X-Amz-Date'),
    payloadHash: head.query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    presigned: true,
    expiresSeconds,
  };
}

/** Requires the host: a signature without it would be valid for any service. */
function signedHeaderNames(list: string): string[] {
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

export function verifySignature(
  head: RequestHead,
  signed: SignedRequest,
  secretAccessKey: string,
  bodyHash: string,
  now: number,
): void {
  verifyText(stringToSign(head, signed, signed.payloadHash ?? bodyHash), signed, secretAccessKey);
  verifyTime(signed, now);
}

/** Compares in constant time. For a POST policy, the signed text is the policy. */
export function verifyText(text: string, claim: Claim, secretAccessKey: string): void {
  const expected = createHmac('sha256', signingKey(claim, secretAccessKey)).update(text).digest();
  const given = Buffer.from(claim.signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw mismatch();
}

const MAX_SIGNING_KEYS = 1_000;
const signingKeys = new Map<string, KeyObject>();

/** Kept as key objects: Node makes an HMAC from one in a sixth of the time that it takes from bytes. */
function signingKey({ shortDate, region, service }: Claim, secretAccessKey: string): KeyObject {
  const name = `${secretAccessKey}\n${shortDate}\n${region}\n${service}`;
  const known = signingKeys.get(name);
  if (known) return known;
  if (signingKeys.size >= MAX_SIGNING_KEYS) signingKeys.clear();
  const derived = [shortDate, region, service, 'aws4_request'].reduce(
    (key, part) => createHmac('sha256', key).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  );
  const key = createSecretKey(derived);
  signingKeys.set(name, key);
  return key;
}

function verifyTime(signed: SignedRequest, now: number): void {
  const signedAt = parseLongDate(signed.longDate);
  if (signedAt === undefined || !signed.longDate.startsWith(signed.shortDate)) {
    throw new AuthenticationFailure('malformed', 'The date of the signature is malformed');
  }
  if (signed.presigned) {
    if (signedAt > now + MAX_SKEW_MS) throw new AuthenticationFailure('expired', 'Request is not valid yet');
    if (now >= signedAt + signed.expiresSeconds * 1000) {
      throw new AuthenticationFailure('expired', 'Request has expired');
    }
  } else if (Math.abs(now - signedAt) > MAX_SKEW_MS) {
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
