import { join } from 'node:path';
import { LocalClock } from '../../../local/clock.ts';
import type { Functions } from '../../../local/functions/functions.ts';
import { Scheduler } from '../../../local/schedules/scheduler.ts';
import { State } from '../../../local/state.ts';
import { runFolder } from '../../support/run-folder.ts';

const HOUR = 60 * 60 * 1_000;
const HOURLY = {
  name: 'hourly',
  arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule/default/hourly',
  expression: 'rate(1 hour)',
  timeZone: 'UTC',
  functionName: 'hourly',
  role: { name: 'caller', arn: 'arn:aws:iam::000000000000:role/caller', trust: [], statements: [] },
  input: undefined,
  deadLetterQueue: undefined,
};

it('a manual run also waits for the run that a clock jump started', async () => {
  const ends: (() => void)[] = [];
  const invoke = () =>
    new Promise((resolve) => {
      ends.push(() => resolve({ payload: Buffer.alloc(0), functionError: false }));
    });
  const functions = { get: () => ({ invoke }) } as unknown as Functions;
  const state = new State(join(runFolder(), 'scheduler'));
  const clock = new LocalClock();
  const scheduler = new Scheduler([HOURLY], functions, state, clock, {
    region: 'us-east-1',
    account: '000000000000',
  });
  scheduler.start();
  clock.advance(HOUR);
  await new Promise(setImmediate);
  let ended = false;
  const run = scheduler.run('hourly').then((outcome) => {
    ended = true;
    return outcome;
  });
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  ends[0]?.();
  expect(await run).toEqual({ ok: true });
  scheduler.stop();
  state.close();
});
