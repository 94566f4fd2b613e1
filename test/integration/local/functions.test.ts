import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { until } from '../../support/until.ts';
import { type Json, Notes } from './notes.ts';

let notes: Notes;

beforeAll(async () => {
  notes = await Notes.start();
});
afterAll(() => notes.stop());

async function invoke(
  FunctionName: string,
  event: object,
): Promise<{ error: string | undefined; answer: Json }> {
  const { Payload, FunctionError } = await notes
    .lambda()
    .send(new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }));
  return { error: FunctionError, answer: JSON.parse(Buffer.from(Payload ?? []).toString()) };
}

describe('a function', () => {
  it('a function sees its own environment variables and none of this machine', async () => {
    process.env.LEAKED = 'from the machine';
    const { own, leaked } = await notes.json('/echo');
    delete process.env.LEAKED;
    expect([own, leaked]).toEqual(['only echo has this', null]);
    expect((await notes.json('/behave')).own).toBeNull();
  });

  /** @behaviour lambda.environments */
  it('an environment is reused after an answer and replaced after a kill', async () => {
    const first = await notes.json('/behave');
    const second = await notes.json('/behave');
    expect(second.environmentId).toBe(first.environmentId);
    expect(second.invocations).toBe(first.invocations + 1);
    await notes.fetch('/behave?do=exit');
    const third = await notes.json('/behave');
    expect(third.environmentId).not.toBe(first.environmentId);
    expect(third.invocations).toBe(1);
  });

  it('a function sees the moved clock, but its remaining time is real time', async () => {
    notes.cloud.clock.advance(40 * 86_400_000);
    const { now, newDate, isDate, remaining } = await notes.json('/behave');
    expect(Math.abs(now - notes.cloud.clock.now())).toBeLessThan(2_000);
    expect(Math.abs(Date.parse(newDate) - now)).toBeLessThan(1_000);
    expect(isDate).toBe(true);
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(1_000);
  });

  it('the output of a function is written to its log file', async () => {
    await notes.fetch('/behave?do=report');
    const file = join(notes.dir, 'logs', 'notes-behave.log');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('Asked to report'), 'the log');
  });

  it('concurrent invocations run in environments of their own', async () => {
    const reports = await Promise.all([1, 2, 3].map(() => notes.json('/behave?do=reportLate')));
    expect(new Set(reports.map(({ environmentId }) => environmentId)).size).toBeGreaterThan(1);
  });

  /** @behaviour lambda.reserved-concurrency */
  it('an invocation beyond the reserved concurrency is refused', async () => {
    const outcomes = await Promise.allSettled([1, 2].map(() => invoke('notes-one', { ms: 500 })));
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.name] : [],
    );
    expect(refusals).toEqual(['TooManyRequestsException']);
  });

  it('an invocation takes 6 MB, an asynchronous one 1 MB', async () => {
    const refusal = { name: 'RequestTooLargeException', $metadata: { httpStatusCode: 413 } };
    for (const [InvocationType, megabytes] of [['RequestResponse', 6] as const, ['Event', 1] as const]) {
      const Payload = 'x'.repeat(megabytes * 1024 * 1024 + 1);
      const input = { FunctionName: 'notes-one', InvocationType, Payload };
      await expect(notes.lambda().send(new InvokeCommand(input))).rejects.toMatchObject(refusal);
    }
  });
});

