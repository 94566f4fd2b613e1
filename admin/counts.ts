import { type Mode, REQUEST_STATUSES, type RequestStatus } from '../shared/contract/fields.ts';
import { inParallel } from '../shared/runtime/in-parallel.ts';
import type { Owner } from '../shared/store/owners.ts';
import type { Table } from '../shared/store/table.ts';
import { listingPages } from './listing-pages.ts';
import { Progress } from './progress.ts';

export type Counts = Record<RequestStatus, number>;

const zeroCounts = (): Counts => Object.fromEntries(REQUEST_STATUSES.map((status) => [status, 0])) as Counts;

/**
 * Counts an owner's requests by state from its list. Stored counters would add a write to every change, on a few hot
 * items, for a number that is rarely read.
 */
async function countOwner(table: Table, ownerId: string, mode: Mode, counts: Counts): Promise<void> {
  for await (const items of listingPages(table, ownerId, mode))
    for (const { status } of items) counts[status as RequestStatus] += 1;
}

export async function countRequests(
  table: Table,
  owners: readonly Pick<Owner, 'id'>[],
): Promise<{ live: Counts; test: Counts }> {
  const counts = { live: zeroCounts(), test: zeroCounts() };
  const progress = new Progress('Counting requests by owner', owners.length);
  await inParallel(owners, async ({ id }) => {
    await countOwner(table, id, 'live', counts.live);
    await countOwner(table, id, 'test', counts.test);
    progress.add();
  });
  progress.end();
  return counts;
}
