import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import { SECOND, systemNow } from '../runtime/time.ts';
import { type DueKind, jobKey } from '../store/keys.ts';
import type { Item, Table } from '../store/table.ts';
import { type Place, type Tally, workOnDue } from './due.ts';

/** Time kept back for finishing what is under way and writing the report. */
const RESERVE = 20 * SECOND;

/** What a run hands to the one that goes on for it. */
interface Unfinished {
  startedAt: string;
  tally: Tally;
  from: Place;
}

interface Job {
  table: Table;
  lambda: LambdaClient;
  name: string;
  kind: DueKind;
  /** Does what is due; false where there was nothing to do after all. */
  work: (item: Item, now: () => Date) => Promise<boolean>;
}

const unfinished = (event: unknown): Unfinished | undefined =>
  (event as { unfinished?: Unfinished } | null)?.unfinished;

/** Keeps what the last run of a job did, for the operator. */
export const reportRun = (
  table: Table,
  name: string,
  startedAt: string,
  tally: Tally,
  goesOn = false,
): Promise<void> =>
  table.put({ ...jobKey(name), name, startedAt, endedAt: systemNow().toISOString(), ...tally, goesOn });

/**
 * A scheduled job: works on what is due, and leaves a report of the run for the operator. When its time is over before
 * the work is, it starts itself again from where it came to; so any amount is worked off.
 */
export const runJob =
  ({ table, lambda, name, kind, work }: Job) =>
  async (event: unknown, context: Context): Promise<Tally> => {
    const begun = unfinished(event);
    const startedAt = begun?.startedAt ?? systemNow().toISOString();
    const until = new Date(systemNow().getTime() + context.getRemainingTimeInMillis() - RESERVE);
    const { next, ...here } = await workOnDue(
      table,
      kind,
      { now: systemNow, until },
      (item) => work(item, systemNow),
      begun && { from: begun.from },
    );
    const tally = sum(here, begun?.tally);
    measure({ JobDue: here.due, JobDone: here.done, JobFailed: here.failed });
    log.info('The job has run', { job: name, ...here, goes_on: next !== undefined });
    await reportRun(table, name, startedAt, tally, next !== undefined);
    if (!next) return tally;
    if (here.due === 0) throw new Error(`The job ${name} has no time to do anything in.`);
    await lambda.send(
      new InvokeCommand({
        FunctionName: context.invokedFunctionArn,
        InvocationType: 'Event',
        Payload: JSON.stringify({ unfinished: { startedAt, tally, from: next } satisfies Unfinished }),
      }),
    );
    return tally;
  };

export const sum = (...tallies: (Tally | undefined)[]): Tally =>
  tallies.reduce<Tally>(
    (all, { due, done, failed } = { due: 0, done: 0, failed: 0 }) => ({
      due: all.due + due,
      done: all.done + done,
      failed: all.failed + failed,
    }),
    { due: 0, done: 0, failed: 0 },
  );
