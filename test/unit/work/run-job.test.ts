import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { due, jobKey } from '../../../shared/store/keys.ts';
import { reportRun, resumesRun, runJob, sum } from '../../../shared/work/run-job.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const ARN = 'arn:aws:lambda:eu-north-1:000000000000:function:expire';
const PAST = '2020-01-01T00:00:00.000Z';
const START = new Date('2026-11-21T12:00:00.000Z');

const contextWith = (milliseconds: number) =>
  ({ invokedFunctionArn: ARN, getRemainingTimeInMillis: () => milliseconds }) as Context;

const memory = new MemoryDynamo();
const { table } = memory;
const keyOf = (id: unknown) => ({ pk: `REQ#${id}`, sk: 'R#META' });
const add = (dueAt: string, id: string) => memory.set({ ...keyOf(id), id, ...due('EXPIRE', dueAt, id) });
let lines: Record<string, unknown>[];
let invocations: unknown[];
const lambdaCalls = mockClient(LambdaClient);

beforeEach(() => {
  lines = captureLog();
  memory.clear();
  virtualTime(START);
  invocations = [];
  lambdaCalls.reset();
  lambdaCalls.on(InvokeCommand).callsFake((input) => {
    expect(input).toMatchObject({ FunctionName: ARN, InvocationType: 'Event' });
    invocations.push(JSON.parse(input.Payload));
    return {};
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('runJob', () => {
  it('a job with enough time processes everything, stores a report and does not reinvoke itself', async () => {
    for (let n = 0; n < 250; n += 1) add(PAST, `item-${n}`);
    const handler = runJob({
      table,
      name: 'expire',
      kind: 'EXPIRE',
      work: async () => true,
    });
    expect(await handler({}, contextWith(60_000))).toEqual({ due: 250, done: 250, failed: 0 });
    expect(invocations).toEqual([]);
    expect(memory.item(jobKey('expire'))).toMatchObject({
      name: 'expire',
      startedAt: START.toISOString(),
      endedAt: START.toISOString(),
      due: 250,
      done: 250,
      failed: 0,
      reinvokesItself: false,
    });
    expect(lines).toMatchObject([
      { JobDue: 250, JobDone: 250, JobFailed: 0 },
      { level: 'info', job: 'expire', due: 250, reinvokes_itself: false },
    ]);
  });

  it('a job that runs out of time resumes until everything is processed, and does not retry failed items forever', async () => {
    for (let n = 0; n < 900; n += 1) add(PAST, `item-${n}`);
    const attempts = new Map<string, number>();
    let clock = START.getTime();
    const handler = runJob({
      table,
      name: 'expire',
      kind: 'EXPIRE',
      work: async ({ id }) => {
        const key = String(id);
        attempts.set(key, (attempts.get(key) ?? 0) + 1);
        clock += 10;
        jest.setSystemTime(clock);
        if (key.endsWith('3')) throw new Error('broken');
        await table.delete(keyOf(id));
        return true;
      },
    });
    let event: unknown = {};
    let runs = 0;
    for (;;) {
      runs += 1;
      // Time for about a hundred items besides the reserve.
      await handler(event, contextWith(21_000));
      event = invocations.shift();
      if (event === undefined) break;
      expect(memory.item(jobKey('expire'))).toMatchObject({ reinvokesItself: true });
      expect(lines.at(-1)).toMatchObject({ job: 'expire', reinvokes_itself: true });
      expect(runs).toBeLessThan(50);
    }
    expect(runs).toBeGreaterThan(5);
    expect(attempts.size).toBe(900);
    for (const [id, times] of attempts) {
      if (!id.endsWith('3')) expect(times).toBe(1);
      else expect(times).toBeLessThanOrEqual(3);
    }
    const left = memory.items.filter(({ sk }) => sk === 'R#META');
    expect(left).toHaveLength(90);
    expect(left.every(({ id }) => String(id).endsWith('3'))).toBe(true);
    expect(memory.item(jobKey('expire'))).toMatchObject({
      startedAt: START.toISOString(),
      endedAt: new Date(clock).toISOString(),
      done: 810,
      failed: [...attempts].reduce((all, [id, times]) => (id.endsWith('3') ? all + times : all), 0),
      reinvokesItself: false,
    });
  });

  it('a job works on as many items at once as it asks for', async () => {
    for (let n = 0; n < 100; n += 1) add(PAST, `item-${n}`);
    const mostAtOnce = async (limits: { concurrency?: number }) => {
      let [underWay, most] = [0, 0];
      const work = async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await Promise.resolve();
        underWay -= 1;
        return true;
      };
      const job = { table, name: 'expire', kind: 'EXPIRE', work } as const;
      await runJob({ ...job, ...limits })({}, contextWith(60_000));
      return most;
    };
    expect(await mostAtOnce({ concurrency: 2 })).toBe(2);
    expect(await mostAtOnce({})).toBeGreaterThan(2);
  });

  it('a job that works alone leaves its items to a run that is being resumed, unless that one has died', async () => {
    for (let n = 0; n < 900; n += 1) add(PAST, `item-${n}`);
    let worked = 0;
    const handler = runJob({
      table,
      name: 'expire',
      kind: 'EXPIRE',
      alone: true,
      work: async () => {
        worked += 1;
        jest.setSystemTime(Date.now() + 10);
        return true;
      },
    });
    const run = async (event: unknown) => {
      const before = worked;
      await handler(event, contextWith(21_000));
      return worked - before;
    };
    expect(await run({})).toBeGreaterThan(0);
    memory.isLagging = true;
    expect(await run({})).toBe(0);
    memory.isLagging = false;
    expect(memory.item(jobKey('expire'))).toMatchObject({ reinvokesItself: true });
    expect(await run(invocations.shift())).toBeGreaterThan(0);
    jest.setSystemTime(Date.now() + 19 * 60_000);
    expect(await run({})).toBe(0);
    jest.setSystemTime(Date.now() + 60_000);
    expect(await run({})).toBeGreaterThan(0);
  });

  it.each<[string, number, () => void]>([
    [
      'could not invoke itself',
      21_000,
      () => lambdaCalls.on(InvokeCommand).rejectsOnce(new Error('throttled')),
    ],
    ['had no time for a single item', 1_000, () => undefined],
  ])('a job that works alone does not wait for a run that %s', async (_, milliseconds, fail) => {
    for (let n = 0; n < 900; n += 1) add(PAST, `item-${n}`);
    const handler = runJob({
      table,
      name: 'expire',
      kind: 'EXPIRE',
      alone: true,
      work: async () => {
        jest.setSystemTime(Date.now() + 10);
        return true;
      },
    });
    fail();
    await expect(handler({}, contextWith(milliseconds))).rejects.toThrow(/throttled|no time/);
    expect(memory.item(jobKey('expire'))).toMatchObject({ reinvokesItself: false });
    expect((await handler({}, contextWith(21_000))).done).toBeGreaterThan(0);
  });

  it('a job without time for a single item fails instead of reinvoking itself forever', async () => {
    add(PAST, 'item');
    const handler = runJob({
      table,
      name: 'expire',
      kind: 'EXPIRE',
      work: async () => true,
    });
    await expect(handler({}, contextWith(1_000))).rejects.toThrow('no time');
    expect(invocations).toEqual([]);
  });
});

it('a job’s event may be anything that does not name unfinished work', async () => {
  const handler = runJob({ table, name: 'expire', kind: 'EXPIRE', work: async () => true });
  for (const event of [null, undefined, {}, { source: 'aws.scheduler' }])
    expect(await handler(event, contextWith(60_000))).toEqual({ due: 0, done: 0, failed: 0 });
});

it('a run is resumed by an event that names unfinished work', () => {
  expect(resumesRun({ unfinished: { startedAt: PAST, tally: {}, from: 'x' } })).toBe(true);
  for (const event of [null, undefined, {}, { source: 'aws.scheduler' }])
    expect(resumesRun(event)).toBe(false);
});

it('tallies are added up, missing ones left out', () => {
  expect(sum({ due: 1, done: 2, failed: 3 }, undefined, { due: 10, done: 20, failed: 30 })).toEqual({
    due: 11,
    done: 22,
    failed: 33,
  });
  expect(sum()).toEqual({ due: 0, done: 0, failed: 0 });
});

it('a report says by default that the job does not continue', async () => {
  await reportRun(table, 'sweep', PAST, { due: 1, done: 1, failed: 0 });
  expect(memory.item(jobKey('sweep'))).toMatchObject({
    name: 'sweep',
    startedAt: PAST,
    endedAt: START.toISOString(),
    due: 1,
    reinvokesItself: false,
  });
});
