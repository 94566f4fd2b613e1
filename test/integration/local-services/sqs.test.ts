import {
  ChangeMessageVisibilityCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  PurgeQueueCommand,
  PurgeQueueInProgress,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { ReceivedMessage } from '../../../local/ports.ts';
import { ACCOUNT, allow, type Cloud, failure, queue, REGION, startCloud } from './harness.ts';

let cloud: Cloud;
let created = 0;

beforeAll(async () => {
  cloud = await startCloud();
});
afterAll(() => cloud.stop());

/** Each test has a queue of its own. */
async function newQueue(more: Parameters<typeof queue>[1] = {}) {
  const name = `queue-${++created}`;
  const { services } = cloud;
  await services.createQueue(queue(name, more));
  const QueueUrl = services.queueUrl(name);
  const client = () => new SQSClient(cloud.operator);
  return {
    name,
    QueueUrl,
    arn: `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`,
    send: (MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
      client().send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    receive: (max = 10, waitMs = 0, signal = new AbortController().signal) =>
      services.receive(name, max, waitMs, signal),
    delete: (message: ReceivedMessage | undefined) =>
      services.deleteMessages(name, [message?.receiptHandle ?? '']),
    changeVisibility: (message: ReceivedMessage | undefined, VisibilityTimeout: number) =>
      client().send(
        new ChangeMessageVisibilityCommand({
          QueueUrl,
          ReceiptHandle: message?.receiptHandle,
          VisibilityTimeout,
        }),
      ),
    client,
  };
}

const bodies = (messages: ReceivedMessage[]) => messages.map(({ body }) => body);

describe('messages', () => {
  it('a message is received with its attributes, and is gone once deleted', async () => {
    const q = await newQueue();
    const sent = await q.send('hello ü');
    const [message] = await q.receive();
    expect(message).toMatchObject({
      messageId: sent.MessageId,
      body: 'hello ü',
      md5OfBody: sent.MD5OfMessageBody,
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: expect.stringMatching(/^\d{13}$/) },
    });
    await q.delete(message);
    cloud.clock.advance(31);
    expect(await q.receive()).toEqual([]);
  });

  /** @behaviour sqs.visibility */
  it('a message is visible again after its timeout, and only its newest receipt deletes it', async () => {
    const q = await newQueue();
    await q.send('again');
    const [first] = await q.receive();
    expect(await q.receive()).toEqual([]);
    cloud.clock.advance(31);
    const [second] = await q.receive();
    expect(second?.attributes.ApproximateReceiveCount).toBe('2');
    await q.delete(first);
    cloud.clock.advance(31);
    const [third] = await q.receive();
    expect(third?.body).toBe('again');
    await q.delete(third);
    cloud.clock.advance(31);
    expect(await q.receive()).toEqual([]);
  });

  it('the visibility timeout of a message can be extended or ended', async () => {
    const q = await newQueue();
    await q.send('timed');
    const [message] = await q.receive();
    await q.changeVisibility(message, 100);
    cloud.clock.advance(60);
    expect(await q.receive()).toEqual([]);
    await q.changeVisibility(message, 0);
    expect(bodies(await q.receive())).toEqual(['timed']);
    expect(await failure(q.changeVisibility(message, 10))).toMatchObject({ name: 'MessageNotInflight' });
  });

  it('a message is dropped after the retention period', async () => {
    const q = await newQueue({ retentionSeconds: 3600 });
    await q.send('old');
    cloud.clock.advance(3601);
    expect(await q.receive()).toEqual([]);
  });

  it('PurgeQueue drops all messages', async () => {
    const q = await newQueue();
    await q.send('x');
    await q.client().send(new PurgeQueueCommand({ QueueUrl: q.QueueUrl }));
    expect(await q.receive()).toEqual([]);
  });

  /** @behaviour sqs.purge */
  it('a second PurgeQueue within a minute is refused', async () => {
    const q = await newQueue();
    const purge = () => q.client().send(new PurgeQueueCommand({ QueueUrl: q.QueueUrl }));
    await purge();
    await expect(purge()).rejects.toThrow(PurgeQueueInProgress);
    cloud.clock.advance(60);
    await purge();
  });

  it.each<Partial<SendMessageCommandInput>>([
    { MessageAttributes: { kind: { DataType: 'String', StringValue: 'mail' } } },
    { DelaySeconds: 10 },
  ])('a message with %j, which is not implemented, is refused', async (more) => {
    const q = await newQueue();
    expect(await failure(q.send('x', more))).toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringContaining(Object.keys(more).join()),
    });
  });

  it('a receive that asks for attributes, which are not implemented, is refused', async () => {
    const q = await newQueue();
    const receive = new ReceiveMessageCommand({
      QueueUrl: q.QueueUrl,
      MessageSystemAttributeNames: ['SentTimestamp'],
    });
    expect(await failure(q.client().send(receive))).toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringContaining('MessageSystemAttributeNames'),
    });
  });

  /** @behaviour sqs.fair-queues */
  it('messages of groups with less in flight are received first', async () => {
    const q = await newQueue();
    const send = (MessageGroupId: string, body: string) => q.send(body, { MessageGroupId });
    const receive = async (max: number) =>
      (await q.receive(max)).map(({ body, attributes }) => `${attributes.MessageGroupId}: ${body}`);
    for (const body of ['1', '2', '3', '4']) await send('busy', body);
    expect(await receive(2)).toEqual(['busy: 1', 'busy: 2']);
    await send('quiet', '1');
    expect(await receive(2)).toEqual(['quiet: 1', 'busy: 3']);
    expect(await receive(10)).toEqual(['busy: 4']);
  });

  it.each(['', 'a b', 'ä', 'x'.repeat(129)])('a message group cannot be named %j', async (MessageGroupId) => {
    const q = await newQueue();
    expect(await failure(q.send('x', { MessageGroupId }))).toMatchObject({ name: 'InvalidParameterValue' });
    await q.send('x', { MessageGroupId: '~!letters-and_123#' });
  });
});

