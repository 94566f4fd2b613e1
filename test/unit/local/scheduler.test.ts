/** @behaviour lambda.async-retries */
import { join } from 'node:path';
import { LocalClock } from '../../../local/clock.ts';
import { openAsyncEvents } from '../../../local/functions/async-events.ts';
import type { Functions } from '../../../local/functions/functions.ts';
import type { InvocationResult, LambdaFunction } from '../../../local/functions/lambda-function.ts';
import { openScheduler } from '../../../local/schedules/scheduler.ts';
import { ServiceError } from '../../../local/services/service.ts';
import { State } from '../../../local/state.ts';
import { HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { runFolder } from '../../support/run-folder.ts';

const HOURLY = {
  name: 'hourly',
  arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/hourly',
  expression: 'rate(1 hour)',
  timeZone: 'UTC',
  functionName: 'hourly',
  role: { name: 'caller', arn: 'arn:aws:iam::000000000000:role/caller', trust: [], statements: [] },
  input: '{"its":"input"}',
  deadLetterQueue: undefined,
};
/** Lets all that is due go on. */
const turn = () => new Promise(setImmediate);

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

/** A scheduler that started, with the runs of its function so far. The caller ends them. */
function started(name: string) {
  const runs: ((outcome: Partial<InvocationResult> | ServiceError) => Promise<unknown>)[] = [];
  const deadLetters: unknown[] = [];
  const target = {
    plan: { name: 'hourly', deadLetterQueue: 'failures' },
    invoke: () =>
      new Promise((resolve, reject) => {
        runs.push((outcome) => {
          if (outcome instanceof ServiceError) reject(outcome);
          else resolve({ payload: Buffer.alloc(0), functionError: undefined, ...outcome });
          return turn();
        });
      }),
  } as unknown as LambdaFunction;
  const state = new State(join(runFolder(), `scheduler-${name}`));
  const clock = new LocalClock();
  const events = openAsyncEvents(state, clock, new Map([['hourly', target]]), async (...letter) => {
    deadLetters.push(letter);
  });
  const functions = {
    get: () => target,
    invoke: async (functionName: string, payload: Uint8Array) => events.enqueue(functionName, payload),
    untilAttempted: (functionName: string) => events.untilAttempted(functionName),
  } as unknown as Functions;
  const place = { region: 'us-east-1', account: '000000000000' };
  const scheduler = openScheduler([HOURLY], functions, state, clock, place);
  scheduler.start();
  stops.push(() => {
    scheduler.stop();
    events.stop();
    state.close();
  });
  const advance = (ms: number) => {
    clock.advance(ms);
    return turn();
  };
  return { scheduler, runs, deadLetters, advance };
}

it('a manual run also waits for the run that a clock jump started', async () => {
  const { scheduler, runs, advance } = started('manual');
  await advance(HOUR);
  let ended = false;
  const run = scheduler.run('hourly').then((outcome) => {
    ended = true;
    return outcome;
  });
  await turn();
  expect(runs).toHaveLength(2);
  await runs[1]?.({});
  expect(ended).toBe(false);
  await runs[0]?.({});
  expect(await run).toEqual({ ok: true });
});

it('a run that fails is repeated after one and two minutes, and then is a dead letter of its function', async () => {
  const { runs, deadLetters, advance } = started('failing');
  // The next hour is too far for the minutes below to reach it.
  await advance(HOUR - (Date.now() % HOUR) + MINUTE);
  for (const [attempt, minutes] of [1, 2].entries()) {
    expect(runs).toHaveLength(attempt + 1);
    await runs[attempt]?.({ functionError: 'Unhandled' });
    await advance((minutes - 0.5) * MINUTE);
    expect(runs).toHaveLength(attempt + 1);
    await advance(MINUTE);
  }
  expect(deadLetters).toEqual([]);
  await runs[2]?.({ functionError: 'Unhandled' });
  await advance(10 * MINUTE);
  expect(runs).toHaveLength(3);
  expect(deadLetters).toEqual([['failures', HOURLY.input]]);
});

it('a run that its function refuses is tried for six hours, and then is a dead letter', async () => {
  const { runs, deadLetters, advance } = started('refused');
  const refusal = new ServiceError('TooManyRequestsException', 'Rate Exceeded.', 429);
  await advance(HOUR - (Date.now() % HOUR) + MINUTE);
  await runs[0]?.(refusal);
  await advance(2_000);
  await runs[1]?.(refusal);
  expect(deadLetters).toEqual([]);
  await advance(6 * HOUR);
  // The schedule has run again, too.
  expect(runs).toHaveLength(4);
  for (const run of runs.slice(2)) await run(refusal);
  expect(deadLetters).toEqual([['failures', HOURLY.input]]);
});

it('a run does not wait for the end of the run before', async () => {
  const { runs, advance } = started('overlapping');
  await advance(HOUR);
  await advance(HOUR);
  expect(runs).toHaveLength(2);
});
