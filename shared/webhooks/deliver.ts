import { withoutErased } from '../requests/erasing.ts';
import { log } from '../runtime/log.ts';
import type { Now } from '../runtime/time.ts';
import { claimDelivery, isLost } from '../store/deliveries.ts';
import { countTimeout, endTimeouts, hangs } from '../store/hanging.ts';
import type { Item } from '../store/items.ts';
import { endpointKey, type Key, ownerKey } from '../store/keys.ts';
import { findOwner } from '../store/owners.ts';
import { countErasures, loadRequest } from '../store/requests.ts';
import type { Table } from '../store/table.ts';
import { findEndpoint } from '../store/webhook-endpoints.ts';
import type { AttemptRecorder } from './attempts.ts';
import type { DeliveryMessage } from './messages.ts';
import {
  isOrganizationWebhook,
  type OrganizationWebhook,
  organizationWebhookOf,
} from './organization-webhook.ts';
import type { Post, PostResult } from './post.ts';
import { type DecryptSecret, endpointContext, organizationContext } from './secrets.ts';
import { signatureHeaders } from './signature.ts';

const USER_AGENT = 'Signature-Requests-Webhooks/1.0';

interface Parts {
  table: Table;
  decryptSecret: DecryptSecret;
  post: Post;
  /** Sends a message to the queue of endpoints that hang. */
  sendSlow: (message: DeliveryMessage) => Promise<void>;
  record: AttemptRecorder;
  now: Now;
}

interface Target extends OrganizationWebhook {
  /** The item that holds the URL, and the URL as it holds it. */
  key: Key;
  called: Item;
  /** Of the secret's encryption. */
  context: Record<string, string>;
}

/** Returns the endpoint as it is now; undefined if it was deleted or paused after the event. */
async function targetOf(message: DeliveryMessage, table: Table): Promise<Target | undefined> {
  const { endpointId, ownerId, mode } = message;
  if (isOrganizationWebhook(endpointId)) {
    const legacy = organizationWebhookOf(await findOwner(table, ownerId));
    return (
      legacy && {
        ...legacy,
        key: ownerKey(ownerId),
        called: { webhookUrl: legacy.url },
        context: organizationContext(ownerId),
      }
    );
  }
  const endpoint = await findEndpoint(table, message, endpointId);
  if (!endpoint || endpoint.disabledAt !== null) return undefined;
  const key = endpointKey(ownerId, mode, endpointId);
  return { ...endpoint, key, called: { url: endpoint.url }, context: endpointContext(endpointId, ownerId) };
}

/** After three time-outs in a row an endpoint's deliveries use the slow queue, until one succeeds. */
async function noteSpeed(
  table: Table,
  { endpointId: endpoint_id }: DeliveryMessage,
  { key, called, timeouts }: Target,
  { error }: PostResult,
): Promise<void> {
  if (error === 'timed_out' && (await countTimeout(table, key, called)))
    log.warn('The endpoint hangs: its deliveries use the slow queue', { endpoint_id });
  if (error === null && timeouts !== undefined && (await endTimeouts(table, key)))
    log.info('The endpoint answers in time again', { endpoint_id });
}

/** The message may have waited for days, and a signer may have been erased meanwhile. */
async function bodyNow({ requestId, body }: DeliveryMessage, { table }: Parts) {
  const isErased = requestId !== null && (await countErasures(table, requestId)) > 0;
  const request = isErased ? await loadRequest(table, requestId) : undefined;
  return request
    ? { body: withoutErased(body, request), erasures: request.state.erasures }
    : { body, erasures: 0 };
}

/**
 * Delivers an event to an endpoint at most once, even after a crash:
 *
 *     read the endpoint ─ claim ─ POST ─ record the outcome
 *                       │       └──────┴─ interrupted: stays claimed, is recorded as unknown, never sent again
 *                       └─ interrupted before: the queue redelivers the message, and it is sent then
 *
 * One for an endpoint that hangs moves to the slow queue first. A copy of it that stayed behind finds the claim.
 */
export async function deliver(message: DeliveryMessage, parts: Parts): Promise<void> {
  const { table, post, record, now } = parts;
  const { eventId, eventType, endpointId, requestId, ownerId, mode, manualId } = message;
  const target = await targetOf(message, table);
  if (!target) {
    log.info('Endpoint deleted or paused: not sent', { event_id: eventId, endpoint_id: endpointId });
    return;
  }
  if (hangs(target) && !message.slow) return parts.sendSlow({ ...message, slow: true });
  const secret = await parts.decryptSecret(target.secretCiphertext, target.context);
  const { body, erasures } = await bodyNow(message, parts);
  const time = now();
  const subject = { eventId, eventType, endpointId, requestId, ownerId, mode, manualId };
  const claim = { ...subject, erasures, attemptedAt: time.toISOString() };
  const earlier = await claimDelivery(table, claim, body);
  if (earlier) {
    if (isLost(earlier, time)) await record.lost(earlier);
    return;
  }
  const headers = {
    // Firewalls with OWASP's rules count its absence (920300) against a call.
    Accept: '*/*',
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    ...signatureHeaders(secret, eventId, body, time),
  };
  const result = await post(target.url, headers, body);
  const { status, error, durationMs, answer } = result;
  const outcome = error === null ? 'delivered' : 'failed';
  await record.outcome(claim, { outcome, httpStatus: status, durationMs, error, answer });
  await noteSpeed(table, message, target, result);
}
