import type { AuditEntry, AuditType } from '../requests/model.ts';
import { sha256Hex } from '../store/keys.ts';

/** An event of the trail as it is stored. Each carries the hash of the one before, so that a removed or changed one shows. */
export interface AuditEvent {
  sequence: number;
  type: AuditType;
  at: string;
  actor: string;
  signerId: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  details: Record<string, unknown>;
  previousHash: string;
  hash: string;
}

/** The head of an empty trail: bound to the request, so that no other request's events can stand in its place. */
export const emptyHead = (requestId: string) => sha256Hex(`audit:${requestId}`);

/** Keys sorted at every level, so that the same event has the same bytes wherever it was read from. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

const hashOf = (event: Omit<AuditEvent, 'hash'>) => sha256Hex(canonical(event));

/** Links entries to the end of a trail. */
export function chain(entries: AuditEntry[], from: { sequence: number; head: string }): AuditEvent[] {
  let { sequence, head: previousHash } = from;
  return entries.map((entry) => {
    sequence += 1;
    const unhashed = {
      sequence,
      type: entry.type,
      at: entry.at,
      actor: entry.actor,
      signerId: entry.signerId ?? null,
      ipAddress: entry.visitor?.ipAddress ?? null,
      userAgent: entry.visitor?.userAgent ?? null,
      details: entry.details ?? {},
      previousHash,
    };
    const event = { ...unhashed, hash: hashOf(unhashed) };
    previousHash = event.hash;
    return event;
  });
}

export interface Verdict {
  intact: boolean;
  events: number;
  head: string;
  /** The sequence number at which the chain breaks. */
  brokenAt: number | null;
}

/** Recomputes a whole trail and holds its end against the head that the request itself keeps. */
export function verify(
  requestId: string,
  events: AuditEvent[],
  kept: { sequence: number; head: string },
): Verdict {
  let previousHash = emptyHead(requestId);
  for (const [index, event] of events.entries()) {
    const { hash, ...unhashed } = event;
    const inOrder = event.sequence === index + 1 && event.previousHash === previousHash;
    if (!inOrder || hashOf(unhashed) !== hash) {
      return { intact: false, events: events.length, head: previousHash, brokenAt: index + 1 };
    }
    previousHash = hash;
  }
  const complete = events.length === kept.sequence && previousHash === kept.head;
  return {
    intact: complete,
    events: events.length,
    head: previousHash,
    brokenAt: complete ? null : events.length + 1,
  };
}
