import { randomBytes, randomUUID } from 'node:crypto';
import type { EventType } from '../contract/events.ts';
import { ApiError } from '../http/api-error.ts';
import type { Delivery } from '../store/deliveries.ts';
import { untilNotOvertaken } from '../store/overtaken.ts';
import type { Table } from '../store/table.ts';
import {
  addEndpoint,
  changeEndpoint,
  type EndpointOwner,
  findEndpoint,
  type WebhookEndpoint,
} from '../store/webhook-endpoints.ts';
import { checkAddress, type Reach } from './address-rules.ts';
import { makeSecret } from './signature.ts';

/** What a client may do with its webhook endpoints. */

export const endpointView = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: endpoint.eventTypes,
  description: endpoint.description,
  disabled_at: endpoint.disabledAt,
  created_at: endpoint.createdAt,
  updated_at: endpoint.updatedAt,
});

export const deliveryView = (delivery: Delivery) => ({
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  signature_request_id: delivery.requestId,
  attempted_at: delivery.attemptedAt,
  outcome: delivery.outcome,
  http_status: delivery.httpStatus,
  duration_ms: delivery.durationMs,
  error: delivery.error,
});

function assertAllowed(url: string, reach: Reach): void {
  const checked = checkAddress(url, reach);
  if ('problem' in checked) throw new ApiError('invalid_url', `url ${checked.problem}.`);
}

const withoutRepeats = (eventTypes: EventType[]) => [...new Set(eventTypes)];

/** An endpoint by its id, which names nothing for another owner. */
export async function requireEndpoint(
  table: Table,
  owner: EndpointOwner,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(table, owner, id);
  if (!endpoint) throw new ApiError('not_found');
  return endpoint;
}

interface Wanted {
  url: string;
  event_types?: EventType[] | undefined;
  description?: string | null | undefined;
}

interface Creation {
  table: Table;
  owner: EndpointOwner;
  reach: Reach;
  now: Date;
  /** Encrypts the secret for this endpoint. */
  seal: (secret: string, endpointId: string) => Promise<string>;
}

/** Registers an endpoint; this is the only time its secret is seen. */
export async function createEndpoint(
  wanted: Wanted,
  { table, owner, reach, now, seal }: Creation,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  assertAllowed(wanted.url, reach);
  const id = `we_${randomUUID()}`;
  const secret = makeSecret(randomBytes(32));
  const endpoint: WebhookEndpoint = {
    id,
    ownerId: owner.ownerId,
    mode: owner.mode,
    url: wanted.url,
    eventTypes: withoutRepeats(wanted.event_types ?? []),
    description: wanted.description ?? null,
    disabledAt: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    secretCiphertext: await seal(secret, id),
  };
  await addEndpoint(table, endpoint);
  return { endpoint, secret };
}

interface Patch extends Omit<Wanted, 'url'> {
  url?: string | undefined;
  disabled?: boolean | undefined;
}

/** The fields that a patch changes; those that it does not name are not touched. */
function changesOf(patch: Patch, endpoint: WebhookEndpoint, now: Date): Partial<WebhookEndpoint> {
  const time = now.toISOString();
  return {
    ...(patch.url !== undefined && { url: patch.url }),
    ...(patch.event_types && { eventTypes: withoutRepeats(patch.event_types) }),
    ...(patch.description !== undefined && { description: patch.description }),
    // Pausing what is paused keeps the time since when it is.
    ...(patch.disabled !== undefined && {
      disabledAt: patch.disabled ? (endpoint.disabledAt ?? time) : null,
    }),
  };
}

export async function updateEndpoint(
  id: string,
  patch: Patch,
  { table, owner, reach, now }: Omit<Creation, 'seal'>,
): Promise<WebhookEndpoint> {
  if (patch.url !== undefined) assertAllowed(patch.url, reach);
  return untilNotOvertaken(async () => {
    const endpoint = await requireEndpoint(table, owner, id);
    const changes = changesOf(patch, endpoint, now);
    if (Object.keys(changes).length === 0) return endpoint;
    const changed = { ...changes, updatedAt: now.toISOString() };
    await changeEndpoint(table, endpoint, changed);
    return { ...endpoint, ...changed };
  });
}
