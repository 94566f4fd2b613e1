import { log } from '../runtime/log.ts';
import type { Now } from '../runtime/time.ts';
import { claimDelivery, isLost } from '../store/deliveries.ts';
import type { Table } from '../store/table.ts';
import { findEndpoint } from '../store/webhook-endpoints.ts';
import { recordLost, recordOutcome } from './attempts.ts';
import type { DeliveryMessage } from './messages.ts';
import { findOrganizationWebhook, isOrganizationWebhook } from './organization-webhook.ts';
import type { Post } from './post.ts';
import { endpointContext, type OpenSecret, organizationContext } from './secrets.ts';
import { signatureHeaders } from './signature.ts';

const USER_AGENT = 'Signature-Requests-Webhooks/1.0';

interface Parts {
  table: Table;
  openSecret: OpenSecret;
  post: Post;
  now: Now;
}

/** Where a message goes as things are now; undefined where the endpoint was deleted or paused since. */
async function targetOf(message: DeliveryMessage, { table, openSecret }: Parts) {
  const { endpointId, ownerId } = message;
  if (isOrganizationWebhook(endpointId)) {
    const legacy = await findOrganizationWebhook(table, ownerId);
    return (
      legacy && {
        url: legacy.url,
        secret: await openSecret(legacy.secretCiphertext, organizationContext(ownerId)),
      }
    );
  }
  const endpoint = await findEndpoint(table, message, endpointId);
  if (!endpoint || endpoint.disabledAt !== null) return undefined;
  const secret = await openSecret(endpoint.secretCiphertext, endpointContext(endpointId, ownerId));
  return { url: endpoint.url, secret };
}

/**
 * Delivers an event to an endpoint, at most once whatever happens:
 *
 *     read the endpoint ─ claim ─ POST ─ record the outcome
 *                       │       └──────┴─ interrupted: stays claimed, is logged as unknown, never sent again
 *                       └─ interrupted before: the queue hands the message out again, and it is sent then
 */
export async function deliver(message: DeliveryMessage, parts: Parts): Promise<void> {
  const { table, post, now } = parts;
  const { eventId, eventType, endpointId, requestId, ownerId, mode, body } = message;
  const target = await targetOf(message, parts);
  if (!target) {
    log.info('Not sent: the endpoint is gone or paused', { event_id: eventId, endpoint_id: endpointId });
    return;
  }
  const time = now();
  const claim = { eventId, eventType, endpointId, requestId, ownerId, mode, attemptedAt: time.toISOString() };
  const earlier = await claimDelivery(table, claim);
  if (earlier) {
    if (isLost(earlier, time)) await recordLost(table, earlier, now);
    return;
  }
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    ...signatureHeaders(target.secret, eventId, body, time),
  };
  const { status, error, durationMs } = await post(target.url, headers, body);
  const outcome = error === null ? 'delivered' : 'failed';
  await recordOutcome(table, claim, { outcome, httpStatus: status, durationMs, error }, now);
}
