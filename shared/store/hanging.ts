import { int } from '../runtime/schemas.ts';
import type { Item } from './items.ts';
import type { Key } from './keys.ts';
import { retryOnConflict } from './retry-on-conflict.ts';
import { holds, type Table, tryWrite } from './table.ts';

/** Attempts that timed out since the endpoint's last success; kept on the item that holds its URL. Left out: none. */
export const timeouts = int.optional();

const HANGS_AFTER = 3;

/** Deliveries to such an endpoint use the slow queue until one succeeds. */
export const hangs = (item: { timeouts?: number | undefined }): boolean =>
  (item.timeouts ?? 0) >= HANGS_AFTER;

/**
 * Counts a time-out, up to the threshold; true for the one that reaches it. `called` is the URL that was called, as the item
 * holds it: one that has replaced it meanwhile starts at zero.
 */
export const countTimeout = (table: Table, key: Key, called: Item): Promise<boolean> =>
  retryOnConflict(async () => {
    const item = await table.get(key, { consistent: true });
    if (!item || hangs(item) || Object.keys(called).some((name) => item[name] !== called[name])) return false;
    const { timeouts: seen } = item;
    const counted = { timeouts: Number(seen ?? 0) + 1 };
    const isCalled = holds(called);
    const unchanged =
      seen === undefined
        ? { ...isCalled, expression: `${isCalled.expression} AND attribute_not_exists(#timeouts)` }
        : holds({ ...called, timeouts: seen });
    // A transaction, which the SDK can repeat after a lost answer without counting twice.
    await table.transact([{ update: key, set: counted, condition: unchanged }]);
    return hangs(counted);
  });

/** Forgets the time-outs; false if there were none. */
export const endTimeouts = (table: Table, key: Key): Promise<boolean> =>
  tryWrite(table.update(key, { timeouts: undefined }, { expression: 'attribute_exists(#timeouts)' }));
