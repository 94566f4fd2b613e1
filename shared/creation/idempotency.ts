import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { ApiError } from '../contract/api-error.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { string } from '../runtime/schemas.ts';
import { after, DAY, epochSeconds, SECOND } from '../runtime/time.ts';
import { parseItem } from '../store/items.ts';
import { idempotencyKey, type OwnerMode } from '../store/keys.ts';
import { ConditionFailed, holds, type Table, tryWrite } from '../store/table.ts';

/**
 * Maps an `Idempotency-Key` to its request. Replays rebuild the answer from the request, so that no second copy of the
 * access tokens is stored.
 */
export interface ScopedKey extends OwnerMode {
  value: string;
}

const storedClaim = z.object({ requestId: string, bodyHash: string, leaseUntil: string });

interface Claim {
  requestId: string;
  /** False if an earlier call claimed the key. */
  mine: boolean;
  leaseUntil: string;
}

const LEASE = 60 * SECOND;

/** For a day from the call that creates the request: its answer is then replayed so long. */
function keptFrom(now: Date) {
  const expiresAt = after(now, DAY);
  return { expiresAt, ttl: epochSeconds(expiresAt) };
}

export const bodyHash = (rawBody: string) => sha256Hex(rawBody);

export const inProgress = (until: string) =>
  new ApiError('idempotency_in_progress', undefined, { retryAt: until });

/** Claims the key for a new request, or returns the earlier claim. Takes one write and no read. */
export async function claimKey(
  table: Table,
  key: ScopedKey,
  hash: string,
  newRequestId: string,
  now: Date,
): Promise<Claim> {
  const at = now.toISOString();
  const leaseUntil = after(now, LEASE);
  const place = idempotencyKey(key.ownerId, key.mode, key.value);
  try {
    await table.put(
      {
        ...place,
        requestId: newRequestId,
        bodyHash: hash,
        leaseUntil,
        ...keptFrom(now),
      },
      { expression: 'attribute_not_exists(#pk) OR #expiresAt <= :now', values: { now: at } },
    );
    return { requestId: newRequestId, mine: true, leaseUntil };
  } catch (error) {
    if (!(error instanceof ConditionFailed) || !error.current) throw error;
    const earlier = parseItem(storedClaim, error.current);
    if (earlier.bodyHash !== hash) throw keyConflict();
    // If the answer to the write is lost, the SDK repeats it, and the repetition meets this very claim.
    const mine = earlier.requestId === newRequestId;
    return { requestId: earlier.requestId, mine, leaseUntil: earlier.leaseUntil };
  }
}

export const keyConflict = (message?: string): ApiError =>
  new ApiError('idempotency_key_conflict', message, { field: '/idempotency-key' });

/** Takes over a claim whose call died before it created the request. */
export async function takeOver(table: Table, key: ScopedKey, claim: Claim, now: Date): Promise<void> {
  if (now.toISOString() < claim.leaseUntil) throw inProgress(claim.leaseUntil);
  const leaseUntil = after(now, LEASE);
  const takenOverBy = randomUUID();
  try {
    await table.update(
      idempotencyKey(key.ownerId, key.mode, key.value),
      { leaseUntil, takenOverBy, ...keptFrom(now) },
      holds({ leaseUntil: claim.leaseUntil }),
    );
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // If the answer to the write is lost, the SDK repeats it, and the repetition meets this very lease.
    if (error.current?.takenOverBy !== takenOverBy) throw inProgress(leaseUntil);
  }
}

/** Frees the key after an error, since errors are not replayed. */
export async function releaseKey(table: Table, key: ScopedKey, requestId: string): Promise<void> {
  await tryWrite(table.delete(idempotencyKey(key.ownerId, key.mode, key.value), holds({ requestId })));
}
