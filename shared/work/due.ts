import { inParallel } from '../runtime/in-parallel.ts';
import { errorFields, log } from '../runtime/log.ts';
import { after } from '../runtime/time.ts';
import type { Item } from '../store/items.ts';
import { BY_DUE, DUE_SHARDS, type DueKind, dueShard } from '../store/keys.ts';
import type { Table } from '../store/table.ts';

/** The position of a run in the index: everything before it is processed. */
export interface Position {
  shard: number;
  /** The last index entry processed; none at the start of a shard. */
  startAfter?: Item;
  /** Items that are due later are left to another run: one that soon is due again would keep this one from ending. */
  dueBy?: string;
}

export interface Tally {
  due: number;
  done: number;
  failed: number;
}

/** The result of a job run. `next` is the position to resume from if time ran out. */
export interface JobOutcome extends Tally {
  next: Position | undefined;
}

export interface TimeBudget {
  now: () => Date;
  /** No new item starts after this time. */
  until: Date;
}

interface Limits {
  /** Skip items that are overdue by less. */
  overdueMs?: number;
  from?: Position;
  concurrency?: number;
}

const PAGE_SIZE = 100;

/**
 * Processes all due items of a kind, shard by shard and page by page; the cost depends only on what is due.
 * An item that fails is logged, stays due and does not stop the others. Finished items leave the index, so running
 * again resumes after a crash.
 */
export async function processDue(
  table: Table,
  kind: DueKind,
  { now, until }: TimeBudget,
  work: (item: Item) => Promise<boolean>,
  { overdueMs = 0, from = { shard: 0 }, concurrency }: Limits = {},
): Promise<JobOutcome> {
  const tally: Tally = { due: 0, done: 0, failed: 0 };
  let inTime = true;
  const dueBy = from.dueBy ?? after(now(), -overdueMs);
  const attempt = async (item: Item) => {
    inTime &&= now() < until;
    if (!inTime) return;
    tally.due += 1;
    try {
      if (await work(item)) tally.done += 1;
    } catch (error) {
      tally.failed += 1;
      log.error('Processing a due item failed', { kind, id: item.id, ...errorFields(error) });
    }
  };
  for (let page: Position | undefined = from; page; ) {
    const { shard, startAfter }: Position = page;
    const { items, next } = await table.query({
      index: BY_DUE,
      pk: dueShard(kind, shard),
      sk: { from: '0', to: upTo(dueBy) },
      limit: PAGE_SIZE,
      startAfter,
    });
    await inParallel(items, attempt, concurrency);
    if (!inTime) return { ...tally, next: { ...page, dueBy } };
    page = next ? { shard, startAfter: next } : nextShard(shard);
  }
  return { ...tally, next: undefined };
}

const nextShard = (shard: number): Position | undefined =>
  shard + 1 < DUE_SHARDS ? { shard: shard + 1 } : undefined;

/** Keys are `<time>#<id>`, and `~` sorts after `#`: includes items due at exactly this time. */
const upTo = (time: string) => `${time}~`;

/** Reads something in the partition of each shard. */
const inEachShard = <T>(kind: DueKind, read: (pk: string) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: DUE_SHARDS }, (_, shard) => read(dueShard(kind, shard))));

/** The entries of a kind, at whatever time they are due. */
export const allPending = async (table: Table, kind: DueKind): Promise<Item[]> =>
  (await inEachShard(kind, (pk) => table.queryAll({ index: BY_DUE, pk }))).flat();

/** Limit of the entries that a count returns. */
const FIRST = 10;

/** Counts the items of a kind that are due by `time`, or all pending ones, and returns the earliest. */
export async function countPending(
  table: Table,
  kind: DueKind,
  time?: Date,
): Promise<{ count: number; oldest: string | null; first: Item[] }> {
  const sk = { from: '0', to: time ? upTo(time.toISOString()) : '9999' };
  const shards = await inEachShard(kind, (pk) => table.queryAll({ index: BY_DUE, pk, sk }));
  const entries = shards.flat();
  const first = byDueTime(entries).slice(0, FIRST);
  return { count: entries.length, oldest: earliest(first), first };
}

/** The first items of a kind that are due after a time, by reading as many entries of each shard. */
export async function nextPending(table: Table, kind: DueKind, time: Date): Promise<Item[]> {
  const sk = { from: upTo(time.toISOString()), to: '9999' };
  const shards = await inEachShard(kind, (pk) => table.queryUpTo(FIRST, { index: BY_DUE, pk, sk }));
  return byDueTime(shards.flat()).slice(0, FIRST);
}

/** Returns the earliest due time of a kind, by reading one entry of each shard. */
export async function oldestPending(table: Table, kind: DueKind): Promise<string | null> {
  const firsts = await inEachShard(kind, (pk) => table.queryUpTo(1, { index: BY_DUE, pk }));
  return earliest(firsts.flat());
}

const byDueTime = (entries: readonly Item[]): Item[] =>
  entries.toSorted((a, b) => (String(a.due_sk) < String(b.due_sk) ? -1 : 1));

const earliest = (entries: readonly Item[]): string | null => {
  const [first] = byDueTime(entries);
  return first ? (String(first.due_sk).split('#')[0] ?? '') : null;
};
