import type { SQSClient } from '@aws-sdk/client-sqs';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import { outboxKey } from '../store/keys.ts';
import { type OutboxEvent, readOutbox } from '../store/outbox.ts';
import type { Table } from '../store/table.ts';
import { listEndpoints, type WebhookEndpoint } from '../store/webhook-endpoints.ts';
import { sendDeliveries } from './messages.ts';
import { findOrganizationWebhook, organizationWebhookId } from './organization-webhook.ts';

const isSubscribed = ({ disabledAt, eventTypes }: WebhookEndpoint, event: OutboxEvent) =>
  disabledAt === null && (eventTypes.length === 0 || eventTypes.includes(event.eventType));

/** Returns the endpoints for an event. A paused endpoint still counts: it does not reactivate the organization's old URL. */
async function targetsOf(table: Table, event: OutboxEvent): Promise<string[]> {
  const endpoints = await listEndpoints(table, event);
  if (endpoints.length > 0) return endpoints.filter((each) => isSubscribed(each, event)).map(({ id }) => id);
  if (event.mode === 'test') return [];
  const legacy = await findOrganizationWebhook(table, event.ownerId);
  return legacy ? [organizationWebhookId(event.ownerId)] : [];
}

interface Parts {
  table: Table;
  sqs: SQSClient;
  queueUrl: string;
}

/**
 * Queues an event once for each subscribed endpoint. Running twice is safe: of two messages for one endpoint,
 * the second finds the delivery claimed.
 */
export async function publishEvent(outboxId: string, { table, sqs, queueUrl }: Parts): Promise<void> {
  const event = await readOutbox(table, outboxId);
  if (!event) return;
  if (event.kind !== 'event') throw new Error(`The outbox item ${outboxId} is not an event.`);
  const { eventId, eventType, requestId, ownerId, mode, body } = event;
  const targets = await targetsOf(table, event);
  await sendDeliveries(
    sqs,
    queueUrl,
    targets.map((endpointId) => ({ eventId, eventType, requestId, ownerId, mode, endpointId, body })),
  );
  await table.delete(outboxKey(outboxId));
  measure({ Events: 1 }, { Type: eventType, Mode: mode });
  log.info('Event published', { event_id: eventId, event_type: eventType, endpoints: targets.length });
}
