import { after, HOUR, MINUTE } from '../runtime/time.ts';
import { due, objectClaimKey } from './keys.ts';
import { type Table, tryWrite, type Write } from './table.ts';

/**
 * An object is claimed before it is stored, and the transaction that refers to it ends the claim. A claim that stays
 * belongs to a call that died or was refused; the sweep then removes the object.
 *
 * While the sweep does so, nothing can refer to the object: claiming it again and using it both fail.
 */

/** Far longer than any call takes. */
const CLAIM_PERIOD = HOUR;
/** Longer than a run of the sweep. Then another run may remove the object. */
const REMOVAL_PERIOD = MINUTE;

const NOT_BEING_REMOVED = 'attribute_not_exists(#removalUntil)';

/** Throws `ConditionFailed` while the object of an earlier claim is being removed. */
export const claimObject = (table: Table, key: string, now: Date): Promise<void> =>
  table.put(
    { ...objectClaimKey(key), id: key, ...due('ORPHAN', after(now, CLAIM_PERIOD), key) },
    { expression: NOT_BEING_REMOVED },
  );

/** Goes into the transaction that refers to the object. */
export const useClaimWrite = (key: string): Write => ({
  delete: objectClaimKey(key),
  condition: { expression: `attribute_exists(#pk) AND ${NOT_BEING_REMOVED}` },
});

/** Lets the caller remove the object; false if the claim ended, was renewed since `dueSk`, or another run removes it. */
export const beginRemoval = (table: Table, key: string, dueSk: string, now: Date): Promise<boolean> =>
  tryWrite(
    table.update(
      objectClaimKey(key),
      { removalUntil: after(now, REMOVAL_PERIOD) },
      {
        expression: `#due_sk = :dueSk AND ${NOT_BEING_REMOVED} OR #removalUntil <= :now`,
        values: { dueSk, now: now.toISOString() },
      },
    ),
  );

export const endRemoval = (table: Table, key: string): Promise<void> => table.delete(objectClaimKey(key));
