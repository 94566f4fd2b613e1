import { requeueSeal } from '../requests/ending.ts';
import { log } from '../runtime/log.ts';
import { MINUTE } from '../runtime/time.ts';
import { changeRequest } from '../store/change.ts';
import type { Send } from '../store/dispatch.ts';
import { readOutbox, sealOutboxId } from '../store/outbox.ts';
import type { Table } from '../store/table.ts';
import { type JobOutcome, processDue, type TimeBudget } from './due.ts';

/** Far longer than a seal takes (seconds). */
const STUCK_AFTER_MS = 5 * MINUTE;

/**
 * Requeues the seal of requests that await one but have no seal job left. While the seal's outbox item exists,
 * the outbox sweep handles it.
 */
export const sweepStuckSeals = (table: Table, send: Send, time: TimeBudget): Promise<JobOutcome> =>
  processDue(
    table,
    'STAMP',
    time,
    async (item) => {
      const id = String(item.id);
      if (await readOutbox(table, sealOutboxId(id))) return false;
      const queuedBy = new Date(time.now().getTime() - STUCK_AFTER_MS);
      const changed = await changeRequest({ table, now: time.now }, id, (request, now) =>
        requeueSeal(request, queuedBy, now),
      );
      const outbox = changed?.outbox ?? [];
      await send(outbox);
      if (outbox.length > 0) log.warn('Requeued a seal that had no job', { signature_request_id: id });
      return outbox.length > 0;
    },
    { overdueMs: STUCK_AFTER_MS },
  );
