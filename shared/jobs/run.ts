import type { Context } from 'aws-lambda';
import { log } from '../runtime/log.ts';
import { SECOND, systemNow } from '../runtime/time.ts';
import { type DueKind, jobKey } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { type JobOutcome, workOnDue } from './due.ts';

/** Time kept back for finishing what is under way and writing the report. */
const RESERVE = 20 * SECOND;

/** More is due than one run could do. The scheduler's invocation is repeated, and goes on where this one ended. */
export class MoreIsDue extends Error {
  constructor(name: string) {
    super(`The job ${name} ran out of time with more to do.`);
    this.name = 'MoreIsDue';
  }
}

/** A scheduled job: works on what is due, and leaves a report of the run for the operator. */
export const runJob =
  (table: Table, name: string, kind: DueKind, work: (item: Item, now: () => Date) => Promise<boolean>) =>
  async (_event: unknown, context: Context): Promise<JobOutcome> => {
    const startedAt = systemNow();
    const until = new Date(startedAt.getTime() + context.getRemainingTimeInMillis() - RESERVE);
    const outcome = await workOnDue(table, kind, { now: systemNow, until }, (item) => work(item, systemNow));
    log.info('The job has run', { job: name, ...outcome });
    await table.put({
      ...jobKey(name),
      name,
      startedAt: startedAt.toISOString(),
      endedAt: systemNow().toISOString(),
      ...outcome,
    });
    if (outcome.left) throw new MoreIsDue(name);
    return outcome;
  };
