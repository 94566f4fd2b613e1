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
import { SECOND, sleep } from '../shared/runtime/time.ts';
import { QUEUE_NAMES, QUEUE_OUTPUTS } from '../shared/store/stack-names.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';
import { requestsOfOutbox } from './request-ids.ts';
import { confirm } from './terminal.ts';

/** The queues and their dead letters. */

/** Dead letters of the schedules: failed job runs, which have no queue to return to. */
const SCHEDULES = 'schedules';
const QUEUES = [...QUEUE_NAMES, SCHEDULES];

interface Queue {
  waiting: number;
  inFlight: number;
  deadLetters: number;
  deadLetterUrl: string;
  deadLetterArn: string;
}

const clientOf = ({ clients }: Operator) => new SQSClient(clients);

async function attributesOf(sqs: SQSClient, url: string): Promise<Record<string, string>> {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }),
  );
  return Attributes;
}

async function deadLettersOf(sqs: SQSClient, attributes: Record<string, string>): Promise<string> {
  const { deadLetterTargetArn } = JSON.parse(attributes.RedrivePolicy ?? '{}') as {
    deadLetterTargetArn?: string;
  };
  const QueueName = deadLetterTargetArn?.split(':').at(-1);
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  return QueueUrl ?? '';
}

async function readQueue(name: string, operator: Operator): Promise<Queue> {
  const sqs = clientOf(operator);
  const output = QUEUE_OUTPUTS[name as keyof typeof QUEUE_OUTPUTS];
  const own = output ? await attributesOf(sqs, operator.output(output)) : {};
  const url = output ? await deadLettersOf(sqs, own) : operator.output('ScheduleFailuresQueueUrl');
  const dead = await attributesOf(sqs, url);
  return {
    waiting: Number(own.ApproximateNumberOfMessages ?? 0),
    inFlight: Number(own.ApproximateNumberOfMessagesNotVisible ?? 0),
    deadLetters:
      Number(dead.ApproximateNumberOfMessages ?? 0) + Number(dead.ApproximateNumberOfMessagesNotVisible ?? 0),
    deadLetterUrl: url,
    deadLetterArn: dead.QueueArn ?? '',
  };
}

/** The subject of a message: a request, or an item of the outbox that names one. */
interface Body {
  requestId?: string | null;
  outbox_id?: string;
}

function bodyOf(text: string | undefined): Body {
  try {
    return JSON.parse(text ?? '') as Body;
  } catch {
    // A message that nothing can process is a dead letter, too.
    return {};
  }
}

/** The requests of up to ten dead letters, or the messages' ids where they name none. Looking at them leaves them visible, for a redrive at the same time. */
async function idsOfDeadLetters(
  { deadLetters, deadLetterUrl }: Queue,
  operator: Operator,
): Promise<string[]> {
  if (deadLetters === 0) return [];
  const { Messages = [] } = await clientOf(operator).send(
    new ReceiveMessageCommand({
      QueueUrl: deadLetterUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 0,
      // Without a wait SQS asks only some of its servers.
      WaitTimeSeconds: 1,
    }),
  );
  const messages = Messages.map(({ MessageId = '', Body }) => ({ MessageId, ...bodyOf(Body) }));
  const requests = await requestsOfOutbox(
    messages.flatMap(({ outbox_id: id }) => id ?? []),
    operator.table,
  );
  return [
    ...new Set(
      messages.map(
        ({ MessageId, requestId, outbox_id: id = '' }) => requestId ?? requests.get(id) ?? MessageId,
      ),
    ),
  ];
}

export const readQueues = (operator: Operator) =>
  Promise.all(
    QUEUES.map(async (name) => {
      const queue = await readQueue(name, operator);
      return {
        queue: name,
        waiting: queue.waiting,
        in_flight: queue.inFlight,
        dead_letters: queue.deadLetters,
        dead_letter_ids: await idsOfDeadLetters(queue, operator),
      };
    }),
  );

const knownQueue = (name: string): string => {
  if (!QUEUES.includes(name))
    throw new UsageError(`There is no queue "${name}". The queues are ${QUEUES.join(', ')}.`);
  return name;
};

async function newestMove(sqs: SQSClient, SourceArn: string) {
  const { Results = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
  return Results[0];
}

/**
 * SQS refuses a second move at the same time. Waits for the one that runs instead: that of an interrupted or concurrent
 * command, or its own if the SDK repeated the start after a lost answer.
 */
async function startMove(sqs: SQSClient, SourceArn: string): Promise<void> {
  const isMoving = async () => (await newestMove(sqs, SourceArn))?.Status === 'RUNNING';
  if (await isMoving()) return;
  try {
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
  } catch (error) {
    if (!(await isMoving())) throw error;
  }
}

/** Moves dead letters back to their queue and waits until all are there. */
async function redrive({ deadLetterArn, deadLetters }: Queue, operator: Operator): Promise<number> {
  const sqs = clientOf(operator);
  await startMove(sqs, deadLetterArn);
  using progress = new Progress('Moving messages', deadLetters);
  let moved = 0;
  for (;;) {
    const task = await newestMove(sqs, deadLetterArn);
    const soFar = task?.ApproximateNumberOfMessagesMoved ?? 0;
    progress.add(soFar - moved);
    moved = soFar;
    if (task?.Status === 'FAILED')
      throw new Failure(`SQS stopped after ${moved} messages: ${task.FailureReason ?? 'no reason given'}.`);
    if (task?.Status !== 'RUNNING') break;
    await sleep(SECOND);
  }
  return moved;
}

/** SQS purges a queue for up to a minute. Until then it counts the messages and refuses another purge. */
async function purge(sqs: SQSClient, QueueUrl: string): Promise<void> {
  try {
    await sqs.send(new PurgeQueueCommand({ QueueUrl }));
  } catch (error) {
    if (!(error instanceof PurgeQueueInProgress)) throw error;
    throw new Failure(
      'SQS is deleting the dead letters that were there already. If "queue list" shows some in a minute, clear them again.',
    );
  }
}

export const queueCommands = [
  command({
    name: 'queue list',
    summary: 'Show the waiting messages and the dead letters of each queue',
    run: (_input, operator) => readQueues(operator),
  }),
  command({
    name: 'queue redrive',
    summary: 'Move the dead letters of a queue back to it, to be processed again',
    args: ['name'],
    run: async ({ name }, operator) => {
      if (knownQueue(name) === SCHEDULES)
        throw new UsageError(
          'Failed job runs cannot be moved back. Use "job run", then "queue clear schedules".',
        );
      const queue = await readQueue(name, operator);
      return { queue: name, moved: queue.deadLetters === 0 ? 0 : await redrive(queue, operator) };
    },
  }),
  command({
    name: 'queue clear',
    summary: 'Delete the dead letters of a queue permanently',
    args: ['name'],
    options: { yes: { help: 'Do not ask' } },
    run: async ({ name, yes }, operator) => {
      const { deadLetters, deadLetterUrl } = await readQueue(knownQueue(name), operator);
      if (deadLetters > 0) {
        await confirm(
          operator.terminal,
          `The dead letters of ${name} (${deadLetters}) will be deleted for good.`,
          yes,
        );
        await purge(clientOf(operator), deadLetterUrl);
      }
      return { queue: name, cleared: deadLetters };
    },
  }),
];
