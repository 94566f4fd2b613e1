import * as z from 'zod';
import { string, stringOrNull } from '../runtime/schemas.ts';
import { epochSeconds } from '../runtime/time.ts';
import { SESSION_PREFIX, sessionKey, userPartition } from './keys.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { exists, type Table, type Write } from './table.ts';

/** Sessions of users on the dashboard. One that has ended is deleted. */

const appSession = z.object({
  /** The first half of the hash. */
  id: string,
  /** The SHA-256 of the cookie's secret. */
  hash: string,
  userId: string,
  createdAt: string,
  expiresAt: string,
  userAgent: stringOrNull,
});
export type AppSession = z.output<typeof appSession>;

export const appSessionWrite = (session: AppSession): Write => ({
  put: {
    ...sessionKey(session.userId, session.id),
    ...session,
    ttl: epochSeconds(session.expiresAt),
  },
});

/** DynamoDB deletes expired items late. */
const isOpenAt = ({ expiresAt }: AppSession, now: Date) => now.toISOString() < expiresAt;

export async function findAppSession(
  table: Table,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<AppSession | undefined> {
  const session = await table.find(appSession, sessionKey(userId, sessionId));
  return session && isOpenAt(session, now) ? session : undefined;
}

/** Newest first. */
export async function listAppSessions(table: Table, userId: string, now: Date): Promise<AppSession[]> {
  const sessions = await table.findAll(appSession, {
    pk: userPartition(userId),
    sk: { prefix: SESSION_PREFIX },
  });
  return sessions
    .filter((session) => isOpenAt(session, now))
    .sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
}

export const endedSessionWrite = (userId: string, sessionId: string): Write => ({
  delete: sessionKey(userId, sessionId),
  condition: exists,
});

/**
 * Ends a session, with its event in the account's log; fails if there is no such session. The event is the first write, so
 * that only a collision is tried again, and not a session that has ended.
 */
export const endSession = (table: Table, userId: string, sessionId: string, event: Write): Promise<void> =>
  retryOnConflict(() => table.transact([event, endedSessionWrite(userId, sessionId)]));
