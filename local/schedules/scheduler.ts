/**
 * Runs the stack's schedules by the local clock. If the clock jumps over several times of a schedule, it runs once. As on
 * AWS, a schedule invokes its function asynchronously: Lambda repeats a failed run, and the next run does not wait for it.
 */
import { randomUUID } from 'node:crypto';
import type { SchedulePlan } from '../assembly/plan.ts';
import type { LocalClock } from '../clock.ts';
import type { Functions } from '../functions/functions.ts';
import type { Location } from '../ports.ts';
import type { State } from '../state.ts';
import { parseExpression } from './expression.ts';

type RunOutcome = { ok: true } | { ok: false; error: string };

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

export function openScheduler(
  plans: SchedulePlan[],
  functions: Functions,
  state: State,
  clock: LocalClock,
  { region, account }: Location,
) {
  const schedules = plans.map((plan) => ({
    plan,
    expression: parseExpression(plan.expression, plan.timeZone),
  }));
  const stopped = new AbortController();

  const lastRun = ({ name }: SchedulePlan): number | undefined => {
    const value = state.read(`schedule:${name}`);
    return value === undefined ? undefined : Number(value);
  };
  /** The start time of a schedule that never ran. Stored: otherwise every restart would delay its first run. */
  const firstSeen = ({ name }: SchedulePlan): number => {
    const key = `schedule-since:${name}`;
    const since = state.read(key) ?? String(clock.now());
    state.write(key, since);
    return Number(since);
  };

  const eventOf = ({ arn }: SchedulePlan, now: number) => ({
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account,
    time: new Date(now).toISOString(),
    region,
    resources: [arn],
    detail: {},
  });
  /** Records the run and returns its event. */
  const begin = (plan: SchedulePlan): Buffer => {
    const now = clock.now();
    state.write(`schedule:${plan.name}`, String(now));
    return Buffer.from(plan.input ?? JSON.stringify(eventOf(plan, now)));
  };

  const runWhenDue = async ({ plan, expression }: (typeof schedules)[number]): Promise<void> => {
    const { signal } = stopped;
    let from = lastRun(plan) ?? firstSeen(plan);
    while (!signal.aborted) {
      const next = expression.after(from);
      if (next === undefined) return;
      await clock.until(next, signal);
      if (signal.aborted) return;
      from = clock.now();
      await functions.invoke(plan.functionName, begin(plan), 'Event');
    }
  };
  const runOnce = async (plan: SchedulePlan): Promise<RunOutcome> => {
    try {
      const { payload, functionError } = await functions.get(plan.functionName).invoke(begin(plan));
      return functionError ? { ok: false, error: payload.toString() } : { ok: true };
    } catch (error) {
      return { ok: false, error: String(error) };
    }
  };

  return {
    start(): void {
      for (const schedule of schedules) void runWhenDue(schedule);
    },

    stop: (): void => stopped.abort(),

    list: () =>
      schedules.map(({ plan, expression }) => ({
        name: plan.name,
        expression: plan.expression,
        last_run: iso(lastRun(plan)),
        next_run: iso(expression.after(clock.now())),
      })),

    /**
     * Runs a schedule once, to its end. Undefined if there is none of this name. A jump of the clock can have started the same
     * schedule a moment before: that run may have claimed the work, so its end is waited for too.
     */
    async run(name: string): Promise<RunOutcome | undefined> {
      const plan = schedules.find((schedule) => schedule.plan.name === name)?.plan;
      if (!plan) return undefined;
      const outcome = await runOnce(plan);
      await functions.untilAttempted(plan.functionName);
      return outcome;
    },
  };
}

export type Scheduler = ReturnType<typeof openScheduler>;
