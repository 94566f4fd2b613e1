import * as z from 'zod';
import { ACTORS } from '../contract/fields.ts';
import { canonicalJson } from '../runtime/canonical-json.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { int, nullableString, string } from '../runtime/schemas.ts';
import { without } from '../runtime/value-paths.ts';
import { checkCommitments, commit, type NewSalt } from './commitments.ts';
import type { AuditEntry } from './model.ts';

/** An event of the trail as it is stored. Each holds the hash of the one before, so a removed or changed event shows. */
export const auditEvent = z.object({
  /** Events of version 1, made before, have their personal values in the hash. */
  version: int.default(1),
  sequence: int,
  type: string,
  at: string,
  actor: z.enum(ACTORS),
  signerId: nullableString,
  ipAddress: nullableString,
  userAgent: nullableString,
  details: z.record(string, z.unknown()),
  /** By the paths of the event's personal values. */
  salts: z.record(string, string).default({}),
  commitments: z.record(string, string).default({}),
  previousHash: string,
  hash: string,
});

/** The version of the events that are written. Its first event states every fact that the request began with. */
export const TRAIL_VERSION = 2;

export type AuditEvent = z.output<typeof auditEvent>;

/** The head of an empty trail. It depends on the request, so events cannot be moved between requests. */
export const emptyHead = (requestId: string) => sha256Hex(`audit:${requestId}`);

/**
 * The hash of an event. The chain continues with it, so it covers all that came before. Personal values are left out:
 * their commitments stand for them. Events of version 1 have none.
 */
function hashOf({ version, salts, commitments, ...event }: Omit<AuditEvent, 'hash'>): string {
  if (version === 1) return sha256Hex(canonicalJson(event));
  const open = without(event, new Set(Object.keys(commitments)));
  return sha256Hex(canonicalJson({ ...open, version, commitments }));
}

export function chain(
  entries: AuditEntry[],
  from: { sequence: number; head: string },
  newSalt: NewSalt,
): AuditEvent[] {
  let { sequence, head: previousHash } = from;
  return entries.map((entry) => {
    sequence += 1;
    const content = {
      version: TRAIL_VERSION,
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
    const unhashed = { ...content, ...commit(content, newSalt) };
    const event = { ...unhashed, hash: hashOf(unhashed) };
    previousHash = event.hash;
    return event;
  });
}

/** A personal value of an event, by its path in the event. */
export interface PersonalValue {
  sequence: number;
  path: string;
}

interface Verdict {
  intact: boolean;
  head: string;
  /** The sequence number of the first event that does not verify. */
  brokenAt: number | null;
  /** Values that do not match their commitments. */
  altered: PersonalValue[];
  /** Values that were erased together with their salts. Their events verify. */
  erased: PersonalValue[];
}

function personalValuesOf(events: readonly AuditEvent[], which: 'altered' | 'erased'): PersonalValue[] {
  return events.flatMap((event) =>
    checkCommitments(event, event)[which].map((path) => ({ sequence: event.sequence, path })),
  );
}

/** An event of version 1 has its values in the hash, which cannot be computed again once they are erased. */
const isErased = ({ version, signerId, sequence }: AuditEvent, events: readonly AuditEvent[]): boolean =>
  version === 1 &&
  signerId !== null &&
  events.some(
    (event) => event.type === 'person_erased' && event.signerId === signerId && event.sequence > sequence,
  );

/** Recomputes a trail and compares its end with the head stored in the request. */
export function verify(
  requestId: string,
  events: readonly AuditEvent[],
  kept: { sequence: number; head: string },
): Verdict {
  const altered = personalValuesOf(events, 'altered');
  const erased = personalValuesOf(events, 'erased');
  let previousHash = emptyHead(requestId);
  for (const [index, event] of events.entries()) {
    const { hash, ...unhashed } = event;
    const inOrder = event.sequence === index + 1 && event.previousHash === previousHash;
    const isAltered = altered.some(({ sequence }) => sequence === event.sequence);
    if (!inOrder || isAltered || (hashOf(unhashed) !== hash && !isErased(event, events)))
      return { intact: false, head: previousHash, brokenAt: index + 1, altered, erased };
    previousHash = hash;
  }
  const complete = events.length === kept.sequence && previousHash === kept.head;
  const brokenAt = complete ? null : events.length + 1;
  return { intact: complete, head: previousHash, brokenAt, altered, erased };
}
