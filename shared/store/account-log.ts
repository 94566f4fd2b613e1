import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Visitor } from '../requests/model.ts';
import { openEnum, string, stringOrNull } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds } from '../runtime/time.ts';
import { parseItem } from './items.ts';
import { accountEventKey, accountLogPartition } from './keys.ts';
import type { Permit } from './owners.ts';
import type { Table, Write } from './table.ts';

/** The acts of users on an owner's account, for a year. Each event is written in the transaction of what it tells. */

export type AccountEventType =
  | 'signed_in'
  | 'signed_out'
  | 'session_revoked'
  | 'member_added'
  | 'member_role_changed'
  | 'member_removed'
  | 'key_created'
  | 'key_revoked'
  | 'brand_changed'
  | 'notices_changed'
  | 'webhook_created'
  | 'webhook_changed'
  | 'webhook_deleted';

const KEPT_MS = 365 * DAY;
/** Comes after every character of a key of the log. */
const AFTER_ALL = '~';

const accountEvent = z.object({
  at: string,
  type: openEnum<AccountEventType>(),
  /** The user that did it. */
  userId: string,
  ipAddress: stringOrNull,
  userAgent: stringOrNull,
  details: z.record(string, string),
});
type AccountEvent = z.output<typeof accountEvent>;

/** The user who does something, with browser and time. */
export interface By {
  userId: string;
  visitor: Visitor;
  now: Date;
  permit?: Permit;
}

export function accountEventWrite(
  ownerId: string,
  type: AccountEventType,
  { userId, visitor, now }: By,
  details: AccountEvent['details'] = {},
): Write {
  const at = now.toISOString();
  const event: AccountEvent = { at, type, userId, ...visitor, details };
  return {
    put: {
      ...accountEventKey(ownerId, at, randomUUID()),
      ...event,
      ttl: epochSeconds(after(now, KEPT_MS)),
    },
  };
}

/** The events after a time, oldest first. */
export const accountEventsAfter = (table: Table, ownerId: string, at: string): Promise<AccountEvent[]> =>
  table.findAll(accountEvent, {
    pk: accountLogPartition(ownerId),
    sk: { from: `${at}${AFTER_ALL}`, to: AFTER_ALL },
  });

export async function newestAccountEvents(
  table: Table,
  ownerId: string,
  count: number,
): Promise<AccountEvent[]> {
  const items = await table.queryUpTo(count, { pk: accountLogPartition(ownerId), newestFirst: true });
  return items.map((item) => parseItem(accountEvent, item));
}
