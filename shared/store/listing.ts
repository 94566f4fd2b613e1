import type { RequestStatus } from '../contract/fields.ts';
import type { RequestState } from '../requests/model.ts';
import { BY_OWNER, BY_STATUS, type Mode, metaKey, ownerListing, statusListing } from './keys.ts';
import type { Item, Table } from './table.ts';

export interface ListFilter {
  ownerId: string;
  mode: Mode;
  status?: RequestStatus | undefined;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

/** Where a page ended: enough to go on after it, whatever came or changed meanwhile. */
export interface Position {
  createdAt: string;
  id: string;
}

const EARLIEST = '0000';
const LATEST = '9999';

/** Dates in any offset become the form that the keys have. */
const instant = (date: string) => new Date(date).toISOString();

/**
 * One page of an owner's requests, newest first: one query of one index, whatever the filters and however many there are.
 * It asks for one more than wanted, to know whether there is a next page.
 */
export async function listRequests(
  table: Table,
  filter: ListFilter,
  limit: number,
  startAfter: Position | undefined,
): Promise<{ states: (RequestState & Item)[]; next: Position | null }> {
  const { ownerId, mode, status } = filter;
  const index = status ? BY_STATUS : BY_OWNER;
  const pk = status ? statusListing(ownerId, mode, status) : ownerListing(ownerId, mode);
  // Keys are `<created_at>#<id>`: a bare time sorts before all of its keys, so the range takes in `from` and leaves out `to`.
  const from = filter.createdFrom ? instant(filter.createdFrom) : EARLIEST;
  const to = filter.createdTo ? instant(filter.createdTo) : LATEST;
  if (from >= to) return { states: [], next: null };
  const { items } = await table.query({
    index,
    pk,
    sk: { from, to },
    limit: limit + 1,
    newestFirst: true,
    ...(startAfter && {
      startAfter: {
        ...metaKey(startAfter.id),
        [index.pk]: pk,
        created_sk: `${startAfter.createdAt}#${startAfter.id}`,
      },
    }),
  });
  const states = items.slice(0, limit) as (RequestState & Item)[];
  const last = states.at(-1);
  return { states, next: items.length > limit && last ? { createdAt: last.createdAt, id: last.id } : null };
}
