import type * as z from 'zod';
import type { AuditEvent } from '../audit/chain.ts';
import type { auditEvent, auditTrail } from '../contract/resources.ts';

const eventView = (event: AuditEvent): z.input<typeof auditEvent> => ({
  sequence: event.sequence,
  type: event.type,
  at: event.at,
  actor: event.actor as z.input<typeof auditEvent>['actor'],
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
