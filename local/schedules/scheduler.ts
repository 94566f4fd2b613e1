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
import { type Expression, parseExpression } from './expression.ts';

interface ScheduleReport {
  name: string;
  expression: string;
  last_run: string | null;
  next_run: string | null;
}

type RunOutcome = { ok: true } | { ok: false; error: string };

interface Schedule {
  plan: SchedulePlan;
  expression: Expression;
}

const iso = (time: number | undefined) => (time === undefined ? null : new Date(time).toISOString());

export class Scheduler {
  readonly #schedules: Schedule[];
  readonly #functions: Functions;
  readonly #state: State;
  readonly #clock: LocalClock;
  readonly #place: Location;
  readonly #stopped = new AbortController();

  constructor(plans: SchedulePlan[], functions: Functions, state: State, clock: LocalClock, place: Location) {
    this.#schedules = plans.map((plan) => ({
      plan,
      expression: parseExpression(plan.expression, plan.timeZone),
    }));
    this.#functions = functions;
    this.#state = state;
    this.#clock = clock;
    this.#place = place;
  }

  start(): void {
    for (const schedule of this.#schedules) void this.#runWhenDue(schedule);
  }

  stop(): void {
    this.#stopped.abort();
  }

  list(): ScheduleReport[] {
    return this.#schedules.map(({ plan, expression }) => ({
      name: plan.name,
      expression: plan.expression,
      last_run: iso(this.#lastRun(plan)),
      next_run: iso(expression.after(this.#clock.now())),
    }));
  }

  /**
   * Runs a schedule once, to its end. Undefined if there is none of this name. A jump of the clock can have started the same
   * schedule a moment before: that run may have claimed the work, so its end is waited for too.
   */
  async run(name: string): Promise<RunOutcome | undefined> {
    const plan = this.#schedules.find((schedule) => schedule.plan.name === name)?.plan;
    if (!plan) return undefined;
    const outcome = await this.#runOnce(plan);
    await this.#functions.untilAttempted(plan.functionName);
    return outcome;
  }

  async #runWhenDue({ plan, expression }: Schedule): Promise<void> {
    const { signal } = this.#stopped;
    let from = this.#lastRun(plan) ?? this.#firstSeen(plan);
    while (!signal.aborted) {
      const next = expression.after(from);
      if (next === undefined) return;
      await this.#clock.until(next, signal);
      if (signal.aborted) return;
      from = this.#clock.now();
      await this.#functions.invoke(plan.functionName, this.#begin(plan), 'Event');
    }
  }

  async #runOnce(plan: SchedulePlan): Promise<RunOutcome> {
    try {
      const { payload, functionError } = await this.#functions
        .get(plan.functionName)
        .invoke(this.#begin(plan));
      return functionError ? { ok: false, error: payload.toString() } : { ok: true };
    } catch (error) {
      return { ok: false, error: String(error) };
    }
  }

  /** Records the run and returns its event. */
  #begin(plan: SchedulePlan): Buffer {
    const now = this.#clock.now();
    this.#state.write(`schedule:${plan.name}`, String(now));
    return Buffer.from(plan.input ?? JSON.stringify(this.#eventOf(plan, now)));
  }

  #eventOf({ arn }: SchedulePlan, now: number) {
    return {
      version: '0',
      id: randomUUID(),
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: this.#place.account,
      time: new Date(now).toISOString(),
      region: this.#place.region,
      resources: [arn],
      detail: {},
    };
  }

  /** The start time of a schedule that never ran. Stored: otherwise every restart would delay its first run. */
  #firstSeen(plan: SchedulePlan): number {
    const key = `schedule-since:${plan.name}`;
    const since = this.#state.read(key) ?? String(this.#clock.now());
    this.#state.write(key, since);
    return Number(since);
  }

  #lastRun(plan: SchedulePlan): number | undefined {
    const value = this.#state.read(`schedule:${plan.name}`);
    return value === undefined ? undefined : Number(value);
  }
}
