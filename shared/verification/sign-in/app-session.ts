import type { Visitor } from '../../requests/model.ts';
import { sha256Hex } from '../../runtime/hash.ts';
import { after, HOUR, SECOND } from '../../runtime/time.ts';
import { type AppSession, findAppSession } from '../../store/app-sessions.ts';
import type { Table } from '../../store/table.ts';
import { newAccessToken, sameHash } from '../code.ts';
import { cookieValues } from '../session.ts';

/** A user's session. The cookie holds the user's id, which leads to the session, and a secret, which proves it. */

const LIFETIME_MS = 12 * HOUR;
const SESSION_ID_LENGTH = 32;

/** Browsers accept a cookie with this prefix only from this host, for all its paths, over https. */
const SESSION_COOKIE = '__Host-app';
const ATTEMPT_COOKIE = '__Host-app-attempt';

const cookie = (name: string, value: string, milliseconds: number) =>
  `${name}=${value}; Path=/; Max-Age=${milliseconds / SECOND}; HttpOnly; Secure; SameSite=Strict`;

export const attemptCookie = (secret: string, milliseconds: number) =>
  cookie(ATTEMPT_COOKIE, secret, milliseconds);

/** Identifies the attempt of this browser; undefined without its cookie. */
export function attemptOfBrowser(cookies: string | undefined): string | undefined {
  const [secret] = cookieValues(cookies, ATTEMPT_COOKIE);
  return secret && sha256Hex(secret);
}

export function newAppSession(userId: string, { userAgent }: Visitor, now: Date) {
  const secret = newAccessToken();
  const hash = sha256Hex(secret);
  const session: AppSession = {
    id: hash.slice(0, SESSION_ID_LENGTH),
    hash,
    userId,
    createdAt: now.toISOString(),
    expiresAt: after(now, LIFETIME_MS),
    userAgent,
  };
  return { session, cookie: cookie(SESSION_COOKIE, `${userId}.${secret}`, LIFETIME_MS) };
}

export const ENDED_SESSION_COOKIE = cookie(SESSION_COOKIE, '', 0);

/** The open session of the cookie, if there is one. */
export async function sessionOf(
  table: Table,
  cookies: string | undefined,
  now: Date,
): Promise<AppSession | undefined> {
  const [value = ''] = cookieValues(cookies, SESSION_COOKIE);
  const [, userId, secret] = /^([0-9a-f-]{36})\.([\w-]{43})$/.exec(value) ?? [];
  if (!userId || !secret) return undefined;
  const hash = sha256Hex(secret);
  const session = await findAppSession(table, userId, hash.slice(0, SESSION_ID_LENGTH), now);
  return session && sameHash(session.hash, hash) ? session : undefined;
}
