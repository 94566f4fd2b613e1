import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Context } from 'aws-lambda';
import { JOB_CLIENT_SETTINGS } from '../runtime/clients.ts';
import { log } from '../runtime/log.ts';
import { measure } from '../runtime/metrics.ts';
import { MINUTE, SECOND, systemNow } from '../runtime/time.ts';
import type { Item } from '../store/items.ts';
import { type DueKind, jobKey } from '../store/keys.ts';
import type { Table } from '../store/table.ts';
import { type Position, processDue, type Tally } from './due.ts';

/** Reserved for finishing started items and writing the report. */
const RESERVED_MS = 20 * SECOND;

/** The state that a run passes to its successor. */
interface Unfinished {
  startedAt: string;
  tally: Tally;
  from: Position;
}

interface Job {
  table: Table;
  name: string;
  kind: DueKind;
  /** Processes one due item; false if there was nothing left to do. */
  work: (item: Item, now: () => Date) => Promise<boolean>;
  /** Items at once, and the time that the slowest one may take; left out: as for items that are written in a moment. */
  concurrency?: number;
  reservedMs?: number;
  /** Does nothing while another run is being resumed: both would process each item, and pay for it twice. */
  alone?: true;
}

const unfinishedOf = (event: unknown): Unfinished | undefined =>
  (event as { unfinished?: Unfinished } | null)?.unfinished;

/** True for the event by which a run that was out of time invoked itself. */
export const resumesRun = (event: unknown): boolean => unfinishedOf(event) !== undefined;

/** Each part of a run takes at most 15 minutes and then reports. One that did not by then has died. */
const PART_ENDS_AFTER = 20 * MINUTE;

/** True while a run that was out of time is being resumed. */
async function isUnderWay(table: Table, name: string): Promise<boolean> {
  const last = await table.get(jobKey(name), { consistent: true });
  return (
    last?.reinvokesItself === true &&
    systemNow().getTime() - Date.parse(String(last.endedAt)) < PART_ENDS_AFTER
  );
}

/** Stores the result of a job's last run for the operator. */
export const reportRun = (
  table: Table,
  name: string,
  startedAt: string,
  tally: Tally,
  reinvokesItself = false,
): Promise<void> =>
  table.put({
    ...jobKey(name),
    name,
    startedAt,
    endedAt: systemNow().toISOString(),
    ...tally,
    reinvokesItself,
  });

/**
 * A scheduled job that processes due items and stores a report for the operator. If time runs out it invokes itself
 * to resume, so that it finishes any amount of work.
 */
export const runJob =
  ({ table, name, kind, work, concurrency, reservedMs = RESERVED_MS, alone }: Job) =>
  async (event: unknown, context: Context): Promise<Tally> => {
    const previous = unfinishedOf(event);
    if (alone && !previous && (await isUnderWay(table, name))) {
      log.info('Left to the run that is under way', { job: name });
      return sum();
    }
    const startedAt = previous?.startedAt ?? systemNow().toISOString();
    const until = new Date(systemNow().getTime() + context.getRemainingTimeInMillis() - reservedMs);
    const { next, ...current } = await processDue(
      table,
      kind,
      { now: systemNow, until },
      (item) => work(item, systemNow),
      { ...(previous && { from: previous.from }), ...(concurrency && { concurrency }) },
    );
    const tally = sum(current, previous?.tally);
    measure({ JobDue: current.due, JobDone: current.done, JobFailed: current.failed });
    const reinvokesItself = next !== undefined && current.due > 0;
    log.info('Job run finished', { job: name, ...current, reinvokes_itself: reinvokesItself });
    await reportRun(table, name, startedAt, tally, reinvokesItself);
    if (!next) return tally;
    if (!reinvokesItself) throw new Error(`The job ${name} has no time to process anything.`);
    const unfinished: Unfinished = { startedAt, tally, from: next };
    try {
      await new LambdaClient(JOB_CLIENT_SETTINGS).send(
        new InvokeCommand({
          FunctionName: context.invokedFunctionArn,
          InvocationType: 'Event',
          Payload: JSON.stringify({ unfinished }),
        }),
      );
    } catch (error) {
      // Otherwise a retry of this run would leave its items to one that never comes.
      await reportRun(table, name, startedAt, tally);
      throw error;
    }
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
