import type { EventType } from '../contract/events.ts';
import { LIMITS } from '../contract/fields.ts';
import { Refusal } from '../requests/lifecycle.ts';
import { endpointCountKey, endpointKey, hooksPartition, type Mode } from './keys.ts';
import { untilNotOvertaken } from './overtaken.ts';
import { ConditionFailed, exists, type Item, isNew, type Table } from './table.ts';

export interface WebhookEndpoint {
  id: string;
  ownerId: string;
  mode: Mode;
  url: string;
  /** None means all. */
  eventTypes: EventType[];
  description: string | null;
  disabledAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Base64 of what KMS made of the secret; only the delivery function can open it. */
  secretCiphertext: string;
}

export interface EndpointOwner {
  ownerId: string;
  mode: Mode;
}

const asEndpoint = (item: Item) => item as Item & WebhookEndpoint;

/** All endpoints of an owner, oldest first. */
export async function listEndpoints(
  table: Table,
  { ownerId, mode }: EndpointOwner,
): Promise<WebhookEndpoint[]> {
  const items = await table.queryAll({
    pk: hooksPartition(ownerId, mode),
    sk: { prefix: 'ENDPOINT#' },
    consistent: true,
  });
  return items.map(asEndpoint).sort((a, b) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? -1 : 1));
}

export async function findEndpoint(
  table: Table,
  { ownerId, mode }: EndpointOwner,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const item = await table.get(endpointKey(ownerId, mode, id), { consistent: true });
  return item && asEndpoint(item);
}

/**
 * Adds an endpoint where the owner has room for one. Two at once would both see the last free place: every creation
 * counts the owner's creations on under the condition that none came between.
 */
export async function addEndpoint(table: Table, endpoint: WebhookEndpoint): Promise<void> {
  const { ownerId, mode, id } = endpoint;
  const countKey = endpointCountKey(ownerId, mode);
  await untilNotOvertaken(async () => {
    const items = await table.queryAll({ pk: countKey.pk, consistent: true });
    const count = items.find(({ sk }) => sk === countKey.sk);
    if (items.length - (count ? 1 : 0) >= LIMITS.webhookEndpoints) throw new Refusal('too_many_endpoints');
    const created = Number(count?.created ?? 0);
    await table.transact([
      {
        put: { ...countKey, created: created + 1 },
        condition: count ? { expression: '#created = :created', values: { created } } : isNew,
      },
      { put: { ...endpointKey(ownerId, mode, id), ...endpoint }, condition: isNew },
    ]);
  });
}

/** Writes the given fields if the endpoint still is as it was read; `ConditionFailed` where it is not, or is gone. */
export async function changeEndpoint(
  table: Table,
  { ownerId, mode, id, updatedAt }: WebhookEndpoint,
  changes: Partial<WebhookEndpoint>,
): Promise<void> {
  await table.update(
    endpointKey(ownerId, mode, id),
    { ...changes },
    {
      expression: '#updatedAt = :seen',
      values: { seen: updatedAt },
    },
  );
}

/** Removes an endpoint and its secret; false where there is none. */
export async function removeEndpoint(
  table: Table,
  { ownerId, mode }: EndpointOwner,
  id: string,
): Promise<boolean> {
  try {
    await table.delete(endpointKey(ownerId, mode, id), exists);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
