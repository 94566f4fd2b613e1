import { randomBytes, randomUUID } from 'node:crypto';
import { ApiError, notFound } from '../contract/api-error.ts';
import type { EventType } from '../contract/events.ts';
import { asUri } from '../runtime/uri.ts';
import type { DeliveryBodies, ListedDelivery } from '../store/deliveries.ts';
import type { OwnerMode } from '../store/keys.ts';
import { retryOnConflict } from '../store/retry-on-conflict.ts';
import type { Table } from '../store/table.ts';
import {
  addEndpoint,
  changeEndpoint,
  findEndpoint,
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

function allowedUri(url: string, policy: AddressPolicy): string {
  const checked = checkAddress(url, policy);
  if ('problem' in checked) throw new ApiError('invalid_url', `url ${checked.problem}.`, { field: '/url' });
  return asUri(url);
}

const unique = (eventTypes: EventType[]) => [...new Set(eventTypes)];

/** Finds an endpoint by id; another owner's is `not_found`. */
export async function requireEndpoint(table: Table, owner: OwnerMode, id: string): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(table, owner, id);
  if (!endpoint) throw notFound('id');
  return endpoint;
}

interface EndpointInput {
  url: string;
  event_types?: EventType[] | undefined;
  description?: string | null | undefined;
}

interface Creation {
  table: Table;
  owner: OwnerMode;
  policy: AddressPolicy;
  now: Date;
  /** Encrypts the secret for this endpoint. */
  encrypt: (secret: string, endpointId: string) => Promise<string>;
}

/** Registers an endpoint. Its secret is returned only here. */
export async function createEndpoint(
  input: EndpointInput,
  { table, owner, policy, now, encrypt }: Creation,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const url = allowedUri(input.url, policy);
  const id = `we_${randomUUID()}`;
  const secret = makeSecret(randomBytes(32));
  const endpoint: WebhookEndpoint = {
    id,
    ownerId: owner.ownerId,
    mode: owner.mode,
    url,
    eventTypes: unique(input.event_types ?? []),
    description: input.description ?? null,
    disabledAt: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    secretCiphertext: await encrypt(secret, id),
  };
  await addEndpoint(table, endpoint);
  return { endpoint, secret };
}

interface Patch extends Omit<EndpointInput, 'url'> {
  url?: string | undefined;
  disabled?: boolean | undefined;
}

/** Returns only the fields that the patch contains. */
function changesOf(patch: Patch, endpoint: WebhookEndpoint, now: Date): Partial<WebhookEndpoint> {
  const time = now.toISOString();
  return {
    // Another receiver has not timed out yet.
    ...(patch.url !== undefined && { url: patch.url, timeouts: 0 }),
    ...(patch.event_types && { eventTypes: unique(patch.event_types) }),
    ...(patch.description !== undefined && { description: patch.description }),
    // Pausing a paused endpoint keeps the original time.
    ...(patch.disabled !== undefined && {
      disabledAt: patch.disabled ? (endpoint.disabledAt ?? time) : null,
    }),
  };
}

export async function updateEndpoint(
  id: string,
  patch: Patch,
  { table, owner, policy, now }: Omit<Creation, 'encrypt'>,
): Promise<WebhookEndpoint> {
  const asked = patch.url === undefined ? patch : { ...patch, url: allowedUri(patch.url, policy) };
  return retryOnConflict(async () => {
    const endpoint = await requireEndpoint(table, owner, id);
    const changes = changesOf(asked, endpoint, now);
    if (Object.keys(changes).length === 0) return endpoint;
    const changed = { ...changes, updatedAt: now.toISOString() };
    await changeEndpoint(table, endpoint, changed);
    return { ...endpoint, ...changed };
  });
}
