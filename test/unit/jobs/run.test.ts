import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { runJob } from '../../../shared/jobs/run.ts';
import { FakeIndex } from './fake-index.ts';

const ARN = 'arn:aws:lambda:eu-north-1:000000000000:function:expire';
const PAST = '2020-01-01T00:00:00.000Z';

const contextOf = (milliseconds: number) =>
  ({ invokedFunctionArn: ARN, getRemainingTimeInMillis: () => milliseconds }) as Context;

let index: FakeIndex;
let started: unknown[];
const lambda = new LambdaClient({ region: 'eu-north-1' });
const lambdaCalls = mockClient(lambda);

beforeEach(() => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  index = new FakeIndex();
  started = [];
  lambdaCalls.reset();
  lambdaCalls.on(InvokeCommand).callsFake((input) => {
    expect(input).toMatchObject({ FunctionName: ARN, InvocationType: 'Event' });
    started.push(JSON.parse(input.Payload));
    return {};
  });
});
afterEach(() => jest.restoreAllMocks());

describe('a job', () => {
  it('that has time for all does all, reports it, and starts nothing', async () => {
    for (let n = 0; n < 250; n += 1) index.add(PAST, `item-${n}`);
    const handler = runJob({
      table: index.table,
      lambda,
      name: 'expire',
      kind: 'EXPIRE',
      work: async () => true,
    });
    expect(await handler({}, contextOf(60_000))).toEqual({ due: 250, done: 250, failed: 0 });
    expect(started).toEqual([]);
    expect(index.put).toEqual([
      expect.objectContaining({ pk: 'JOB#expire', due: 250, done: 250, failed: 0, goesOn: false }),
    ]);
  });

  it('whose time runs out goes on where it was until all is done, and tries no failed item again for ever', async () => {
    for (let n = 0; n < 900; n += 1) index.add(PAST, `item-${n}`);
    const attempts = new Map<string, number>();
    let clock = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => clock);
    jest.useFakeTimers({ now: clock, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const handler = runJob({
      table: index.table,
      lambda,
      name: 'expire',
      kind: 'EXPIRE',
      work: async ({ id }) => {
        const key = String(id);
        attempts.set(key, (attempts.get(key) ?? 0) + 1);
        clock += 10;
        jest.setSystemTime(clock);
        if (key.endsWith('3')) throw new Error('broken');
        index.entries.delete(key);
        return true;
      },
    });
    try {
      let event: unknown = {};
      let runs = 0;
      for (;;) {
        runs += 1;
        // Time for about a hundred items besides what is kept back.
        await handler(event, contextOf(21_000));
        event = started.shift();
        if (event === undefined) break;
        expect(runs).toBeLessThan(50);
      }
      expect(runs).toBeGreaterThan(5);
    } finally {
      jest.useRealTimers();
    }
    expect(attempts.size).toBe(900);
    for (const [id, times] of attempts) {
      if (!id.endsWith('3')) expect(times).toBe(1);
      else expect(times).toBeLessThanOrEqual(3);
    }
    expect([...index.entries.keys()].every((id) => id.endsWith('3'))).toBe(true);
    expect(index.put.at(-1)).toMatchObject({ done: 810, goesOn: false });
  });

  it('that has no time at all fails instead of starting itself for ever', async () => {
    index.add(PAST, 'item');
    const handler = runJob({
      table: index.table,
      lambda,
      name: 'expire',
      kind: 'EXPIRE',
      work: async () => true,
    });
    await expect(handler({}, contextOf(1_000))).rejects.toThrow('no time');
    expect(started).toEqual([]);
  });
});
