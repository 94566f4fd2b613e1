import { log } from '../runtime/log.ts';
import { after, MINUTE } from '../runtime/time.ts';
import type { Send } from '../store/dispatch.ts';
import type { Item } from '../store/items.ts';
import { due, outboxKey } from '../store/keys.ts';
import { type OutboxItem, readOutbox, tryTransact } from '../store/outbox.ts';
import { holds, type Table } from '../store/table.ts';
import { type JobOutcome, processDue, type TimeBudget } from './due.ts';

/** Exponential back-off up to an hour, so that a slow queue is not flooded with copies. */
const nextTry = (sends: number, now: Date) => after(now, Math.min(2 ** sends, 60) * MINUTE);

async function resend(table: Table, send: Send, { id, due_sk }: Item, now: Date): Promise<boolean> {
  const item = await readOutbox(table, String(id));
  if (!item) return false;
  const { sends } = item;
  const next = { sends: sends + 1, ...due('OUTBOX', nextTry(sends + 1, now), item.id) };
  if (!(await change(table, item, sends, next))) return false;
  if ((await send([item])) === 0) return true;
  // Still due as it was: the next run tries again, and the status and the alarm report it.
  await change(table, item, next.sends, { sends, due_sk });
  throw new Error('The queue did not take the message.');
}

/** Changes an item that was sent so often; false if it has ended, or another run was first. */
const change = (table: Table, { id }: OutboxItem, sends: number, set: Item): Promise<boolean> =>
  // A transaction, which the SDK can repeat after a lost answer: the item would otherwise wait for its next time.
  tryTransact(table, [{ update: outboxKey(id), set, condition: holds({ sends }) }]);

/** Sends the items that a crash between the commit and the send left in the outbox. */
export async function sweepOutbox(table: Table, send: Send, time: TimeBudget): Promise<JobOutcome> {
  const outcome = await processDue(table, 'OUTBOX', time, (item) => resend(table, send, item, time.now()));
  if (outcome.done > 0) log.warn('Resent items that were left in the outbox', { sent: outcome.done });
  return outcome;
}
