import type * as z from 'zod';
import type { RequestStatus } from '../contract/fields.ts';
import { type ListedState, listedState } from '../requests/model.ts';
import { parseItem } from './items.ts';
import { BY_OWNER, BY_STATUS, metaKey, type OwnerMode, ownerListing, statusListing } from './keys.ts';
import type { Table } from './table.ts';

export interface ListFilter extends OwnerMode {
  status?: RequestStatus | undefined;
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

/** The position of a page's last item; stays valid when items are added or changed. */
export const position = listedState.pick({ createdAt: true, id: true });
export type Position = z.output<typeof position>;

/** True for a request that the filter lets through. */
export const passes =
  ({ status, createdFrom, createdTo }: ListFilter) =>
  (state: ListedState): boolean =>
    (status === undefined || state.status === status) &&
    (createdFrom === undefined || state.createdAt >= instant(createdFrom)) &&
    (createdTo === undefined || state.createdAt < instant(createdTo));

const EARLIEST = '0000';
const LATEST = '9999';

/** The last time of four-digit years: a later one would sort before all others. */
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** Digits beyond milliseconds, which `Date.parse` cuts off. */
const FINER = /\.\d{3}\d*[1-9]/;

/** Converts a date in any offset to the form used in keys. Rounds up to the next time that a request can have. */
function instant(date: string): string {
  const milliseconds = Date.parse(date) + (FINER.test(date) ? 1 : 0);
  return new Date(Math.min(milliseconds, LAST_INSTANT)).toISOString();
}

/**
 * Reads one page of an owner's requests, newest first: their order from one query of one index, what they hold from the
 * table, so that no index has to change with the summary. It asks for one more, to know whether there is a next page.
 */
export async function listRequests(
  table: Table,
  filter: ListFilter,
  limit: number,
  startAfter: Position | undefined,
): Promise<{ states: ListedState[]; next: Position | null }> {
  const { ownerId, mode, status } = filter;
  const index = status ? BY_STATUS : BY_OWNER;
  const pk = status ? statusListing(ownerId, mode, status) : ownerListing(ownerId, mode);
  // Keys are `<created_at>#<id>` and sort after the bare time, so the range includes `from` and excludes `to`.
  const from = filter.createdFrom ? instant(filter.createdFrom) : EARLIEST;
  const to = filter.createdTo ? instant(filter.createdTo) : LATEST;
  if (from >= to) return { states: [], next: null };
  const { items } = await table.query({
    index,
    pk,
    sk: { from, to },
    limit: limit + 1,
    newestFirst: true,
    startAfter: startAfter && {
      ...metaKey(startAfter.id),
      [index.pk]: pk,
      created_sk: `${startAfter.createdAt}#${startAfter.id}`,
    },
  });
  const page = items.slice(0, limit).map((item) => parseItem(position, item));
  const states = await table.findEach(
    listedState,
    page.map(({ id }) => metaKey(id)),
  );
  return {
    // The index may still name a status that a request has left.
    states: states.filter(passes(filter)),
    next: items.length > limit ? (page.at(-1) ?? null) : null,
  };
}
