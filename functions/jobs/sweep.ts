import type { Context } from 'aws-lambda';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { SECOND, systemNow } from '../../shared/runtime/time.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { oldestPending, type Tally } from '../../shared/work/due.ts';
import { recordLostDeliveries } from '../../shared/work/lost-deliveries.ts';
import { sweepOrphans } from '../../shared/work/orphans.ts';
import { reportRun, sum } from '../../shared/work/run-job.ts';
import { sweepStuckSeals } from '../../shared/work/stuck-seals.ts';
import { sweepOutbox } from '../../shared/work/sweep-outbox.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const { s3, bucket } = configuredDocuments(JOB_CLIENT_SETTINGS);
const send = dispatchTo(
  { event: setting('EVENTS_QUEUE_URL'), seal: setting('SEAL_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') },
  JOB_CLIENT_SETTINGS,
);

/** Every minute: recovers what crashes left behind. The next run continues with failed or remaining items. */
export const handler = async (_event: unknown, context: Context): Promise<Tally> => {
  const startedAt = systemNow();
  const until = new Date(startedAt.getTime() + context.getRemainingTimeInMillis() - 10 * SECOND);
  const time = { now: systemNow, until };
  const settled = await Promise.allSettled([
    recordLostDeliveries(table, systemNow, until),
    sweepStuckSeals(table, send, time),
    sweepOutbox(table, send, time),
    sweepOrphans(table, s3, bucket, time),
  ]);
  const tally = sum(...settled.flatMap((part) => (part.status === 'fulfilled' ? [part.value] : [])));
  const oldest = await oldestPending(table, 'STAMP');
  const age = oldest ? Math.max(0, startedAt.getTime() - Date.parse(oldest)) / SECOND : 0;
  measure({ JobDue: tally.due, JobDone: tally.done, JobFailed: tally.failed, OldestAwaitingStamp: age });
  await reportRun(table, 'sweep', startedAt.toISOString(), tally);
  const broken = settled.find((part) => part.status === 'rejected');
  if (broken) throw broken.reason;
  return tally;
};
