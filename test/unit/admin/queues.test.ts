import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  PurgeQueueCommand,
  PurgeQueueInProgress,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import type { Operator } from '../../../admin/operator.ts';
import { queueCommands } from '../../../admin/queues.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const sqs = mockClient(SQSClient);

const operator = {
  clients: {} as Operator['clients'],
  output: (name: string) => name,
} as Operator;

const commandOn = (command: string) => () =>
  queueCommands.find(({ name }) => name === command)?.run({ name: 'events' }, operator);
const redrive = commandOn('queue redrive');
const clear = commandOn('queue clear');

beforeEach(() => {
  skipPauses();
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

  it('a move that cannot be started is an error', async () => {
    sqs.on(ListMessageMoveTasksCommand).resolves({ Results: [] });
    sqs.on(StartMessageMoveTaskCommand).rejects(new Error('Access denied.'));
    await expect(redrive()).rejects.toThrow('Access denied.');
  });
});

describe('queue clear', () => {
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
