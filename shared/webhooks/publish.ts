import type { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { MODES } from '../contract/fields.ts';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import { string } from '../runtime/schemas.ts';
import { type Item, parseItem } from '../store/items.ts';
import { endpointCountKey, type Key, type OwnerMode, outboxKey, ownerKey } from '../store/keys.ts';
import { type OutboxEvent, outboxItem } from '../store/outbox.ts';
import { ownerSchema } from '../store/owners.ts';
import type { Table } from '../store/table.ts';
import { listEndpoints, type WebhookEndpoint } from '../store/webhook-endpoints.ts';
import { Batcher } from './batcher.ts';
import { sendDeliveries } from './messages.ts';
import { organizationWebhookId, organizationWebhookOf } from './organization-webhook.ts';

const eventMessage = z.object({ outbox_id: string, owner_id: string, mode: z.enum(MODES) });

interface Parts {
  table: Table;
  sqs: SQSClient;
  queueUrl: string;
}

const isSubscribed = ({ disabledAt, eventTypes }: WebhookEndpoint, event: OutboxEvent) =>
  disabledAt === null && (eventTypes.length === 0 || eventTypes.includes(event.eventType));

/** Returns the ids of the endpoints for an event. */
type Targets = (event: OutboxEvent) => string[];

function eventOf(item: Item): OutboxEvent {
  const event = parseItem(outboxItem, item);
  if (event.kind !== 'event') throw new Error(`The outbox item ${event.id} is not an event.`);
  return event;
}

/** The reasons why items cannot be read, by their keys: no event, or of a later version that was rolled back. */
type Faults = ReadonlyMap<string, unknown>;

interface Found {
  events: OutboxEvent[];
  unreadable: Faults;
  /** False if the owner has never registered an endpoint. */
  mayHaveEndpoints: boolean;
  organizationWebhook: string | undefined;
}

/** Reads events with what says whether anyone gets them, in one round trip. */
async function find(table: Table, owner: OwnerMode, outboxIds: string[]): Promise<Found> {
  const { ownerId, mode } = owner;
  const keys = [ownerKey(ownerId), endpointCountKey(ownerId, mode), ...outboxIds.map(outboxKey)];
  const items = await table.getAll(keys, { consistent: true });
  const of = ({ sk }: Key) => items.filter((item) => item.sk === sk);
  const [account] = of(ownerKey(ownerId));
  const events: OutboxEvent[] = [];
  const unreadable = new Map<string, unknown>();
  for (const item of of(outboxKey('')))
    try {
      events.push(eventOf(item));
    } catch (error) {
      unreadable.set(String(item.pk), error);
    }
  const legacy = account && mode === 'live' && organizationWebhookOf(parseItem(ownerSchema, account));
  return {
    events,
    unreadable,
    mayHaveEndpoints: of(endpointCountKey(ownerId, mode)).length > 0,
    organizationWebhook: legacy ? organizationWebhookId(ownerId) : undefined,
  };
}

/** A paused endpoint still counts: it does not reactivate the organization's old URL. */
async function targetsOf(table: Table, owner: OwnerMode, found: Found): Promise<Targets> {
  const endpoints = found.mayHaveEndpoints ? await listEndpoints(table, owner) : [];
  if (endpoints.length > 0)
    return (event) => endpoints.filter((each) => isSubscribed(each, event)).map(({ id }) => id);
  return () => (found.organizationWebhook ? [found.organizationWebhook] : []);
}

/** Queues events of one owner, each once for each subscribed endpoint. */
async function queueDeliveries(
  { table, sqs, queueUrl }: Parts,
  owner: OwnerMode,
  found: Found,
): Promise<void> {
  const { events } = found;
  if (events.length === 0) return;
  const targets = await targetsOf(table, owner, found);
  const deliveries = events.flatMap((event) =>
    targets(event).map((endpointId) => {
      const { eventId, eventType, requestId, ownerId, mode, body } = event;
      return { eventId, eventType, requestId, ownerId, mode, endpointId, body };
    }),
  );
  await sendDeliveries(sqs, queueUrl, deliveries);
  await Promise.all(events.map(({ id }) => table.delete(outboxKey(id))));
  for (const event of events) {
    const { eventId, eventType, mode } = event;
    measure({ Events: 1 }, { Type: eventType, Mode: mode });
    log.info('Event published', {
      event_id: eventId,
      event_type: eventType,
      endpoints: targets(event).length,
    });
  }
}

/**
 * Publishes events of one owner, and returns those that cannot be read. Running twice is safe: of two messages for one endpoint,
 * the second finds the delivery claimed.
 */
async function publishTogether(parts: Parts, owner: OwnerMode, outboxIds: string[]): Promise<Faults> {
  const found = await find(parts.table, owner, outboxIds);
  await queueDeliveries(parts, owner, found);
  return found.unreadable;
}

/** Publishes the events of a batch's messages, those of one owner together. A message fails for its own event alone. */
export function eventPublisher(parts: Parts): (message: unknown) => Promise<void> {
  const batcher = new Batcher<string, Faults>();
  return async (message) => {
    const { outbox_id: outboxId, owner_id: ownerId, mode } = eventMessage.parse(message);
    const unreadable = await batcher.add(`${ownerId} ${mode}`, outboxId, (outboxIds) =>
      publishTogether(parts, { ownerId, mode }, outboxIds),
    );
    const { pk } = outboxKey(outboxId);
    if (unreadable.has(pk)) throw unreadable.get(pk);
  };
}
