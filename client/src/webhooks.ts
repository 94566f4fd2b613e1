import { SignatureRequestsError } from './errors.ts';
import type { WebhookEvent } from './types.ts';

export interface VerifyOptions {
  /** The maximum age of the signature in seconds, in either direction; 300 by default. */
  toleranceSeconds?: number | undefined;
  now?: Date | undefined;
}

/** Headers of `fetch` or of Node. */
export type WebhookHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | string[] | undefined>>;

const HEADER = 'x-service-signature';

/**
 * Verifies the signature of a webhook and returns its event. `rawBody` is the body as received, before any parsing. While a secret
 * is replaced, give both, in a list: one signature that fits one of them is enough.
 */
async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // A secret from a file or a variable may end with a line break.
  const keys = [secret].flat().flatMap((each) => each?.trim() || []);
  if (keys.length === 0) throw refusal('The secret is empty.');
  const body = bytesOf(rawBody);
  if (!body?.length)
    throw refusal('The body is empty, or neither text nor bytes. Pass it as it came, before any parsing.');
  const parts = headerOf(headers)
    .split(',')
    .map((part) => part.trim().split('='));
  const values = (name: string) => parts.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const [time = ''] = values('t');
  const digests = values('v1').filter((digest) => /^[0-9a-f]{64}$/.test(digest));
  if (!/^\d{1,12}$/.test(time) || digests.length === 0)
    throw refusal(`The header ${HEADER} is missing or malformed.`);
  // Written so that NaN, from a wrong tolerance or clock, is rejected.
  if (!(Math.abs(now.getTime() / 1_000 - Number(time)) <= toleranceSeconds))
    throw refusal('The signature is too old, or of the future. Is the clock right?');

  const data = signedBytes(time, body);
  const fits = await Promise.all(keys.map((key) => isSigned(data, digests, key)));
  if (!fits.includes(true))
    throw refusal('No signature fits. Is it the secret of this endpoint, and the body as it came?');
  return JSON.parse(new TextDecoder().decode(body));
}

export const webhooks = { verify };

const refusal = (message: string) => new SignatureRequestsError('webhook_not_genuine', message);

/** Tests for the method, because the `fetch` of another library has its own class. */
const isHeaders = (headers: WebhookHeaders): headers is Pick<Headers, 'get'> =>
  typeof headers.get === 'function';

function headerOf(headers: WebhookHeaders): string {
  if (isHeaders(headers)) return headers.get(HEADER) ?? '';
  const [, value = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === HEADER) ?? [];
  return String(value);
}

/** Undefined for anything but text and bytes. Not by `instanceof`, because Jest has its own classes. */
function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  const isBuffer = Object.prototype.toString.call(body) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(body as ArrayBuffer) : undefined;
}

function signedBytes(time: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(`${time}.`);
  const all = new Uint8Array(prefix.length + body.length);
  all.set(prefix);
  all.set(body, prefix.length);
  return all;
}

/** WebCrypto compares in constant time. */
async function isSigned(
  data: Uint8Array<ArrayBuffer>,
  digests: readonly string[],
  secret: string,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ]);
  const fits = await Promise.all(
    digests.map((digest) => crypto.subtle.verify('HMAC', key, fromHex(digest), data)),
  );
  return fits.includes(true);
}

const fromHex = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
