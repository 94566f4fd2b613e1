import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  PurgeQueueCommand,
  PurgeQueueInProgress,
  ReceiveMessageCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { Operator } from '../../../admin/operator.ts';
import { queueCommands } from '../../../admin/queues.ts';
import { outboxKey } from '../../../shared/store/keys.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const sqs = mockClient(SQSClient);

const memory = new MemoryDynamo();
let answer: string;
const terminal = { canAsk: true, ask: async () => answer } as unknown as Operator['terminal'];
const operator = {
  table: memory.table,
  terminal,
  clients: {} as Operator['clients'],
  output: (name: string) => name,
} as Operator;

const commandOn =
  (command: string) =>
  (queue = 'events') =>
    queueCommands.find(({ name }) => name === command)?.run({ name: queue, yes: false }, operator);
const list = commandOn('queue list');
const redrive = commandOn('queue redrive');
const clear = commandOn('queue clear');

beforeEach(() => {
  skipPauses();
  answer = 'yes';
  sqs.reset();
  sqs.on(GetQueueUrlCommand).resolves({ QueueUrl: 'dead' });
  sqs.on(GetQueueAttributesCommand).resolves({
    Attributes: {
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: 'arn:aws:sqs:eu-north-1:1:dead' }),
      QueueArn: 'arn:aws:sqs:eu-north-1:1:dead',
      ApproximateNumberOfMessages: '3',
    },
  });
});

afterEach(() => {
  jest.useRealTimers();
});

const attributes = (Attributes: Record<string, string>) =>
  sqs.on(GetQueueAttributesCommand).resolves({ Attributes });
const noDeadLetters = () => attributes({ ApproximateNumberOfMessages: '0' });

describe('queue list', () => {
  it('names the requests of dead letters, once each, and leaves them visible for a redrive', async () => {
    memory.set({ ...outboxKey('item'), id: 'item', requestId: 'of-item' });
    attributes({ ApproximateNumberOfMessages: '3', ApproximateNumberOfMessagesNotVisible: '2' });
    const bodies = ['{"requestId":"own"}', '{"outbox_id":"item"}', '{"outbox_id":"item"}', 'no JSON', 'null'];
    sqs.on(ReceiveMessageCommand).resolves({
      Messages: bodies.map((Body, place) => ({ MessageId: `message-${place}`, Body })),
    });
    expect(await list()).toContainEqual({
      queue: 'mail',
      waiting: 3,
      in_flight: 2,
      dead_letters: 5,
      dead_letter_ids: ['own', 'of-item', 'message-3', 'message-4'],
    });
    for (const { args } of sqs.commandCalls(ReceiveMessageCommand))
      expect(args[0].input).toMatchObject({ VisibilityTimeout: 0, WaitTimeSeconds: 1 });
  });
});

describe('queue redrive', () => {
  it('moves the dead letters and waits until all are there', async () => {
    sqs
      .on(ListMessageMoveTasksCommand)
      .resolvesOnce({ Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 9 }] })
      .resolvesOnce({ Results: [{ Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 1 }] })
      .resolves({ Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 }] });
    expect(await redrive()).toEqual({ queue: 'events', moved: 3 });
    expect(sqs.commandCalls(StartMessageMoveTaskCommand)).toHaveLength(1);
  });

  it('waits for the move of a command that was interrupted, since SQS refuses a second one', async () => {
    sqs
      .on(ListMessageMoveTasksCommand)
      .resolvesOnce({ Results: [{ Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 1 }] })
      .resolves({ Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 }] });
    sqs.on(StartMessageMoveTaskCommand).rejects(new Error('There is already a task running.'));
    expect(await redrive()).toEqual({ queue: 'events', moved: 3 });
  });

  it('waits for a move that began between its look and its own start, whose answer may have been lost', async () => {
    sqs
      .on(ListMessageMoveTasksCommand)
      .resolvesOnce({ Results: [] })
      .resolvesOnce({ Results: [{ Status: 'RUNNING', ApproximateNumberOfMessagesMoved: 1 }] })
      .resolves({ Results: [{ Status: 'COMPLETED', ApproximateNumberOfMessagesMoved: 3 }] });
    sqs.on(StartMessageMoveTaskCommand).rejects(new Error('There is already a task running.'));
    expect(await redrive()).toEqual({ queue: 'events', moved: 3 });
  });

  it('a move that SQS ends early is an error', async () => {
    const FailureReason = 'CouldNotDetermineMessageSource';
    sqs
      .on(ListMessageMoveTasksCommand)
      .resolvesOnce({ Results: [] })
      .resolves({ Results: [{ Status: 'FAILED', ApproximateNumberOfMessagesMoved: 2, FailureReason }] });
    await expect(redrive()).rejects.toThrow(`SQS stopped after 2 messages: ${FailureReason}.`);
  });

  it('nothing is moved where there are no dead letters', async () => {
    noDeadLetters();
    expect(await redrive()).toEqual({ queue: 'events', moved: 0 });
    expect(sqs.commandCalls(StartMessageMoveTaskCommand)).toEqual([]);
  });

  it('a move that cannot be started is an error', async () => {
    sqs.on(ListMessageMoveTasksCommand).resolves({ Results: [] });
    sqs.on(StartMessageMoveTaskCommand).rejects(new Error('Access denied.'));
    await expect(redrive()).rejects.toThrow('Access denied.');
  });
});

it('failed job runs are not moved anywhere', async () => {
  await expect(redrive('schedules')).rejects.toThrow('Failed job runs cannot be moved back.');
  expect(sqs.commandCalls(StartMessageMoveTaskCommand)).toEqual([]);
});

it.each([redrive, clear])('a queue that does not exist is refused', async (run) => {
  await expect(run('toString')).rejects.toThrow('There is no queue "toString".');
});

describe('queue clear', () => {
  it('a queue without dead letters is not purged', async () => {
    noDeadLetters();
    expect(await clear()).toEqual({ queue: 'events', cleared: 0 });
    expect(sqs.commandCalls(PurgeQueueCommand)).toEqual([]);
  });

  it('asks first, and deletes nothing without a yes', async () => {
    answer = 'no';
    await expect(clear('bounces')).rejects.toThrow('Nothing was changed.');
    expect(sqs.commandCalls(PurgeQueueCommand)).toEqual([]);
    answer = 'yes';
    expect(await clear('bounces')).toEqual({ queue: 'bounces', cleared: 3 });
  });

  it('says what is under way if the last purge, whose answer may have been lost, is less than a minute old', async () => {
    const refusal = { message: 'Only one PurgeQueue operation is allowed every 60 seconds.', $metadata: {} };
    sqs.on(PurgeQueueCommand).rejects(new PurgeQueueInProgress(refusal));
    await expect(clear()).rejects.toThrow(
      /^SQS is deleting the dead letters .* in a minute, clear them again\.$/,
    );
  });

  it('a purge that is refused for another reason is an error', async () => {
    sqs.on(PurgeQueueCommand).rejects(new Error('Access denied.'));
    await expect(clear()).rejects.toThrow('Access denied.');
  });
});
