import type { Now } from '../runtime/time.ts';
import { findDeliveryAttempt, isLost } from '../store/deliveries.ts';
import type { Table } from '../store/table.ts';
import { recordLost } from '../webhooks/attempts.ts';
import { type JobOutcome, processDue } from './due.ts';

/** Records webhook attempts without an outcome as lost once no worker can still be making them. */
export const recordLostDeliveries = (table: Table, now: Now, until: Date): Promise<JobOutcome> =>
  processDue(table, 'DELIVERY', { now, until }, async (entry) => {
    const attempt = await findDeliveryAttempt(table, entry);
    if (!attempt || !isLost(attempt, now())) return false;
    await recordLost(table, attempt, now);
    return true;
  });
