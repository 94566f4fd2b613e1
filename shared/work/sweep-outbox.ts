import type { SQSClient } from '@aws-sdk/client-sqs';
import { log } from '../runtime/log.ts';
import { after, MINUTE } from '../runtime/time.ts';
import { dispatch, type QueueUrls } from '../store/dispatch.ts';
import { due, outboxKey } from '../store/keys.ts';
import { readOutbox } from '../store/outbox.ts';
import { ConditionFailed, type Table, WriteCollision } from '../store/table.ts';
import { type JobOutcome, processDue, type TimeBudget } from './due.ts';

/** Exponential back-off up to an hour, so that a slow queue is not flooded with copies. */
const nextTry = (sends: number, now: Date) => after(now, Math.min(2 ** sends, 60) * MINUTE);

async function resend(
  table: Table,
  sqs: SQSClient,
  queues: QueueUrls,
  id: string,
  now: Date,
): Promise<boolean> {
  const item = await readOutbox(table, id);
  if (!item) return false;
  const { sends } = item;
  try {
    // A transaction, which the SDK can repeat after a lost answer: the item would otherwise wait for its next time.
    await table.transact([
      {
        update: outboxKey(item.id),
        set: { sends: sends + 1, ...due('OUTBOX', nextTry(sends + 1, now), item.id) },
        condition: { expression: 'attribute_exists(#pk) AND #sends = :seen', values: { seen: sends } },
      },
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof WriteCollision) return false;
    throw error;
  }
  await dispatch(sqs, queues, [item]);
  return true;
}

/** Sends the items that a crash between the commit and the send left in the outbox. */
export async function sweepOutbox(
  table: Table,
  sqs: SQSClient,
  queues: QueueUrls,
  time: TimeBudget,
): Promise<JobOutcome> {
  const outcome = await processDue(table, 'OUTBOX', time, ({ id }) =>
    resend(table, sqs, queues, String(id), time.now()),
  );
  if (outcome.done > 0) log.warn('Resent items that were left in the outbox', { sent: outcome.done });
  return outcome;
}
