import { errorFields, log } from '../runtime/log.ts';
import { BY_DUE, DUE_SHARDS, type DueKind, dueShard } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';

/** What a run of a job did. `left` says that the time was over before the work was. */
export interface JobOutcome {
  due: number;
  done: number;
  failed: number;
  left: boolean;
}

export interface JobTime {
  now: () => Date;
  /** When to stop taking up new work. */
  until: Date;
}

const PAGE = 100;
const AT_ONCE = 16;

async function inParallel<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
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
): Promise<JobOutcome> {
  const outcome: JobOutcome = { due: 0, done: 0, failed: 0, left: false };
  const attempt = async (item: Item) => {
    if (now() >= until) {
      outcome.left = true;
      return;
    }
    outcome.due += 1;
    try {
      if (await work(item)) outcome.done += 1;
    } catch (error) {
      outcome.failed += 1;
      log.error('An item that is due could not be worked on', { kind, id: item.id, ...errorFields(error) });
    }
  };
  for (let shard = 0; shard < DUE_SHARDS; shard += 1) {
    let startAfter: Item | undefined;
    do {
      const page = await table.query({
        index: BY_DUE,
        pk: dueShard(kind, shard),
        sk: { from: '0', to: now().toISOString() },
        limit: PAGE,
        ...(startAfter && { startAfter }),
      });
      await inParallel(page.items, attempt);
      startAfter = page.next;
    } while (startAfter && !outcome.left);
  }
  return outcome;
}
