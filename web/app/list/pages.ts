import type { SignatureRequestSummary } from '../../../client/src/types.ts';

/** One answer of the list, with the cursor that it was asked for with. */
export interface ListPage {
  cursor: string | null;
  items: readonly SignatureRequestSummary[];
}

/**
 * The first page after it was asked for again. New requests push older ones off the answer's end; these stay, since no
 * later page has them. Without any overlap so much is new that the list begins anew: null.
 */
export function refreshedFirst(old: ListPage, fresh: readonly SignatureRequestSummary[]): ListPage | null {
  const last = fresh.at(-1);
  if (!last) return { ...old, items: [] };
  const known = new Set(fresh.map(({ id }) => id));
  const isOlder = ({ created_at, id }: SignatureRequestSummary) =>
    created_at < last.created_at || (created_at === last.created_at && !known.has(id));
  const overlaps = old.items.length === 0 || old.items.some(({ id }) => known.has(id));
  return overlaps ? { ...old, items: [...fresh, ...old.items.filter(isOlder)] } : null;
}

/** A later page after it was asked for again: without what the next page shows already. */
export function refreshedLater(
  old: ListPage,
  fresh: readonly SignatureRequestSummary[],
  next: ListPage | undefined,
): ListPage {
  const shown = new Set(next?.items.map(({ id }) => id));
  return { ...old, items: fresh.filter(({ id }) => !shown.has(id)) };
}
