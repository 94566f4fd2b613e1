import * as z from 'zod';
import { string } from '../runtime/schemas.ts';
import { HOUR } from '../runtime/time.ts';
import { parseItem } from './items.ts';
import { keyUseKey } from './keys.ts';
import { type Table, tryWrite } from './table.ts';

/**
 * When each API key was last used. A separate item, since functions that only read may write it: with a right to write
 * the key's item, they could give the key another owner.
 */

const keyUse = z.object({ keyId: string, usedAt: string });

export const startOfHour = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR) * HOUR);

/** Writes the first use of each hour, whichever function sees it; the condition refuses the others. */
export async function recordKeyUse(table: Table, keyId: string, at: Date): Promise<void> {
  const isFirst = {
    expression: 'attribute_not_exists(#pk) OR #usedAt < :hour',
    values: { hour: startOfHour(at).toISOString() },
  };
  await tryWrite(table.put({ ...keyUseKey(keyId), keyId, usedAt: at.toISOString() }, isFirst));
}

/** The time of each key's last use, to the hour. A key that was never used is left out. */
export async function lastUses(table: Table, keyIds: readonly string[]): Promise<Map<string, string>> {
  const items = await table.getAll(keyIds.map(keyUseKey));
  const uses = items.map((item) => parseItem(keyUse, item));
  return new Map(uses.map(({ keyId, usedAt }) => [keyId, usedAt]));
}
