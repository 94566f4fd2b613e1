import * as z from 'zod';
import { ApiError } from '../contract/api-error.ts';
import type { EventType } from '../contract/events.ts';
import { MODES } from '../contract/fields.ts';
import { LIMITS } from '../contract/limits.ts';
import { openEnum, string, stringOrNull } from '../runtime/schemas.ts';
import { timeouts } from './hanging.ts';
import { endpointCountKey, endpointKey, hooksPartition, type OwnerMode } from './keys.ts';
import { retryOnConflict, transactIfUnchanged } from './retry-on-conflict.ts';
import { holds, isNew, type Table, type Write } from './table.ts';

const webhookEndpoint = z.object({
  id: string,
  ownerId: string,
  mode: z.enum(MODES),
  url: string,
  /** Empty means all. */
  eventTypes: z.array(openEnum<EventType>()),
  description: stringOrNull,
  disabledAt: stringOrNull,
  createdAt: string,
  updatedAt: string,
  /** Encrypted by KMS, in base64. Only the delivery function may decrypt it. */
  secretCiphertext: string,
  timeouts,
});

export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** All endpoints of an owner, oldest first. */
export async function listEndpoints(table: Table, { ownerId, mode }: OwnerMode): Promise<WebhookEndpoint[]> {
  const endpoints = await table.findAll(webhookEndpoint, {
    pk: hooksPartition(ownerId, mode),
    sk: { prefix: 'ENDPOINT#' },
  });
  return endpoints.sort((a, b) => (`${a.createdAt}${a.id}` < `${b.createdAt}${b.id}` ? -1 : 1));
}

export const findEndpoint = (
  table: Table,
  { ownerId, mode }: OwnerMode,
  id: string,
): Promise<WebhookEndpoint | undefined> => table.find(webhookEndpoint, endpointKey(ownerId, mode, id));

/**
 * Adds an endpoint unless the owner has reached the limit. Each creation increments an unchanged counter, so that two concurrent
 * calls cannot both take the last place. The read may see another creation's counter without its endpoint, so the write checks
 * that a missing newest endpoint was removed. `extraWrites` join the transaction, here and below.
 */
export async function addEndpoint(
  table: Table,
  endpoint: WebhookEndpoint,
  extraWrites: readonly Write[] = [],
): Promise<void> {
  const { ownerId, mode, id } = endpoint;
  const countKey = endpointCountKey(ownerId, mode);
  await retryOnConflict(async () => {
    const items = await table.queryAll({ pk: countKey.pk, consistent: true });
    const count = items.find(({ sk }) => sk === countKey.sk);
    if (items.length - (count ? 1 : 0) >= LIMITS.webhookEndpoints) throw new ApiError('too_many_endpoints');
    const created = Number(count?.created ?? 0);
    const unchanged: Write[] = [
      {
        put: { ...countKey, created: created + 1, newest: id },
        condition: count ? holds({ created }) : isNew,
      },
    ];
    // Counters of earlier versions do not name it.
    const newest = count?.newest ? endpointKey(ownerId, mode, String(count.newest)) : undefined;
    if (newest && !items.some(({ sk }) => sk === newest.sk))
      unchanged.push({ check: newest, condition: isNew });
    await transactIfUnchanged(table, unchanged, [
      { put: { ...endpointKey(ownerId, mode, id), ...endpoint }, condition: isNew },
      ...extraWrites,
    ]);
  });
}

/** Writes the given fields; throws `ConditionFailed` if the endpoint was changed or removed since it was read. */
export async function changeEndpoint(
  table: Table,
  { ownerId, mode, id, updatedAt }: WebhookEndpoint,
  changes: Partial<WebhookEndpoint>,
  extraWrites: readonly Write[] = [],
): Promise<void> {
  const update = {
    update: endpointKey(ownerId, mode, id),
    set: { ...changes },
    condition: holds({ updatedAt }),
  };
  await table.transact([update, ...extraWrites]);
}

/** Removes an endpoint with its secret; throws `ConditionFailed` if it was changed or removed since it was read. */
export const removeEndpoint = (
  table: Table,
  { ownerId, mode, id, updatedAt }: WebhookEndpoint,
  extraWrites: readonly Write[] = [],
): Promise<void> =>
  table.transact([
    { delete: endpointKey(ownerId, mode, id), condition: holds({ updatedAt }) },
    ...extraWrites,
  ]);
