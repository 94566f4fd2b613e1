import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListDeadLetterSourceQueuesCommand,
  ListMessageMoveTasksCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { account, allow, type Cloud, failure, queue, region, startCloud } from './harness.ts';

let cloud: Cloud;
let made = 0;

beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.stop());

/** A queue of its own for each test. */
async function newQueue(more: Parameters<typeof queue>[1] = {}) {
  const name = `queue-${++made}`;
  await cloud.services.createQueue(queue(name, more));
  const QueueUrl = cloud.services.queueUrl(name);
  const client = () => new SQSClient(cloud.operator);
  return {
    name,
    QueueUrl,
    arn: `arn:aws:sqs:${region}:${account}:${name}`,
    send: (MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
      client().send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    receive: async (more: Partial<ReceiveMessageCommandInput> = {}) =>
      (await client().send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more })))
        .Messages ?? [],
    delete: (ReceiptHandle: string | undefined) =>
      client().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
    visibility: (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
      client().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout })),
    client,
  };
}

const bodies = (messages: { Body?: string | undefined }[]) => messages.map(({ Body }) => Body);

describe('messages', () => {
  it('are received with their attributes, and gone once deleted', async () => {
    const q = await newQueue();
    const sent = await q.send('hello ü', {
      MessageAttributes: {
        kind: { DataType: 'String', StringValue: 'mail' },
        raw: { DataType: 'Binary', BinaryValue: Buffer.from([1, 2]) },
      },
    });
    const [message] = await q.receive({
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    expect(message).toMatchObject({
      MessageId: sent.MessageId,
      Body: 'hello ü',
      MD5OfBody: sent.MD5OfMessageBody,
      MD5OfMessageAttributes: sent.MD5OfMessageAttributes,
      Attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
      MessageAttributes: { kind: { StringValue: 'mail' }, raw: { BinaryValue: new Uint8Array([1, 2]) } },
    });
    await q.delete(message?.ReceiptHandle);
    cloud.clock.advance(31);
    expect(await q.receive()).toEqual([]);
  });

  it('come back when their visibility runs out, and only the latest receipt deletes them', async () => {
    const q = await newQueue();
    await q.send('again');
    const [first] = await q.receive();
    expect(await q.receive()).toEqual([]);
    cloud.clock.advance(31);
    const [second] = await q.receive({ MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
    expect(second?.Attributes).toEqual({ ApproximateReceiveCount: '2' });
    await q.delete(first?.ReceiptHandle);
    cloud.clock.advance(31);
    const [third] = await q.receive();
    expect(third?.Body).toBe('again');
    await q.delete(third?.ReceiptHandle);
    cloud.clock.advance(31);
    expect(await q.receive()).toEqual([]);
  });

  it('may be given more time, or none', async () => {
    const q = await newQueue();
    await q.send('timed');
    const [message] = await q.receive();
    await q.visibility(message?.ReceiptHandle, 100);
    cloud.clock.advance(60);
    expect(await q.receive()).toEqual([]);
    await q.visibility(message?.ReceiptHandle, 0);
    expect(bodies(await q.receive())).toEqual(['timed']);
    expect(await failure(q.visibility(message?.ReceiptHandle, 10))).toMatchObject({
      name: 'MessageNotInflight',
    });
  });

  it("wait for their delay, their own or the queue's", async () => {
    const q = await newQueue({ delaySeconds: 60 });
    await q.send('of the queue');
    await q.send('own', { DelaySeconds: 10 });
    await q.send('none', { DelaySeconds: 0 });
    expect(bodies(await q.receive())).toEqual(['none']);
    cloud.clock.advance(11);
    expect(bodies(await q.receive())).toEqual(['own']);
    cloud.clock.advance(50);
    expect(bodies(await q.receive())).toContain('of the queue');
  });

  it('are dropped after the retention period', async () => {
    const q = await newQueue({ retentionSeconds: 3600 });
    await q.send('old');
    cloud.clock.advance(3601);
    expect(await q.receive()).toEqual([]);
  });

  it('are all dropped by a purge', async () => {
    const q = await newQueue();
    await q.send('x');
    await q.client().send(new PurgeQueueCommand({ QueueUrl: q.QueueUrl }));
    expect(await q.receive()).toEqual([]);
  });
});

describe('long polling', () => {
  it('wakes at once for a new message', async () => {
    const q = await newQueue();
    const began = performance.now();
    const waiting = q.receive({ WaitTimeSeconds: 20 });
    await q.send('now');
    expect(bodies(await waiting)).toEqual(['now']);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('wakes at once when the clock is moved to the end of a delay', async () => {
    const q = await newQueue();
    await q.send('later', { DelaySeconds: 600 });
    const began = performance.now();
    const waiting = cloud.services.receive(q.name, 1, 20_000, new AbortController().signal);
    cloud.clock.advance(601);
    expect((await waiting).map(({ body }) => body)).toEqual(['later']);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('wakes by itself when a message becomes visible', async () => {
    const q = await newQueue();
    await q.send('soon', { DelaySeconds: 1 });
    expect(bodies(await q.receive({ WaitTimeSeconds: 10 }))).toEqual(['soon']);
  });

  it('ends without messages when its time is over', async () => {
    const q = await newQueue();
    expect(await q.receive({ WaitTimeSeconds: 1 })).toEqual([]);
  });

  it('takes no message for a caller who has hung up', async () => {
    const q = await newQueue();
    const abort = new AbortController();
    const waiting = q
      .client()
      .send(new ReceiveMessageCommand({ QueueUrl: q.QueueUrl, WaitTimeSeconds: 20 }), {
        abortSignal: abort.signal,
      });
    const polled = () => cloud.services.calls().at(-1)?.operation === 'ReceiveMessage';
    cloud.services.clearCalls();
    while (!polled()) await new Promise(setImmediate);
    abort.abort();
    expect(await failure(waiting)).toMatchObject({ name: 'AbortError' });
    while (cloud.services.queues().some(({ in_flight }) => in_flight < 0)) await new Promise(setImmediate);
    const message = cloud.services.receive(q.name, 1, 5000, new AbortController().signal);
    await q.send('for another');
    expect((await message).map(({ body }) => body)).toEqual(['for another']);
  });
});

describe('dead letters', () => {
  async function withDeadLetters() {
    const dead = await newQueue();
    const live = await newQueue({ deadLetter: { queueName: dead.name, maxReceiveCount: 2 } });
    await live.send('poison');
    for (let n = 0; n < 3; n++) {
      await live.receive();
      cloud.clock.advance(31);
    }
    return { dead, live };
  }
  const report = (name: string) => cloud.services.queues().find((one) => one.name === name);

  it('are what was received as often as the queue allows', async () => {
    const { dead, live } = await withDeadLetters();
    expect(report(live.name)).toEqual({ name: live.name, visible: 0, in_flight: 0, dead_letters: 1 });
    expect(report(dead.name)).toEqual({ name: dead.name, visible: 1, in_flight: 0, dead_letters: 0 });
    const [letter] = await dead.receive({ MessageSystemAttributeNames: ['All'] });
    expect(letter).toMatchObject({ Body: 'poison', Attributes: { DeadLetterQueueSourceArn: live.arn } });
    const sources = await dead
      .client()
      .send(new ListDeadLetterSourceQueuesCommand({ QueueUrl: dead.QueueUrl }));
    expect(sources.queueUrls).toEqual([live.QueueUrl]);
  });

  it('go back to where they came from by a move task', async () => {
    const { dead, live } = await withDeadLetters();
    await dead.client().send(new StartMessageMoveTaskCommand({ SourceArn: dead.arn }));
    const { Results } = await dead.client().send(new ListMessageMoveTasksCommand({ SourceArn: dead.arn }));
    expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }]);
    const [message] = await live.receive({ MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
    expect(message).toMatchObject({ Body: 'poison', Attributes: { ApproximateReceiveCount: '1' } });
    const wrong = dead.client().send(new StartMessageMoveTaskCommand({ SourceArn: live.arn }));
    expect(await failure(wrong)).toMatchObject({ name: 'InvalidParameterValue' });
  });
});

describe('batches', () => {
  it('succeed and fail entry by entry', async () => {
    const q = await newQueue();
    const send = new SendMessageBatchCommand({
      QueueUrl: q.QueueUrl,
      Entries: [
        { Id: 'good', MessageBody: 'x' },
        { Id: 'bad', MessageBody: 'control \u0001 character' },
      ],
    });
    const sent = await q.client().send(send);
    expect(sent.Successful).toMatchObject([{ Id: 'good' }]);
    expect(sent.Failed).toMatchObject([{ Id: 'bad', Code: 'InvalidMessageContents', SenderFault: true }]);
    const [message] = await q.receive();
    const handles = [
      { Id: 'a', ReceiptHandle: message?.ReceiptHandle },
      { Id: 'b', ReceiptHandle: 'nonsense' },
    ];
    const changed = await q.client().send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: q.QueueUrl,
        Entries: handles.map((handle) => ({ ...handle, VisibilityTimeout: 5 })),
      }),
    );
    expect(changed.Failed).toMatchObject([{ Id: 'b', Code: 'ReceiptHandleIsInvalid' }]);
    const deleted = await q
      .client()
      .send(new DeleteMessageBatchCommand({ QueueUrl: q.QueueUrl, Entries: handles }));
    expect([deleted.Successful, deleted.Failed]).toMatchObject([[{ Id: 'a' }], [{ Id: 'b' }]]);
  });

  it.each([
    ['EmptyBatchRequest', []],
    [
      'TooManyEntriesInBatchRequest',
      Array.from({ length: 11 }, (_, n) => ({ Id: `${n}`, MessageBody: 'x' })),
    ],
    [
      'BatchEntryIdsNotDistinct',
      [
        { Id: 'a', MessageBody: 'x' },
        { Id: 'a', MessageBody: 'y' },
      ],
    ],
    ['InvalidBatchEntryId', [{ Id: 'a b', MessageBody: 'x' }]],
    ['BatchRequestTooLong', [1, 2].map((n) => ({ Id: `${n}`, MessageBody: 'x'.repeat(600_000) }))],
  ])('as a whole may fail with %s', async (name, Entries) => {
    const q = await newQueue();
    const call = q.client().send(new SendMessageBatchCommand({ QueueUrl: q.QueueUrl, Entries }));
    expect(await failure(call)).toMatchObject({ name, status: 400 });
  });
});

describe('queues', () => {
  it('tell their attributes and addresses', async () => {
    const dead = await newQueue();
    const q = await newQueue({ deadLetter: { queueName: dead.name, maxReceiveCount: 3 } });
    await q.send('a');
    await q.send('b', { DelaySeconds: 60 });
    await q.send('c');
    await q.receive({ MaxNumberOfMessages: 1 });
    const { Attributes } = await q
      .client()
      .send(new GetQueueAttributesCommand({ QueueUrl: q.QueueUrl, AttributeNames: ['All'] }));
    expect(Attributes).toMatchObject({
      QueueArn: q.arn,
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      VisibilityTimeout: '30',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 3 }),
    });
    expect(await q.client().send(new GetQueueUrlCommand({ QueueName: q.name }))).toMatchObject({
      QueueUrl: q.QueueUrl,
    });
    const { QueueUrls } = await q.client().send(new ListQueuesCommand({ QueueNamePrefix: q.name }));
    expect(QueueUrls).toEqual([q.QueueUrl]);
  });

  it('that do not exist are named so', async () => {
    const client = new SQSClient(cloud.operator);
    const send = new SendMessageCommand({ QueueUrl: cloud.services.queueUrl('nowhere'), MessageBody: 'x' });
    expect(await failure(client.send(send))).toMatchObject({ name: 'QueueDoesNotExist', status: 400 });
    const find = new GetQueueUrlCommand({ QueueName: 'nowhere' });
    expect(await failure(client.send(find))).toMatchObject({ name: 'QueueDoesNotExist' });
  });

  it('take messages of up to 1 MiB', async () => {
    const q = await newQueue();
    await q.send('x'.repeat(1024 * 1024));
    expect(await failure(q.send('x'.repeat(1024 * 1024 + 1)))).toMatchObject({
      name: 'InvalidParameterValue',
    });
    expect(await failure(q.delete('nonsense'))).toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  });

  it('refuse those whom IAM does not let in', async () => {
    const q = await newQueue();
    const sender = new SQSClient(cloud.caller('sender', allow('sqs:SendMessage', q.arn)));
    const Entries = [{ Id: 'a', MessageBody: 'x' }];
    await sender.send(new SendMessageBatchCommand({ QueueUrl: q.QueueUrl, Entries }));
    const denied = { name: 'AccessDenied', message: expect.stringContaining('sqs:ReceiveMessage') };
    expect(await failure(sender.send(new ReceiveMessageCommand({ QueueUrl: q.QueueUrl })))).toMatchObject(
      denied,
    );
    const other = await newQueue();
    const elsewhere = new SendMessageCommand({ QueueUrl: other.QueueUrl, MessageBody: 'x' });
    expect(await failure(sender.send(elsewhere))).toMatchObject({ name: 'AccessDenied' });
  });
});

describe('the engine of the local cloud', () => {
  it('sends, receives, gives back and deletes by itself', async () => {
    const q = await newQueue();
    const { services } = cloud;
    await q.send('x', { MessageAttributes: { kind: { DataType: 'String', StringValue: 'mail' } } });
    const receive = () => services.receive(q.name, 10, 0, new AbortController().signal);
    const [message] = await receive();
    const kind = { dataType: 'String', stringValue: 'mail', stringListValues: [], binaryListValues: [] };
    expect(message).toMatchObject({ body: 'x', messageAttributes: { kind } });
    const handle = message?.receiptHandle ?? '';
    await services.changeVisibility(q.name, [handle], 0);
    // A second time it is not in flight any more; that is as good.
    await services.changeVisibility(q.name, [handle], 0);
    const [again] = await receive();
    await services.deleteMessages(q.name, [again?.receiptHandle ?? '']);
    await services.send(q.name, 'from the engine');
    cloud.clock.advance(31);
    expect((await receive()).map(({ body }) => body)).toEqual(['from the engine']);
  });
});
