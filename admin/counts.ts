import { MODES, REQUEST_STATUSES, type RequestStatus } from '../shared/contract/fields.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import type { Owner } from '../shared/store/owners.ts';
import type { Table } from '../shared/store/table.ts';
import { listingPages } from './listing-pages.ts';
import { Progress } from './progress.ts';

type Counts = Record<RequestStatus, number>;

const zeroCounts = (): Counts => Object.fromEntries(REQUEST_STATUSES.map((status) => [status, 0])) as Counts;

/**
 * Counts the owners' requests by state from their lists. Stored counters would add a write to every change, on a few hot
 * items, for a number that is rarely read.
 */
export async function countRequests(
  table: Table,
  owners: readonly Pick<Owner, 'id'>[],
): Promise<{ live: Counts; test: Counts }> {
  const counts = { live: zeroCounts(), test: zeroCounts() };
  using progress = new Progress('Counting requests by owner', owners.length);
  await inParallel(owners, async ({ id }) => {
    for (const mode of MODES)
      for await (const items of listingPages(table, id, mode))
        for (const { status } of items) counts[mode][status as RequestStatus] += 1;
    progress.add();
  });
  return counts;
}