describe('long polling', () => {
  it('a new message ends the wait at once', async () => {
    const q = await newQueue();
    const began = performance.now();
    const waiting = q.receive(1, 20_000);
    await q.send('now');
    expect(bodies(await waiting)).toEqual(['now']);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('moving the clock past a visibility timeout ends the wait at once', async () => {
    const q = await newQueue({ visibilityTimeoutSeconds: 600 });
    await q.send('later');
    await q.receive();
    const began = performance.now();
    const waiting = q.receive(1, 20_000);
    cloud.clock.advance(601);
    expect(bodies(await waiting)).toEqual(['later']);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('the wait ends when a message becomes visible', async () => {
    const q = await newQueue({ visibilityTimeoutSeconds: 1 });
    await q.send('soon');
    await q.receive();
    expect(bodies(await q.receive(1, 10_000))).toEqual(['soon']);
  });

  it('the wait ends without messages when its time is over', async () => {
    const q = await newQueue();
    expect(await q.receive(1, 50)).toEqual([]);
  });

  it('an aborted wait takes no message', async () => {
    const q = await newQueue();
    const abort = new AbortController();
    const waiting = q.receive(1, 20_000, abort.signal);
    abort.abort();
    expect(await waiting).toEqual([]);
    await q.send('for another');
    expect(bodies(await q.receive())).toEqual(['for another']);
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

  it('a message that reached the maximum receive count moves to the dead-letter queue', async () => {
    const { dead, live } = await withDeadLetters();
    expect(report(live.name)).toEqual({ name: live.name, visible: 0, in_flight: 0, dead_letters: 1 });
    expect(report(dead.name)).toEqual({ name: dead.name, visible: 1, in_flight: 0, dead_letters: 0 });
    const [letter] = await dead.receive();
    expect(letter).toMatchObject({ body: 'poison', attributes: { DeadLetterQueueSourceArn: live.arn } });
  });

  /** @behaviour sqs.dead-letters */
  it('a move task returns dead letters to their source queue, and leaves what was sent to the dead-letter queue itself', async () => {
    const { dead, live } = await withDeadLetters();
    await dead.send('sent to the dead-letter queue itself');
    await dead.client().send(new StartMessageMoveTaskCommand({ SourceArn: dead.arn }));
    const { Results } = await dead.client().send(new ListMessageMoveTasksCommand({ SourceArn: dead.arn }));
    expect(Results).toMatchObject([{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 1 }]);
    const [message] = await live.receive();
    expect(message).toMatchObject({ body: 'poison', attributes: { ApproximateReceiveCount: '1' } });
    expect(await live.receive()).toEqual([]);
    expect(report(dead.name)).toMatchObject({ visible: 1 });
    const wrong = dead.client().send(new StartMessageMoveTaskCommand({ SourceArn: live.arn }));
    expect(await failure(wrong)).toMatchObject({ name: 'InvalidParameterValue' });
  });

  it('a move task to another queue than the source is not implemented, and refused', async () => {
    const { dead, live } = await withDeadLetters();
    const task = { SourceArn: dead.arn, DestinationArn: live.arn };
    expect(await failure(dead.client().send(new StartMessageMoveTaskCommand(task)))).toMatchObject({
      name: 'InvalidParameterValue',
      message: expect.stringContaining('DestinationArn'),
    });
    expect(report(dead.name)).toMatchObject({ visible: 1 });
  });
});

/** @behaviour sqs.receive */
it('a message received with a visibility timeout of 0 stays visible for others', async () => {
  const q = await newQueue();
  await q.client().send(
    new SendMessageBatchCommand({
      QueueUrl: q.QueueUrl,
      Entries: [
        { Id: 'one', MessageBody: 'one' },
        { Id: 'two', MessageBody: 'two' },
      ],
    }),
  );
  const look = new ReceiveMessageCommand({
    QueueUrl: q.QueueUrl,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: 0,
  });
  const seen = async () => ((await q.client().send(look)).Messages ?? []).map(({ Body }) => Body).sort();
  expect(await seen()).toEqual(['one', 'two']);
  expect(await seen()).toEqual(['one', 'two']);
  expect(bodies(await q.receive()).sort()).toEqual(['one', 'two']);
  expect(await seen()).toEqual([]);
});

describe('batches', () => {
  /** @behaviour sqs.batches */
  it('each entry of a batch succeeds or fails on its own', async () => {
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
    expect(bodies(await q.receive())).toEqual(['x']);
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
  ])('a malformed batch fails as a whole with %s', async (name, Entries) => {
    const q = await newQueue();
    const call = q.client().send(new SendMessageBatchCommand({ QueueUrl: q.QueueUrl, Entries }));
    expect(await failure(call)).toMatchObject({ name, status: 400 });
  });
});

describe('queues', () => {
  it('a queue has a URL and attributes', async () => {
    const dead = await newQueue();
    const q = await newQueue({ deadLetter: { queueName: dead.name, maxReceiveCount: 3 } });
    await q.send('a');
    await q.send('b');
    await q.receive(1);
    const { Attributes } = await q
      .client()
      .send(new GetQueueAttributesCommand({ QueueUrl: q.QueueUrl, AttributeNames: ['All'] }));
    expect(Attributes).toMatchObject({
      QueueArn: q.arn,
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '1',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: 3 }),
    });
    expect(await q.client().send(new GetQueueUrlCommand({ QueueName: q.name }))).toMatchObject({
      QueueUrl: q.QueueUrl,
    });
  });

  it('a queue that does not exist is an error', async () => {
    const client = new SQSClient(cloud.operator);
    const send = new SendMessageCommand({ QueueUrl: cloud.services.queueUrl('nowhere'), MessageBody: 'x' });
    expect(await failure(client.send(send))).toMatchObject({ name: 'QueueDoesNotExist', status: 400 });
    const find = new GetQueueUrlCommand({ QueueName: 'nowhere' });
    expect(await failure(client.send(find))).toMatchObject({ name: 'QueueDoesNotExist' });
  });

  it('a queue takes messages of up to 1 MiB', async () => {
    const q = await newQueue();
    await q.send('x'.repeat(1024 * 1024));
    expect(await failure(q.send('x'.repeat(1024 * 1024 + 1)))).toMatchObject({
      name: 'InvalidParameterValue',
    });
  });

  it('an invalid receipt handle is an error', async () => {
    const q = await newQueue();
    const call = new ChangeMessageVisibilityCommand({
      QueueUrl: q.QueueUrl,
      ReceiptHandle: 'nonsense',
      VisibilityTimeout: 0,
    });
    expect(await failure(q.client().send(call))).toMatchObject({ name: 'ReceiptHandleIsInvalid' });
  });

  it('IAM statements apply to a queue by its ARN and to the action', async () => {
    const q = await newQueue();
    const sender = new SQSClient(cloud.caller('sender', allow('sqs:SendMessage', q.arn)));
    const Entries = [{ Id: 'a', MessageBody: 'x' }];
    await sender.send(new SendMessageBatchCommand({ QueueUrl: q.QueueUrl, Entries }));
    const denied = { name: 'AccessDenied', message: expect.stringContaining('sqs:PurgeQueue') };
    expect(await failure(sender.send(new PurgeQueueCommand({ QueueUrl: q.QueueUrl })))).toMatchObject(denied);
    const other = await newQueue();
    const elsewhere = new SendMessageCommand({ QueueUrl: other.QueueUrl, MessageBody: 'x' });
    expect(await failure(sender.send(elsewhere))).toMatchObject({ name: 'AccessDenied' });
  });

  /** @behaviour iam.evaluation */
  it('a queue policy can deny an allowed caller, and allow one without a policy of its own', async () => {
    const role = 'arn:aws:iam::000000000000:role/named';
    const q = await newQueue({
      policy: [
        { Effect: 'Allow', Principal: { AWS: role }, Action: 'sqs:SendMessage', Resource: '*' },
        { Effect: 'Deny', Principal: '*', Action: 'sqs:PurgeQueue', Resource: '*' },
      ],
    });
    const send = new SendMessageCommand({ QueueUrl: q.QueueUrl, MessageBody: 'x' });
    await new SQSClient(cloud.caller('named')).send(send);
    const denied = { name: 'AccessDenied' };
    expect(await failure(new SQSClient(cloud.caller('other')).send(send))).toMatchObject(denied);
    const purge = q.client().send(new PurgeQueueCommand({ QueueUrl: q.QueueUrl }));
    expect(await failure(purge)).toMatchObject(denied);
  });

  it('the local cloud sends messages of its own', async () => {
    const q = await newQueue();
    await cloud.services.send(q.name, 'a dead letter');
    expect(bodies(await q.receive())).toEqual(['a dead letter']);
  });
});
