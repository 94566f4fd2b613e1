import { isOpen } from '../requests/codes.ts';
import type { Session, SignerState } from '../requests/model.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { after, MINUTE, SECOND } from '../runtime/time.ts';
import { newAccessToken, sameHash } from './code.ts';

/**
 * A session proves that a code was verified. Its cookie is a secret of its own, stored with the signer as a hash, for
 * half an hour. Every call checks the link first, so a session ends with its link.
 */
const LIFETIME_MS = 30 * MINUTE;

export function newSession(now: Date): { secret: string; stored: Session } {
  const secret = newAccessToken();
  return { secret, stored: { hash: sha256Hex(secret), expiresAt: after(now, LIFETIME_MS) } };
}

/** Named by link, so that two links in one browser have separate sessions. */
const cookieName = (token: string) => `signing_${sha256Hex(token).slice(0, 12)}`;

export const sessionCookie = (token: string, secret: string): string =>
  `${cookieName(token)}=${secret}; Path=/api/signing/v1; Max-Age=${LIFETIME_MS / SECOND}; HttpOnly; Secure; SameSite=Strict`;

/** Every cookie of the name: another site's page on this domain may have set one beside the real one. */
export const cookieValues = (cookies: string | undefined, name: string): string[] =>
  (cookies?.split(';') ?? [])
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));

export function hasSession(
  { sessions }: Pick<SignerState, 'sessions'>,
  token: string,
  cookies: string | undefined,
  now: Date,
): boolean {
  const hashes = cookieValues(cookies, cookieName(token)).map(sha256Hex);
  return sessions.some(
    (session) => isOpen(session, now) && hashes.some((hash) => sameHash(hash, session.hash)),
  );
}
