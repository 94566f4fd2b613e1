import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { ApiError } from '../contract/api-error.ts';
import { TEST_EVENT_TYPE, type testEventData } from '../contract/events.ts';
import type { WebhookEndpoint } from '../store/webhook-endpoints.ts';
import type { DeliveryMessage } from './messages.ts';

/** An event for trying out a receiver. A paused endpoint gets none either. */
export function testEvent({ id, ownerId, mode, disabledAt }: WebhookEndpoint, now: Date): DeliveryMessage {
  if (disabledAt !== null) throw new ApiError('endpoint_paused');
  const eventId = `evt_${randomUUID()}`;
  const body = JSON.stringify({
    id: eventId,
    type: TEST_EVENT_TYPE,
    created_at: now.toISOString(),
    data: { webhook_endpoint_id: id } satisfies z.input<typeof testEventData>,
  });
  return { eventId, eventType: TEST_EVENT_TYPE, requestId: null, ownerId, mode, endpointId: id, body };
}
