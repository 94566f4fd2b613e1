import { errorFields, log } from '../runtime/log.ts';
import { BY_DUE, DUE_SHARDS, type DueKind, dueShard } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

/** How far a run has come: everything before it was looked at. */
export interface Place {
  shard: number;
  /** The index entry to go on after; none at the beginning of a shard. */
  startAfter?: Item;
}

export interface Tally {
  due: number;
  done: number;
  failed: number;
}

/** What a run of a job did. `next` is where to go on when the time was over before the work was. */
export interface JobOutcome extends Tally {
  next: Place | undefined;
}

export interface JobTime {
  now: () => Date;
  /** When to stop taking up new work. */
  until: Date;
}

interface Limits {
  /** Work on what has been due for this long. */
  dueFor?: number;
  from?: Place;
}

const PAGE = 100;
const AT_ONCE = 16;

/** Does the work for each, some at once; a few are enough to keep the database busy and few enough not to flood it. */
export async function inParallel<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Works on everything of a kind that is due, shard by shard and page by page; the cost follows what is due.
 * One item that fails is logged and stays due; it stops none of the others. What is done leaves the index, so a run
 * that died is gone on with by simply running again.
 */
export async function workOnDue(
  table: Table,
  kind: DueKind,
  { now, until }: JobTime,
  work: (item: Item) => Promise<boolean>,
  { dueFor = 0, from = { shard: 0 } }: Limits = {},
): Promise<JobOutcome> {
  const tally: Tally = { due: 0, done: 0, failed: 0 };
  let inTime = true;
  const attempt = async (item: Item) => {
    inTime &&= now() < until;
    if (!inTime) return;
    tally.due += 1;
    try {
      if (await work(item)) tally.done += 1;
    } catch (error) {
      tally.failed += 1;
      log.error('An item that is due could not be worked on', { kind, id: item.id, ...errorFields(error) });
    }
  };
  for (let place: Place | undefined = from; place; place = placeAfter(place.shard)) {
    for (let page: Place | undefined = place; page; ) {
      const { items, next } = await table.query({
        index: BY_DUE,
        pk: dueShard(kind, page.shard),
        sk: { from: '0', to: upTo(new Date(now().getTime() - dueFor)) },
        limit: PAGE,
        ...(page.startAfter && { startAfter: page.startAfter }),
      });
      await inParallel(items, attempt);
      if (!inTime) return { ...tally, next: page };
      page = next && { shard: page.shard, startAfter: next };
    }
  }
  return { ...tally, next: undefined };
}

const placeAfter = (shard: number): Place | undefined =>
  shard + 1 < DUE_SHARDS ? { shard: shard + 1 } : undefined;

/** Keys are `<time>#<id>`: what is due at this very moment is in. */
const upTo = (time: Date) => `${time.toISOString()}~`;

/** How much of a kind waits, up to a time or at all, and since when the first. */
export async function waiting(
  table: Table,
  kind: DueKind,
  time?: Date,
): Promise<{ count: number; oldest: string | null }> {
  const shards = await Promise.all(
    Array.from({ length: DUE_SHARDS }, (_, shard) =>
      table.queryAll({
        index: BY_DUE,
        pk: dueShard(kind, shard),
        sk: { from: '0', to: time ? upTo(time) : '9999' },
      }),
    ),
  );
  return { count: shards.flat().length, oldest: earliest(shards.map(([first]) => first)) };
}

/** Since when the first of a kind waits; a read of one entry a shard. */
export async function oldestWaiting(table: Table, kind: DueKind): Promise<string | null> {
  const firsts = await Promise.all(
    Array.from({ length: DUE_SHARDS }, async (_, shard) => {
      const { items } = await table.query({ index: BY_DUE, pk: dueShard(kind, shard), limit: 1 });
      return items[0];
    }),
  );
  return earliest(firsts);
}

const earliest = (entries: (Item | undefined)[]): string | null =>
  entries
    .flatMap((entry) => (entry ? [String(entry.due_sk).split('#')[0] ?? ''] : []))
    .sort()
    .at(0) ?? null;
