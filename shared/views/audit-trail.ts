import type * as z from 'zod';
import type { auditEvent, auditTrail } from '../contract/resources.ts';
import type { AuditEvent } from '../requests/chain.ts';

export const eventView = (event: AuditEvent): z.input<typeof auditEvent> => ({
  sequence: event.sequence,
  type: event.type,
  at: event.at,
  actor: event.actor,
  signer_id: event.signerId,
  ip_address: event.ipAddress,
  user_agent: event.userAgent,
  details: event.details,
  previous_hash: event.previousHash,
  hash: event.hash,
});

export const auditTrailView = (events: AuditEvent[]): z.input<typeof auditTrail> => ({
  events: events.map(eventView),
});

interface NewestEvents {
  events: AuditEvent[];
  hasEarlierEvents: boolean;
}

/** Keeps the newest events about each signer, `most` in all. A signer with many does not displace those of the others. */
export function signersTrail<T extends NewestEvents>(request: T, most: number): T {
  const aboutSigners = request.events.filter(({ signerId }) => signerId !== null);
  const trails = [...Map.groupBy(aboutSigners, ({ signerId }) => signerId).values()];
  const kept = (each: number) => trails.reduce((sum, { length }) => sum + Math.min(length, each), 0);
  let each = most;
  while (kept(each) > most) each -= 1;
  return {
    ...request,
    events: trails.flatMap((trail) => trail.slice(-each)),
    hasEarlierEvents: request.hasEarlierEvents || trails.some(({ length }) => length > each),
  };
}

/** A header of answers whose trail lacks earlier events. */
export const truncation = ({ hasEarlierEvents }: NewestEvents): Record<string, string> =>
  hasEarlierEvents ? { 'Audit-Trail-Truncated': 'true' } : {};
