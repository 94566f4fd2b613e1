import type { SQSClient } from '@aws-sdk/client-sqs';
import { log } from '../runtime/log.ts';
import { after, MINUTE } from '../runtime/time.ts';
import { BY_DUE, DUE_SHARDS, due, dueShard, outboxKey } from '../store/keys.ts';
import { readOutbox } from '../store/outbox.ts';
import { ConditionFailed, type Item, type Table } from '../store/table.ts';
import { dispatch, type QueueUrls } from './dispatch.ts';

const PAGE = 100;

/** The next time doubles, up to an hour: a queue that is only slow is not filled with copies. */
const nextTry = (sends: number, now: Date) => after(now, Math.min(2 ** sends, 60) * MINUTE);

async function sendAgain(
  table: Table,
  sqs: SQSClient,
  queues: QueueUrls,
  key: string,
  now: Date,
): Promise<boolean> {
  const item = await readOutbox(table, key);
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
  now: () => Date,
  until: Date,
): Promise<number> {
  let sent = 0;
  for (let shard = 0; shard < DUE_SHARDS; shard += 1) {
    let startAfter: Item | undefined;
    do {
      const page = await table.query({
        index: BY_DUE,
        pk: dueShard('OUTBOX', shard),
        sk: { from: '0', to: now().toISOString() },
        limit: PAGE,
        ...(startAfter && { startAfter }),
      });
      for (const { id } of page.items) if (await sendAgain(table, sqs, queues, String(id), now())) sent += 1;
      startAfter = page.next;
    } while (startAfter && now() < until);
  }
  if (sent > 0) log.warn('Outbox items were left behind and have been sent again', { sent });
  return sent;
}
