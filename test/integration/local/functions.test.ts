import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvokeCommand } from '@aws-sdk/client-lambda';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { until } from '../../support/until.ts';
import { type Json, Notes } from './notes.ts';

let notes: Notes;

beforeAll(async () => {
  notes = await Notes.start();
}, 60_000);
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
  it('has its own environment and nothing of this machine’s', async () => {
    process.env.LEAKED = 'from the machine';
    const { own, leaked } = await notes.json('/echo');
    delete process.env.LEAKED;
    expect([own, leaked]).toEqual(['only echo has this', null]);
    expect((await notes.json('/behave')).own).toBeNull();
  });

  it('is used again when it has answered, and begins anew when it was killed', async () => {
    const first = await notes.json('/behave');
    const second = await notes.json('/behave');
    expect(second.environmentId).toBe(first.environmentId);
    expect(second.invocations).toBe(first.invocations + 1);
    await notes.fetch('/behave?do=exit');
    const third = await notes.json('/behave');
    expect(third.environmentId).not.toBe(first.environmentId);
    expect(third.invocations).toBe(1);
  });

  it('sees the moved clock everywhere, but its time left by the real one', async () => {
    notes.cloud.clock.advance(40 * 86_400_000);
    const { now, newDate, isDate, remaining } = await notes.json('/behave');
    expect(Math.abs(now - notes.cloud.clock.now())).toBeLessThan(2_000);
    expect(Math.abs(Date.parse(newDate) - now)).toBeLessThan(1_000);
    expect(isDate).toBe(true);
    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(1_000);
  });

  it('writes what it prints to a log of its own', async () => {
    await notes.fetch('/behave?do=tell');
    const file = join(notes.dir, 'logs', 'notes-behave.log');
    await until(
      () => existsSync(file) && readFileSync(file, 'utf8').includes('I am asked to tell'),
      'the log',
    );
  });

  it('runs side by side in environments of its own, one invocation in each', async () => {
    const tellers = await Promise.all([1, 2, 3].map(() => notes.json('/behave?do=linger')));
    expect(new Set(tellers.map(({ environmentId }) => environmentId)).size).toBeGreaterThan(1);
  });

  it('is refused beyond its reserved concurrency', async () => {
    const outcomes = await Promise.allSettled([1, 2].map(() => invoke('notes-one', { ms: 500 })));
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason.name] : [],
    );
    expect(refusals).toEqual(['TooManyRequestsException']);
  });
});

describe('an invocation', () => {
  it('answers an error as Lambda does, with its type, message and trace', async () => {
    const { error, answer } = await invoke('notes-behave', { do: 'throw' });
    expect(error).toBe('Unhandled');
    expect(answer).toMatchObject({ errorType: 'TypeError', errorMessage: 'This is how it fails' });
    expect(answer.trace[0]).toBe('TypeError: This is how it fails');
  });

  it.each(['hang', 'spin'])('ends at the function’s time-out, also one that does: %s', async (what) => {
    const { error, answer } = await invoke('notes-behave', { do: what });
    expect(error).toBe('Unhandled');
    expect(answer.errorType).toBe('Sandbox.Timedout');
    expect(answer.errorMessage).toMatch(/^RequestId: [0-9a-f-]+ Error: Task timed out after 1\.00 seconds$/);
  });

  it('says that the runtime has ended when the function ends its process', async () => {
    const { answer } = await invoke('notes-behave', { do: 'exit' });
    expect(answer.errorType).toBe('Runtime.ExitError');
  });

  it('refuses a function that is not there', async () => {
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

  it('is tried again after a minute, and again after two more', async () => {
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

  it('goes to its destination when every attempt has failed', async () => {
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

describe('a call of a function to AWS', () => {
  it('is made with the function’s own name and role', async () => {
    await notes.control('DELETE', '/calls');
    expect((await notes.call('put', { id: 'a' })).status).toBe(200);
    const { body } = await notes.control('GET', '/calls');
    expect(body).toEqual([
      {
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        function: 'notes-store',
        service: 'dynamodb',
        operation: 'PutItem',
        request_id: expect.any(String),
        consumed_capacity: expect.any(Number),
      },
    ]);
  });

  it('is refused where the function’s policy does not allow it', async () => {
    const { status, body } = await notes.call('delete', { id: 'a' });
    expect([status, body.error]).toEqual([500, 'AccessDeniedException']);
    expect(body.message).toContain('dynamodb:DeleteItem');
    expect((await notes.call('get', { id: 'a' })).body.Item).toEqual({ pk: { S: 'a' } });
  });
});

describe('a queue’s messages', () => {
  const sendMessage = (body: string, delaySeconds = 0) =>
    notes.sqs().send(
      new SendMessageCommand({
        QueueUrl: notes.cloud.services.queueUrl('notes-jobs'),
        MessageBody: body,
        DelaySeconds: delaySeconds,
      }),
    );

  it('are handed to the function, and gone when it is done', async () => {
    expect((await notes.call('send', { body: 'good' })).status).toBe(200);
    await notes.untilCounted('message good', 1);
    await until(async () => {
      const { visible, in_flight } = await notes.queue('notes-jobs');
      return visible + in_flight === 0;
    }, 'the queue to be empty');
  });

  it('are handed over in several invocations where they are too large for one', async () => {
    const names = ['heavy 1', 'heavy 2', 'heavy 3', 'heavy 4'];
    // Two bytes each, as a function is given them: eight megabytes in all, of six that an invocation takes.
    const weight = `\n${'"'.repeat(1_000_000)}`;
    await Promise.all(names.map((name) => sendMessage(name + weight, 60)));
    notes.cloud.clock.advance(61_000);
    for (const name of names) await notes.untilCounted(`message ${name}`, 1);
  });

  it('come again only where the function has reported them as failed', async () => {
    await Promise.all(['late 1', 'good 2'].map((body) => sendMessage(body)));
    await notes.untilCounted('message late 1', 1);
    await notes.untilCounted('message good 2', 1);
    await until(
      async () => (await notes.queue('notes-jobs')).in_flight === 1,
      'one to wait for its next time',
    );
    notes.cloud.clock.advance(31_000);
    await notes.untilCounted('message late 1', 2);
    expect((await notes.counted('message good 2')).times).toBe(1);
  });

  it('are dead letters when they have failed as often as they may', async () => {
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
