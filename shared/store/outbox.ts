import { randomUUID } from 'node:crypto';
import type { EventType } from '../contract/events.ts';
import type { Follow, RequestState } from '../requests/model.ts';
import { after, MINUTE } from '../runtime/time.ts';
import { due, type Mode, outboxKey } from './keys.ts';
import type { Table, Write } from './table.ts';

/** How long a message may take before the sweep believes it lost and sends it again. */
const RESEND_AFTER = MINUTE;

interface Base {
  id: string;
  requestId: string;
  ownerId: string;
  mode: Mode;
  createdAt: string;
  /** How often the sweep has sent it again. */
  sends: number;
}

/** The envelope's bytes are fixed here, once for every endpoint. */
export interface OutboxEvent extends Base {
  kind: 'event';
  eventId: string;
  eventType: EventType;
  body: string;
}

export interface OutboxSeal extends Base {
  kind: 'seal';
}

export interface OutboxMail extends Base {
  kind: 'mail';
  task: 'invitations' | 'sealed_notices';
}

export type OutboxItem = (OutboxEvent | OutboxSeal | OutboxMail) & { notBefore: string | null };

/** A request has one seal job at most, which is found by the request. */
export const sealOutboxId = (requestId: string) => `seal-${requestId}`;

const later = (a: string, b: string) => (a > b ? a : b);

/** Makes the outbox items of a change, and moves the time of the last event on, so that events carry increasing times. */
export function outboxItems(
  follow: Follow[],
  state: RequestState,
  now: Date,
): { items: OutboxItem[]; lastEventAt: string | null } {
  let { lastEventAt } = state;
  const items = follow.map((work): OutboxItem => {
    const base = {
      id: randomUUID(),
      requestId: state.id,
      ownerId: state.ownerId,
      mode: state.mode,
      createdAt: now.toISOString(),
      sends: 0,
    };
    if (work.kind === 'seal') return { ...base, id: sealOutboxId(state.id), kind: 'seal', notBefore: null };
    if (work.kind === 'mail')
      return { ...base, kind: 'mail', task: work.task, notBefore: work.notBefore ?? null };
    lastEventAt = lastEventAt ? later(now.toISOString(), after(lastEventAt, 1)) : now.toISOString();
    const eventId = `evt_${randomUUID()}`;
    const body = JSON.stringify({ id: eventId, type: work.type, created_at: lastEventAt, data: work.data });
    return { ...base, kind: 'event', eventId, eventType: work.type, body, notBefore: null };
  });
  return { items, lastEventAt };
}

export function outboxWrite(item: OutboxItem): Write {
  const resendAt = item.notBefore ?? after(item.createdAt, RESEND_AFTER);
  return { put: { ...outboxKey(item.id), ...item, ...due('OUTBOX', resendAt, item.id) } };
}

export const deleteFromOutbox = (id: string): Write => ({ delete: outboxKey(id) });

export async function readOutbox(table: Table, id: string): Promise<OutboxItem | undefined> {
  const item = await table.get(outboxKey(id), { consistent: true });
  return item as OutboxItem | undefined;
}
