import { availableParallelism } from 'node:os';
import { setImmediate as immediate } from 'node:timers/promises';
import { EventSource } from '../../../local/functions/event-source.ts';

const plan = {
  queueName: 'jobs',
  queueArn: 'arn:aws:sqs:eu-north-1:000000000000:jobs',
  functionName: 'job',
  batchSize: 2,
  maxConcurrency: 1,
  reportsItemFailures: true,
};
const target = {
  plan: { reservedConcurrency: 1, memoryMb: 512 },
  allowWorkers() {},
  invoke: () => Promise.reject(),
};

/** A source whose only receive ends when the test says so. */
function waitingSource() {
  const received = Promise.withResolvers<never>();
  const services = {
    region: 'eu-north-1',
    receive: () => received.promise,
    deleteMessages: async () => undefined,
  };
  return { source: new EventSource(plan, target, services), fail: received.reject };
}

describe('a receive that fails', () => {
  it('a receive that fails while the event source runs is an error', async () => {
    const { source, fail } = waitingSource();
    const running = source.run();
    fail(new Error('refused'));
    await expect(running).rejects.toThrow('refused');
  });

  it('a receive that fails after the event source was stopped is ignored', async () => {
    const { source, fail } = waitingSource();
    const running = source.run();
    source.stop();
    fail(new Error('refused'));
    await expect(running).resolves.toBeUndefined();
  });
});

/** @behaviour lambda.batches */
describe('the report of a batch', () => {
  /** The messages that are deleted after a batch of `a` and `b`. */
  async function deletedAfter(report: unknown): Promise<string[]> {
    const batch = ['a', 'b'].map((messageId) => ({
      messageId,
      receiptHandle: messageId,
      body: '',
      md5OfBody: '',
      attributes: {},
    }));
    const answered = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<never>();
    const deleted: string[] = [];
    const source = new EventSource(
      plan,
      {
        ...target,
        invoke: async () => {
          setImmediate(answered.resolve);
          return { payload: Buffer.from(JSON.stringify(report)), functionError: undefined };
        },
      },
      {
        region: 'eu-north-1',
        receive: () => (batch.length > 0 ? Promise.resolve(batch.splice(0)) : ended.promise),
        deleteMessages: async (_queue, handles) => {
          deleted.push(...handles);
        },
      },
    );
    const running = source.run();
    await answered.promise;
    source.stop();
    ended.reject(new Error('stopped'));
    await running;
    return deleted;
  }

  it('a report of one message keeps that one in the queue', async () => {
    expect(await deletedAfter({ batchItemFailures: [{ itemIdentifier: 'a' }] })).toEqual(['b']);
  });

  it.each([[''], [null], [undefined]])(
    'a report of %j, which names no message, keeps the whole batch in the queue',
    async (itemIdentifier) => {
      expect(await deletedAfter({ batchItemFailures: [{ itemIdentifier }] })).toEqual([]);
    },
  );

  it.each([[null], [{}], [{ batchItemFailures: null }], [{ batchItemFailures: [] }]])(
    'the report %j is that of a batch without failures',
    async (report) => {
      expect(await deletedAfter(report)).toEqual(['a', 'b']);
    },
  );
});

/** The number of batches that run at once while this process is busy, for a function of so much memory. */
async function runningWhileBusy(memoryMb: number): Promise<number> {
  const ended = Promise.withResolvers<{ payload: Buffer; functionError: undefined }>();
  const message = { messageId: 'a', receiptHandle: 'a', body: '', md5OfBody: '', attributes: {} };
  let running = 0;
  const source = new EventSource(
    { ...plan, batchSize: 1, maxConcurrency: 40 },
    {
      plan: { reservedConcurrency: 1, memoryMb },
      allowWorkers() {},
      invoke: () => {
        running += 1;
        return ended.promise;
      },
    },
    { region: 'eu-north-1', receive: async () => [message], deleteMessages: async () => undefined },
  );
  const stopped = source.run();
  // Longer than the source samples how busy the process is, several times.
  for (const end = performance.now() + 200; performance.now() < end; ) await immediate();
  const most = running;
  source.stop();
  ended.resolve({ payload: Buffer.from('{}'), functionError: undefined });
  await stopped;
  return most;
}

it('while the process is busy, a function that computes leaves half of the processors to others', async () => {
  expect(await runningWhileBusy(1_768)).toBe(5);
  expect(await runningWhileBusy(1_769)).toBe(Math.ceil(availableParallelism() / 2));
});
