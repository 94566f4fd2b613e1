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

/** A header of answers whose trail lacks earlier events. */
export const truncation = ({ hasEarlierEvents }: { hasEarlierEvents: boolean }): Record<string, string> =>
  hasEarlierEvents ? { 'Audit-Trail-Truncated': 'true' } : {};
