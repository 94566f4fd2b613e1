/** Verifies SigV4 signatures of headers and POST policies. */
import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { escapeUri } from '@smithy/core/protocols';
import { getCanonicalHeaders, getCanonicalQuery } from '@smithy/signature-v4';
import { AuthenticationFailure, type RequestHead } from './service.ts';

/** The claimed signer and scope of a signature. */
interface Claim {
  accessKeyId: string;
  shortDate: string;
  region: string;
  service: string;
  signature: string;
}

interface SignedRequest extends Claim {
  signedHeaders: string[];
  longDate: string;
  /** The body's hash in the canonical request: SHA-256 in hex, or one of S3's constants. */
  payloadHash: string | undefined;
}

const MAX_SKEW_MS = 15 * 60 * 1000;

function stringToSign(head: RequestHead, signed: SignedRequest, payloadHash: string): string {
  const scope = `${signed.shortDate}/${signed.region}/${signed.service}/aws4_request`;
  const canonical = hash('sha256', canonicalRequest(head, signed, payloadHash));
  return `AWS4-HMAC-SHA256\n${signed.longDate}\n${scope}\n${canonical}`;
}

function canonicalRequest(head: RequestHead, signed: SignedRequest, payloadHash: string): string {
  const headers = signedHeaders(head, signed);
  const names = Object.keys(headers).sort();
  return [
    head.method,
    // Only S3 signs the path as it is sent; the others escape it once more.
    signed.service === 's3' ? head.path : escapeUri(head.path).replaceAll('%2F', '/'),
    getCanonicalQuery({ ...NO_REQUEST, headers: {}, query: queryBag(head.query) }),
    ...names.map((name) => `${name}:${headers[name]}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
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

const AUTHORIZATION_FORM =
  /^AWS4-HMAC-SHA256 +Credential=([^,\s]+), *SignedHeaders=([^,\s]+), *Signature=([0-9a-f]{64})$/;

/** Reads the signature of a request without verifying it. */
export function readSignature({ headers }: RequestHead): SignedRequest {
  if (headers.authorization === undefined)
    throw new AuthenticationFailure('missing', 'Missing Authentication Token');
  const [, credential = '', names = '', signature = ''] =
    AUTHORIZATION_FORM.exec(headers.authorization) ?? [];
  const claim = { ...readCredential(credential), signature };
  const signedHeaders = names.split(';');
  // A signature without it would be valid for any service.
  if (!signedHeaders.includes('host'))
    throw new AuthenticationFailure('malformed', 'The authorization must sign the host header');
  return {
    ...claim,
    signedHeaders,
    longDate: String(headers['x-amz-date'] ?? ''),
    payloadHash: headers['x-amz-content-sha256']?.toString(),
  };
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

/** Cached as key objects, from which Node makes an HMAC in a sixth of the time. */
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

const LONG_DATE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

function verifyTime(signed: SignedRequest, now: number): void {
  const signedAt = Date.parse(signed.longDate.replace(LONG_DATE, '$1-$2-$3T$4:$5:$6Z'));
  if (!LONG_DATE.test(signed.longDate) || !signed.longDate.startsWith(signed.shortDate)) {
    throw new AuthenticationFailure('malformed', 'The date of the signature is malformed');
  }
  // Of a date that does not exist, the difference is not a number.
  if (!(Math.abs(now - signedAt) <= MAX_SKEW_MS)) {
    throw new AuthenticationFailure(
      'skewed',
      `Signature expired: ${signed.longDate} is not within 15 minutes of ${new Date(now).toISOString()}`,
    );
  }
}
