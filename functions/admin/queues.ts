import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  PurgeQueueCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import { SECOND, sleep } from '../../shared/runtime/time.ts';
import { command } from './command.ts';
import { Failure, UsageError } from './errors.ts';
import type { Operator } from './operator.ts';
import { Progress } from './progress.ts';

/** The queues, and what was given up in each. */

const WORKING = {
  seal: 'SealQueueUrl',
  events: 'EventsQueueUrl',
  deliveries: 'DeliveriesQueueUrl',
  mail: 'MailQueueUrl',
} as const;
/** Runs of jobs that failed; it belongs to no queue. */
const SCHEDULES = 'schedules';
export const QUEUE_NAMES = [...Object.keys(WORKING), SCHEDULES];

interface Queue {
  name: string;
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
  const output = WORKING[name as keyof typeof WORKING];
  const own = output ? await attributesOf(sqs, operator.output(output)) : {};
  const url = output ? await deadLettersOf(sqs, own) : operator.output('ScheduleFailuresQueueUrl');
  const dead = await attributesOf(sqs, url);
  return {
    name,
    waiting:
      Number(own.ApproximateNumberOfMessages ?? 0) + Number(own.ApproximateNumberOfMessagesDelayed ?? 0),
    inFlight: Number(own.ApproximateNumberOfMessagesNotVisible ?? 0),
    deadLetters:
      Number(dead.ApproximateNumberOfMessages ?? 0) + Number(dead.ApproximateNumberOfMessagesNotVisible ?? 0),
    deadLetterUrl: url,
    deadLetterArn: dead.QueueArn ?? '',
  };
}

export const readQueues = async (operator: Operator) =>
  (await Promise.all(QUEUE_NAMES.map((name) => readQueue(name, operator)))).map(
    ({ name, waiting, inFlight, deadLetters }) => ({
      queue: name,
      waiting,
      in_flight: inFlight,
      dead_letters: deadLetters,
    }),
  );

const known = (name: string): string => {
  if (!QUEUE_NAMES.includes(name))
    throw new UsageError(`There is no queue "${name}"; there are ${QUEUE_NAMES.join(', ')}.`);
  return name;
};

/** Gives dead letters back to their queue, and waits until all are there. */
async function redrive({ deadLetterArn, deadLetters }: Queue, operator: Operator): Promise<number> {
  const sqs = clientOf(operator);
  await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetterArn }));
  const progress = new Progress('Giving messages back', deadLetters);
  let moved = 0;
  for (;;) {
    const { Results = [] } = await sqs.send(
      new ListMessageMoveTasksCommand({ SourceArn: deadLetterArn, MaxResults: 1 }),
    );
    const [task] = Results;
    const soFar = task?.ApproximateNumberOfMessagesMoved ?? 0;
    progress.add(soFar - moved);
    moved = soFar;
    if (task?.Status === 'FAILED')
      throw new Failure(`SQS stopped after ${moved} messages: ${task.FailureReason ?? 'no reason given'}.`);
    if (task?.Status !== 'RUNNING') break;
    await sleep(SECOND);
  }
  progress.end();
  return moved;
}

export const queueCommands = [
  command({
    name: 'queue list',
    summary: 'Show what waits in each queue, and its dead letters',
    args: [],
    options: {},
    run: (_input, operator) => readQueues(operator),
  }),
  command({
    name: 'queue redrive',
    summary: 'Give the dead letters of a queue back to it, to be worked on again',
    args: ['name'],
    options: {},
    run: async ({ name }, operator) => {
      if (known(name) === SCHEDULES)
        throw new UsageError(
          'Runs of jobs are not given back: "job run" runs one, "queue clear schedules" forgets.',
        );
      const queue = await readQueue(name, operator);
      return { queue: name, moved: queue.deadLetters === 0 ? 0 : await redrive(queue, operator) };
    },
  }),
  command({
    name: 'queue clear',
    summary: 'Forget the dead letters of a queue for good',
    args: ['name'],
    options: {},
    run: async ({ name }, operator) => {
      const { deadLetters, deadLetterUrl } = await readQueue(known(name), operator);
      if (deadLetters > 0) await clientOf(operator).send(new PurgeQueueCommand({ QueueUrl: deadLetterUrl }));
      return { queue: name, cleared: deadLetters };
    },
  }),
];
