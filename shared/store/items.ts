import type * as z from 'zod';
import { log } from '../runtime/log.ts';

export type Item = Record<string, unknown>;

/** The layout of items that this code writes. Older items have no `itemVersion`. */
export const ITEM_VERSION = 1;

/** Thrown for an item that lacks a member without a default, or holds one of the wrong type. */
class DamagedItem extends Error {
  override name = 'DamagedItem';
}

/** Names the damage, for work that goes on without the item; throws any other error. */
export function damageIn(error: unknown): string {
  if (error instanceof DamagedItem) return error.message;
  throw error;
}

/** Turns an item into a typed value: validates it, fills in defaults, drops keys and index attributes. */
export function parseItem<S extends z.ZodType>(schema: S, item: Item): z.output<S> {
  const parsed = schema.safeParse(item);
  if (parsed.success) return parsed.data;
  const members = parsed.error.issues.map(({ path }) => path.join('.'));
  throw new DamagedItem(`The item ${item.pk} ${item.sk} is damaged: ${members.join(', ')}.`);
}

/** As `parseItem`, for what is made anew without it: nothing of an item that is damaged, or of a later version. */
export function parseIfWhole<S extends z.ZodType>(schema: S, item: Item | undefined): z.output<S>[] {
  if (!item) return [];
  try {
    return [parseItem(schema, item)];
  } catch (error) {
    log.warn('An item counts as missing', { damage: damageIn(error) });
    return [];
  }
}
