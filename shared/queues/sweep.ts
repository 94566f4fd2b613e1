import type { SQSClient } from '@aws-sdk/client-sqs';
import { type JobOutcome, type JobTime, workOnDue } from '../jobs/due.ts';
import { log } from '../runtime/log.ts';
import { after, MINUTE } from '../runtime/time.ts';
import { due, outboxKey } from '../store/keys.ts';
import { readOutbox } from '../store/outbox.ts';
import { ConditionFailed, type Table } from '../store/table.ts';
import { dispatch, type QueueUrls } from './dispatch.ts';

/** The next time doubles, up to an hour: a queue that is only slow is not filled with copies. */
const nextTry = (sends: number, now: Date) => after(now, Math.min(2 ** sends, 60) * MINUTE);

async function sendAgain(
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
    await table.update(
      outboxKey(item.id),
      { sends: sends + 1, ...due('OUTBOX', nextTry(sends + 1, now), item.id) },
      { expression: 'attribute_exists(#pk) AND #sends = :seen', values: { seen: sends } },
    );
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  await dispatch(sqs, queues, [item]);
  return true;
}

/** Sends what a crash between a commit and its queue has left behind. */
export async function sweepOutbox(
  table: Table,
  sqs: SQSClient,
  queues: QueueUrls,
  time: JobTime,
): Promise<JobOutcome> {
  const outcome = await workOnDue(table, 'OUTBOX', time, ({ id }) =>
    sendAgain(table, sqs, queues, String(id), time.now()),
  );
  if (outcome.done > 0)
    log.warn('Outbox items were left behind and have been sent again', { sent: outcome.done });
  return outcome;
}
