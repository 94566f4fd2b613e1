import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Context } from 'aws-lambda';
import { oldestWaiting, type Tally } from '../../shared/jobs/due.ts';
import { reportRun, sum } from '../../shared/jobs/run.ts';
import { sweepStuckSeals } from '../../shared/queues/stuck-seals.ts';
import { sweepOutbox } from '../../shared/queues/sweep.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { SECOND, systemNow } from '../../shared/runtime/time.ts';
import { Table } from '../../shared/store/table.ts';
import { settleLostDeliveries } from '../../shared/webhooks/attempts.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const sqs = new SQSClient(CLIENT_SETTINGS);
const queues = {
  event: setting('EVENTS_QUEUE_URL'),
  seal: setting('SEAL_QUEUE_URL'),
  mail: setting('MAIL_QUEUE_URL'),
};

/** Each minute: puts right what crashes left behind. What fails or is left over, the next minute takes up. */
export const handler = async (_event: unknown, context: Context): Promise<Tally> => {
  const startedAt = systemNow();
  const until = new Date(startedAt.getTime() + context.getRemainingTimeInMillis() - 10 * SECOND);
  const time = { now: systemNow, until };
  const settled = await Promise.allSettled([
    settleLostDeliveries(table, systemNow, until),
    sweepStuckSeals(table, sqs, queues, time),
    sweepOutbox(table, sqs, queues, time),
  ]);
  const tally = sum(...settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : [])));
  const oldest = await oldestWaiting(table, 'STAMP');
  const age = oldest ? Math.max(0, startedAt.getTime() - Date.parse(oldest)) / SECOND : 0;
  measure({ JobDue: tally.due, JobDone: tally.done, JobFailed: tally.failed, OldestAwaitingStamp: age });
  await reportRun(table, 'sweep', startedAt.toISOString(), tally);
  const broken = settled.find((part) => part.status === 'rejected');
  if (broken) throw broken.reason;
  return tally;
};
