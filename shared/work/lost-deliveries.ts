import type { Now } from '../runtime/time.ts';
import { findDeliveryAttempt, isLost } from '../store/deliveries.ts';
import type { Table } from '../store/table.ts';
import { AttemptRecorder } from '../webhooks/attempts.ts';
import { type JobOutcome, processDue } from './due.ts';

/** Records webhook attempts without an outcome as lost once no worker can still be making them. */
export function recordLostDeliveries(table: Table, now: Now, until: Date): Promise<JobOutcome> {
  const record = new AttemptRecorder(table, now);
  return processDue(table, 'DELIVERY', { now, until }, async (entry) => {
    const attempt = await findDeliveryAttempt(table, entry);
    if (!attempt || !isLost(attempt, now())) return false;
    await record.lost(attempt);
    return true;
  });
}
