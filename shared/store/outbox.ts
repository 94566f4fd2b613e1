import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { EVENT_TYPES } from '../contract/events.ts';
import { MODES } from '../contract/fields.ts';
import { type Effect, MAIL_TASKS, notice, type RequestState } from '../requests/model.ts';
import { int, string, stringOrNull } from '../runtime/schemas.ts';
import { after, MINUTE, nowAfter } from '../runtime/time.ts';
import { LOCALES } from '../texts/languages.ts';
import { due, outboxKey } from './keys.ts';
import {
  type Condition,
  ConditionFailed,
  exists,
  holds,
  type Table,
  tryWrite,
  type Write,
  WriteCollision,
} from './table.ts';

/** The sweep resends a message that was not processed within this time. */
const RESEND_AFTER = MINUTE;

const ofOwner = {
  id: string,
  ownerId: string,
  createdAt: string,
  /** Number of resends by the sweep. */
  sends: int,
  notBefore: stringOrNull,
};
const base = { ...ofOwner, requestId: string, mode: z.enum(MODES) };

export const outboxItem = z.discriminatedUnion('kind', [
  /** `body` holds the envelope's bytes, so that every endpoint gets the same. */
  z.object({
    ...base,
    kind: z.literal('event'),
    eventId: string,
    eventType: z.enum(EVENT_TYPES),
    body: string,
  }),
  z.object({ ...base, kind: z.literal('seal') }),
  z.object({ ...base, kind: z.literal('mail'), task: z.enum(MAIL_TASKS) }),
  /** The mail to a corrected signer, unless the call that left it has recorded its own. */
  z.object({ ...base, kind: z.literal('correction'), signerId: string }),
  /** `recipients` shrinks with every mail: it holds those who are still to be told. */
  z.object({ ...base, ...notice.shape, kind: z.literal('notice') }),
  /** A mail to a new member of an organization. */
  z.object({ ...ofOwner, kind: z.literal('member'), userId: string, locale: z.enum(LOCALES) }),
]);

export type OutboxItem = z.output<typeof outboxItem>;
export type OutboxCorrection = Extract<OutboxItem, { kind: 'correction' }>;
export type OutboxEvent = Extract<OutboxItem, { kind: 'event' }>;
export type OutboxNotice = Extract<OutboxItem, { kind: 'notice' }>;
export type OutboxMember = Extract<OutboxItem, { kind: 'member' }>;

export const memberOutboxItem = (
  member: Pick<OutboxMember, 'id' | 'ownerId' | 'userId' | 'locale'>,
  createdAt: string,
): OutboxMember => ({ ...member, kind: 'member', createdAt, sends: 0, notBefore: null });

const SEAL_PREFIX = 'seal-';

/** Derived from the request, so that a request has at most one seal job. */
export const sealOutboxId = (requestId: string) => `${SEAL_PREFIX}${requestId}`;

/** The request of a seal job, known without reading the job. */
export const requestOfSeal = (outboxId: string) => outboxId.slice(SEAL_PREFIX.length);

/** Creates the outbox items of a change. Each event's time is later than that of the event before. */
export function outboxItems(
  effects: Effect[],
  state: RequestState,
  now: Date,
): { items: OutboxItem[]; lastEventAt: string | null } {
  let { lastEventAt } = state;
  const items = effects.map((work): OutboxItem => {
    const common = {
      id: randomUUID(),
      requestId: state.id,
      ownerId: state.ownerId,
      mode: state.mode,
      createdAt: now.toISOString(),
      sends: 0,
    };
    if (work.kind === 'seal') return { ...common, id: sealOutboxId(state.id), kind: 'seal', notBefore: null };
    if (work.kind === 'notice') return { ...common, ...work, notBefore: null };
    if (work.kind === 'mail' || work.kind === 'correction') return { ...common, ...work };
    lastEventAt = lastEventAt ? nowAfter(lastEventAt, now) : now.toISOString();
    const eventId = `evt_${randomUUID()}`;
    const body = JSON.stringify({ id: eventId, type: work.type, created_at: lastEventAt, data: work.data });
    return { ...common, kind: 'event', eventId, eventType: work.type, body, notBefore: null };
  });
  return { items, lastEventAt };
}

export function outboxWrite(item: OutboxItem): Write {
  const resendAt = item.notBefore ?? after(item.createdAt, RESEND_AFTER);
  return { put: { ...outboxKey(item.id), ...item, ...due('OUTBOX', resendAt, item.id) } };
}

/**
 * Keeps the sweep from resending a message that its queue holds until then: each copy would be received as often as the first.
 */
export const holdBack = (table: Table, id: string, until: string): Promise<boolean> =>
  tryWrite(table.update(outboxKey(id), due('OUTBOX', after(until, RESEND_AFTER), id), exists));

export const readOutbox = (table: Table, id: string): Promise<OutboxItem | undefined> =>
  table.find(outboxItem, outboxKey(id));

/** False if a condition does not hold, or another run writes the same items at this moment: the sweep comes by again. */
export async function tryTransact(table: Table, writes: Write[]): Promise<boolean> {
  try {
    await table.transact(writes);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof WriteCollision) return false;
    throw error;
  }
}

/**
 * Leases an item as it was read, so that a duplicate of its message mails nobody; false if another run has leased,
 * changed or ended it. `extraWrites` join the transaction.
 */
export function leaseItem(
  table: Table,
  item: OutboxNotice | OutboxMember,
  now: Date,
  leaseMs: number,
  extraWrites: Write[] = [],
): Promise<boolean> {
  const asRead: Condition = item.kind === 'notice' ? holds({ recipients: item.recipients }) : exists;
  const lease: Write = {
    update: outboxKey(item.id),
    set: { leasedUntil: after(now, leaseMs) },
    condition: {
      expression: `${asRead.expression} AND attribute_not_exists(#leasedUntil) OR ${asRead.expression} AND #leasedUntil <= :now`,
      values: { ...asRead.values, now: now.toISOString() },
    },
  };
  return tryTransact(table, [lease, ...extraWrites]);
}

/** For the transaction that records a mail: leaves these recipients, or ends the item if there are none. */
export const toldWrite = (id: string, recipients: readonly string[]): Write =>
  recipients.length > 0
    ? { update: outboxKey(id), set: { recipients }, condition: exists }
    : { delete: outboxKey(id) };
