import { randomBytes, randomUUID } from 'node:crypto';
import * as z from 'zod';
import { notFound } from '../contract/api-error.ts';
import type { BodyOf } from '../contract/endpoint.ts';
import type { EventType } from '../contract/events.ts';
import { refuse } from '../contract/fields.ts';
import {
  type createWebhookEndpoint,
  type updateWebhookEndpoint,
  webhookUrl,
} from '../contract/webhook-endpoints.ts';
import { nowAfter } from '../runtime/time.ts';
import { asUri } from '../runtime/uri.ts';
import type { DeliveryBodies, ListedDelivery } from '../store/deliveries.ts';
import type { OwnerMode } from '../store/keys.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import { changedFields, type Table, type Write } from '../store/table.ts';
import {
  addEndpoint,
  changeEndpoint,
  findEndpoint,
  removeEndpoint,
  type WebhookEndpoint,
} from '../store/webhook-endpoints.ts';
import { type AddressPolicy, checkAddress } from './address-rules.ts';
import { makeSecret } from './signature.ts';

export const endpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: endpoint.eventTypes,
  description: endpoint.description,
  disabled_at: endpoint.disabledAt,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});

export const deliveryView = (delivery: ListedDelivery, bodies?: DeliveryBodies) => ({
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  signature_request_id: delivery.requestId,
  attempted_at: delivery.attemptedAt,
  outcome: delivery.outcome,
  http_status: delivery.httpStatus,
  duration_ms: delivery.durationMs,
  error: delivery.error,
  manual: delivery.manualId !== undefined,
  ...(bodies && { request_body: bodies.body, response_body: bodies.answer }),
});

/** The contract's address as a URI, refused if this policy does not let it be called. */
export const addressUnder = (policy: AddressPolicy) =>
  webhookUrl.pipe(
    z
      .string()
      .superRefine((url, { addIssue }) => {
        const checked = checkAddress(url, policy);
        if ('problem' in checked) addIssue(refuse('invalid_url', checked.problem));
      })
      .overwrite(asUri),
  );

const unique = (eventTypes: EventType[]) => [...new Set(eventTypes)];

/** Finds an endpoint by id; another owner's is `not_found`. */
export async function requireEndpoint(table: Table, owner: OwnerMode, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(table, owner, id);
  if (!endpoint) throw notFound('id');
  return endpoint;
}

interface Creation {
  table: Table;
  owner: OwnerMode;
  now: Date;
  encrypt: (secret: string, endpointId: string) => Promise<string>;
  /** Written together with the change. */
  events?: ((details: EventDetails) => Write[]) | undefined;
}

/** A secret may be in the rest of the address. */
const detailsOf = ({ id, mode, url }: Pick<WebhookEndpoint, 'id' | 'mode' | 'url'>) => ({
  webhook_endpoint_id: id,
  mode,
  host: new URL(url).host,
});
type EventDetails = ReturnType<typeof detailsOf>;

/** Registers an endpoint. Its secret is returned only here. */
export async function createEndpoint(
  /** Its URL is as `addressUnder` answers it. */
  input: BodyOf<typeof createWebhookEndpoint>,
  { table, owner, now, encrypt, events }: Creation,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const id = `we_${randomUUID()}`;
  const secret = makeSecret(randomBytes(32));
  const endpoint: WebhookEndpoint = {
    id,
    ownerId: owner.ownerId,
    mode: owner.mode,
    url: input.url,
    eventTypes: unique(input.event_types ?? []),
    description: input.description || null,
    disabledAt: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    secretCiphertext: await encrypt(secret, id),
  };
  await addEndpoint(table, endpoint, events?.(detailsOf(endpoint)));
  return { endpoint, secret };
}

type Patch = BodyOf<typeof updateWebhookEndpoint>;

/** Returns only fields that the patch contains. */
function changesOf(patch: Patch, endpoint: WebhookEndpoint, now: Date): Partial<WebhookEndpoint> {
  const time = now.toISOString();
  return {
    // Another receiver has not timed out yet.
    ...(patch.url !== undefined && patch.url !== endpoint.url && { url: patch.url, timeouts: 0 }),
    ...(patch.event_types && { eventTypes: unique(patch.event_types) }),
    ...(patch.description !== undefined && { description: patch.description || null }),
    // Pausing a paused endpoint keeps the original time.
    ...(patch.disabled !== undefined && {
      disabledAt: patch.disabled ? (endpoint.disabledAt ?? time) : null,
    }),
  };
}

export async function updateEndpoint(
  id: string,
  patch: Patch,
  { table, owner, now, events }: Omit<Creation, 'encrypt'>,
): Promise<WebhookEndpoint> {
  return retryOnConflict(async () => {
    const endpoint = await requireEndpoint(table, owner, id);
    const changes = changesOf(patch, endpoint, now);
    // Clients repeat a call whose answer was lost.
    if (Object.keys(changedFields(endpoint, { ...endpoint, ...changes })).length === 0) return endpoint;
    // Other changes are noticed by this time, so no two may have the same.
    const changed = { ...changes, updatedAt: nowAfter(endpoint.updatedAt, now) };
    const after = { ...endpoint, ...changed };
    await changeEndpoint(table, endpoint, changed, events?.(detailsOf(after)));
    return after;
  });
}

/** Removes an endpoint with its secret; false if there is none. */
export const deleteEndpoint = (
  id: string,
  { table, owner, events }: Omit<Creation, 'encrypt' | 'now'>,
): Promise<boolean> =>
  retryOnConflict(async () => {
    const endpoint = await findEndpoint(table, owner, id);
    if (endpoint) await removeEndpoint(table, endpoint, events?.(detailsOf(endpoint)));
    return endpoint !== undefined;
  });
