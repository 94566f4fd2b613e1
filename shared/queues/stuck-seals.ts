import type { SQSClient } from '@aws-sdk/client-sqs';
import { type JobOutcome, type JobTime, workOnDue } from '../jobs/due.ts';
import { requeueSeal } from '../requests/ending.ts';
import { log } from '../runtime/log.ts';
import { MINUTE } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import { readOutbox, sealOutboxId } from '../store/outbox.ts';
import type { Table } from '../store/table.ts';
import { dispatch, type QueueUrls } from './dispatch.ts';

/** A seal takes seconds. */
const STUCK_AFTER = 5 * MINUTE;

/**
 * Queues the seal again for requests that wait for one while nothing is there that would make it. As long as the seal's
 * outbox item is there, the outbox sweep sees to it.
 */
export const sweepStuckSeals = (
  table: Table,
  sqs: SQSClient,
  queues: QueueUrls,
  time: JobTime,
): Promise<JobOutcome> =>
  workOnDue(
    table,
    'STAMP',
    time,
    async (item) => {
      const id = String(item.id);
      if (await readOutbox(table, sealOutboxId(id))) return false;
      const queuedBy = new Date(time.now().getTime() - STUCK_AFTER);
      const changed = await changeRequest(
        table,
        id,
        (request, now) => requeueSeal(request, queuedBy, now),
        time.now,
      );
      const outbox = changed?.outbox ?? [];
      await dispatch(sqs, queues, outbox);
      if (outbox.length > 0)
        log.warn('A seal without a job has been queued again', { signature_request_id: id });
      return outbox.length > 0;
    },
    { dueFor: STUCK_AFTER },
  );
