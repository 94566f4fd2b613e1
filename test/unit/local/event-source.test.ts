import { EventSource } from '../../../local/functions/event-source.ts';

const target = { plan: { reservedConcurrency: 1 }, allowWorkers() {}, invoke: () => Promise.reject() };

/** A source whose only receive ends when the test says so. */
function waitingSource() {
  const received = Promise.withResolvers<never>();
  const services = {
    region: 'eu-north-1',
    receive: () => received.promise,
    deleteMessages: async () => undefined,
  };
  const plan = {
    queueName: 'jobs',
    queueArn: 'arn:aws:sqs:eu-north-1:000000000000:jobs',
    functionName: 'job',
    batchSize: 1,
    maxConcurrency: 1,
    reportsItemFailures: true,
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
