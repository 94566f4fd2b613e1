import { ApiError, retryAfter } from '../http/api-error.ts';
import { after, DAY, SECOND, secondsUntil } from '../runtime/time.ts';
import { idempotencyKey, type Mode, sha256Hex } from '../store/keys.ts';
import { ConditionFailed, type Table } from '../store/table.ts';

/**
 * Which request an `Idempotency-Key` stands for. The answer itself is not kept: it is made again from the request,
 * which holds all of it, so that no second copy of the access tokens exists.
 */
export interface ScopedKey {
  ownerId: string;
  mode: Mode;
  value: string;
}

interface Claim {
  requestId: string;
  /** False where an earlier call claimed the key. */
  mine: boolean;
  leaseUntil: string;
}

const LEASE = 60 * SECOND;
const KEPT = DAY;

export const bodyHash = (rawBody: string) => sha256Hex(rawBody);

export const inProgress = (until: string, now: Date) =>
  new ApiError('idempotency_in_progress', undefined, { headers: retryAfter(secondsUntil(until, now)) });

/** Claims the key for a new request, or says whose it is. One write, no read. */
export async function claimKey(
  table: Table,
  key: ScopedKey,
  hash: string,
  newRequestId: string,
  now: Date,
): Promise<Claim> {
  const at = now.toISOString();
  const leaseUntil = after(now, LEASE);
  const expiresAt = after(now, KEPT);
  const place = idempotencyKey(key.ownerId, key.mode, key.value);
  try {
    await table.put(
      {
        ...place,
        requestId: newRequestId,
        bodyHash: hash,
        leaseUntil,
        expiresAt,
        ttl: Math.ceil(Date.parse(expiresAt) / SECOND),
      },
      { expression: 'attribute_not_exists(#pk) OR #expiresAt <= :now', values: { now: at } },
    );
    return { requestId: newRequestId, mine: true, leaseUntil };
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !error.current) throw error;
    const { bodyHash: earlier, requestId, leaseUntil: until } = error.current;
    if (earlier !== hash) throw new ApiError('idempotency_key_conflict');
    return { requestId: String(requestId), mine: false, leaseUntil: String(until) };
  }
}

/** Goes on with a claim whose maker seems to have died before the request existed. */
export async function takeOver(table: Table, key: ScopedKey, claim: Claim, now: Date): Promise<void> {
  if (now.toISOString() < claim.leaseUntil) throw inProgress(claim.leaseUntil, now);
  const leaseUntil = after(now, LEASE);
  try {
    await table.update(
      idempotencyKey(key.ownerId, key.mode, key.value),
      { leaseUntil },
      { expression: '#leaseUntil = :seen', values: { seen: claim.leaseUntil } },
    );
  } catch (error) {
    if (error instanceof ConditionFailed) throw inProgress(leaseUntil, now);
    throw error;
  }
}

/** An error is not replayed: the key is free again for a corrected try. */
export async function releaseKey(table: Table, key: ScopedKey, requestId: string): Promise<void> {
  try {
    await table.delete(idempotencyKey(key.ownerId, key.mode, key.value), {
      expression: '#requestId = :requestId',
      values: { requestId },
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
