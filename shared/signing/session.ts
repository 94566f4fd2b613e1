import { createHmac, timingSafeEqual } from 'node:crypto';
import { MINUTE, SECOND } from '../runtime/time.ts';
import { sha256Hex } from '../store/keys.ts';

/**
 * The proof that a code was verified, carried in a cookie: signed, bound to the signer and the link's token, good for half
 * an hour. It is worth nothing once the link is dead: every call looks at that first.
 */
const LIFETIME = 30 * MINUTE;

const tag = (key: Buffer, token: string, signerId: string, expires: string) =>
  createHmac('sha256', key)
    .update(`${sha256Hex(token)}:${signerId}:${expires}`)
    .digest('base64url');

/** A name for each link, so that two links open in one browser do not end each other's session. */
const cookieName = (token: string) => `signing_${sha256Hex(token).slice(0, 12)}`;

export function sessionCookie(key: Buffer, token: string, signerId: string, now: Date): string {
  const expires = String(now.getTime() + LIFETIME);
  const value = `${expires}.${tag(key, token, signerId, expires)}`;
  return `${cookieName(token)}=${value}; Path=/api/signing/v1; Max-Age=${LIFETIME / SECOND}; HttpOnly; Secure; SameSite=Strict`;
}

export function hasSession(
  key: Buffer,
  token: string,
  signerId: string,
  cookies: string | undefined,
  now: Date,
): boolean {
  const prefix = `${cookieName(token)}=`;
  const cookie = cookies
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  const [expires = '', given = ''] = cookie?.slice(prefix.length).split('.') ?? [];
  if (!/^\d{1,15}$/.test(expires) || now.getTime() >= Number(expires)) return false;
  const genuine = Buffer.from(tag(key, token, signerId, expires));
  const received = Buffer.from(given);
  return genuine.length === received.length && timingSafeEqual(genuine, received);
}
