import { randomUUID } from 'node:crypto';
import { ApiError, notFound } from '../contract/api-error.ts';
import { findDelivery } from '../store/deliveries.ts';
import type { Table } from '../store/table.ts';
import type { WebhookEndpoint } from '../store/webhook-endpoints.ts';
import type { DeliveryMessage } from './messages.ts';

/** Another delivery of an event, with the same id and body. A paused endpoint gets none. */
export async function redelivery(
  table: Table,
  { id: endpointId, disabledAt }: WebhookEndpoint,
  eventId: string,
): Promise<DeliveryMessage> {
  const first = await findDelivery(table, eventId, endpointId);
  if (!first) throw notFound('event_id');
  if (disabledAt !== null) throw new ApiError('endpoint_paused');
  if (first.outcome === undefined)
    throw new ApiError('conflict', 'The event is being delivered; try again in a minute.');
  if (first.body === null) throw new ApiError('event_not_kept');
  const { eventType, requestId, ownerId, mode, body } = first;
  return { eventId, eventType, requestId, ownerId, mode, endpointId, body, manualId: randomUUID() };
}