describe('an invocation', () => {
  it('an error of a function is answered with its type, message and trace', async () => {
    const { error, answer } = await invoke('notes-behave', { do: 'throw' });
    expect(error).toBe('Unhandled');
    expect(answer).toMatchObject({ errorType: 'TypeError', errorMessage: 'Failed as asked' });
    expect(answer.trace[0]).toBe('TypeError: Failed as asked');
  });

  it.each(['hang', 'spin'])('a function that does %s ends at its time-out', async (what) => {
    const { error, answer } = await invoke('notes-behave', { do: what });
    expect(error).toBe('Unhandled');
    expect(answer.errorType).toBe('Sandbox.Timedout');
    expect(answer.errorMessage).toMatch(/^RequestId: [0-9a-f-]+ Error: Task timed out after 1\.00 seconds$/);
  });

  /** @behaviour lambda.failures */
  it('a function that exits its process fails with Runtime.ExitError', async () => {
    const { answer } = await invoke('notes-behave', { do: 'exit' });
    expect(answer.errorType).toBe('Runtime.ExitError');
  });

  it('invoking an unknown function is an error', async () => {
    await expect(invoke('notes-nobody', {})).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('an asynchronous invocation', () => {
  const event = async (payload: object) => {
    const { StatusCode } = await notes.lambda().send(
      new InvokeCommand({
        FunctionName: 'notes-task',
        InvocationType: 'Event',
        Payload: JSON.stringify(payload),
      }),
    );
    expect(StatusCode).toBe(202);
  };

  /** @behaviour lambda.async-retries */
  it('a failed event is retried after one and after two more minutes', async () => {
    await event({ name: 'twice', failures: 2 });
    await notes.untilCounted('task twice', 1);
    await until(() => notes.logged.some((line) => line.includes('Attempt 1')), 'the first failure');
    notes.cloud.clock.advance(61_000);
    await notes.untilCounted('task twice', 2);
    await until(() => notes.logged.some((line) => line.includes('Attempt 2')), 'the second failure');
    notes.cloud.clock.advance(121_000);
    await notes.untilCounted('task twice', 3);
    expect((await notes.queue('notes-failed')).visible).toBe(0);
  });

  it('an event is a dead letter when all attempts failed', async () => {
    await event({ name: 'never', failures: 9 });
    for (const attempt of [1, 2, 3]) {
      await notes.untilCounted('task never', attempt);
      await until(
        () =>
          notes.logged.filter((line) => line.includes(`Attempt ${attempt}`)).length >= (attempt < 3 ? 2 : 1),
        'the failure',
      );
      notes.cloud.clock.advance(121_000);
    }
    await until(async () => (await notes.queue('notes-failed')).visible === 1, 'the failed event');
  });
});

describe('an AWS call of a function', () => {
  it('an AWS call of a function is logged with the name of the function', async () => {
    await notes.control('DELETE', '/calls');
    expect((await notes.call('put', { id: 'a' })).status).toBe(200);
    const { body } = await notes.control('GET', '/calls');
    // A scheduled function may make a call at the same time.
    const calls = (body as { function: string }[]).filter((call) => call.function === 'notes-store');
    expect(calls).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        function: 'notes-store',
        service: 'dynamodb',
        operation: 'PutItem',
        request_id: expect.any(String),
        consumed_capacity: expect.any(Number),
        started_ms: expect.any(Number),
        ended_ms: expect.any(Number),
      },
    ]);
  });

  it('an AWS call that the policy of a function does not allow is denied', async () => {
    const { status, body } = await notes.call('delete', { id: 'a' });
    expect([status, body.error]).toEqual([500, 'AccessDeniedException']);
    expect(body.message).toContain('dynamodb:DeleteItem');
    expect((await notes.call('get', { id: 'a' })).body.Item).toEqual({ pk: { S: 'a' } });
  });
});

describe('messages of a queue', () => {
  const sendMessage = (MessageBody: string) =>
    notes
      .sqs()
      .send(new SendMessageCommand({ QueueUrl: notes.cloud.services.queueUrl('notes-jobs'), MessageBody }));

  it('messages are passed to the function and deleted when it succeeds', async () => {
    expect((await notes.call('send', { body: 'good' })).status).toBe(200);
    await notes.untilCounted('message good', 1);
    await until(async () => {
      const { visible, in_flight } = await notes.queue('notes-jobs');
      return visible + in_flight === 0;
    }, 'the queue to be empty');
  });

  it('a batch too large for one invocation is split', async () => {
    // Each fails once, so that all are visible again at one time.
    const names = ['late large 1', 'late large 2', 'late large 3', 'late large 4'];
    // Each quote is two bytes in JSON: eight megabytes in all, while an invocation takes six.
    const padding = `\n${'"'.repeat(1_000_000)}`;
    await Promise.all(names.map((name) => sendMessage(name + padding)));
    for (const name of names) await notes.untilCounted(`message ${name}`, 1);
    await until(async () => (await notes.queue('notes-jobs')).in_flight === 4, 'all to be in flight');
    notes.cloud.clock.advance(31_000);
    for (const name of names) await notes.untilCounted(`message ${name}`, 2);
  });

  /** @behaviour lambda.batches */
  it('only the messages that the function reports as failed are retried', async () => {
    await Promise.all(['late 1', 'good 2'].map((body) => sendMessage(body)));
    await notes.untilCounted('message late 1', 1);
    await notes.untilCounted('message good 2', 1);
    await until(async () => (await notes.queue('notes-jobs')).in_flight === 1, 'one message in flight');
    notes.cloud.clock.advance(31_000);
    await notes.untilCounted('message late 1', 2);
    expect((await notes.counted('message good 2')).times).toBe(1);
  });

  it('a message that failed too often moves to the dead-letter queue', async () => {
    await sendMessage('bad');
    await notes.untilCounted('message bad', 1);
    await until(async () => (await notes.queue('notes-jobs')).in_flight === 1, 'the first failure');
    notes.cloud.clock.advance(31_000);
    await notes.untilCounted('message bad', 2);
    await until(async () => {
      notes.cloud.clock.advance(31_000);
      return (await notes.queue('notes-dead')).visible === 1;
    }, 'the dead letter');
    expect((await notes.queue('notes-jobs')).dead_letters).toBe(1);
    expect((await notes.counted('message bad')).times).toBe(2);
  });
});
