import { Duration, Stack } from 'aws-cdk-lib';
import { type IQueue, Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { QUEUE_NAMES, type QueueName } from '../shared/store/stack-names.ts';
import { CONSUMERS } from './functions.ts';
import { deadLettersName, queueName } from './names.ts';
import { pascalCase } from './pascal-case.ts';

interface QueueSettings {
  /** The function that reads the queue. The visibility timeout is six times its time limit. */
  readonly consumer: keyof typeof CONSUMERS;
  readonly attempts: number;
}

const QUEUES: Record<QueueName, QueueSettings> = {
  // The seal function itself gives up at the tenth attempt; two more cover a crash while it does so.
  seal: { consumer: 'seal', attempts: 12 },
  events: { consumer: 'publish-event', attempts: 5 },
  // The claim permits one attempt; the others cover a crash before the claim, and throttling, which counts as a receive.
  deliveries: { consumer: 'deliver-webhook', attempts: 5 },
  'slow-deliveries': { consumer: 'deliver-webhook', attempts: 5 },
  mail: { consumer: 'complete-mail', attempts: 5 },
  bounces: { consumer: 'record-bounce', attempts: 5 },
};

const SETTINGS = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** A queue for each kind of work, each with a dead-letter queue. */
export class Queues extends Construct {
  readonly byName: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: readonly Queue[];
  /** The dead-letter queue of the schedules. */
  readonly scheduleFailures: Queue;

  constructor(scope: Construct, id: string, { stackName }: { stackName: string }) {
    super(scope, id);
    const deadLetterQueue = (name: QueueName | 'schedules') =>
      new Queue(this, `${pascalCase(name)}DeadLetters`, {
        ...SETTINGS,
        queueName: deadLettersName(stackName, name),
        retentionPeriod: Duration.days(14),
        // Of the schedules too, though they have no queue: a rule of Control Tower refuses a dead-letter queue without a source.
        redriveAllowPolicy: {
          redrivePermission: RedrivePermission.BY_QUEUE,
          sourceQueues: [this.#queueByName(queueName(stackName, name))],
        },
      });
    const made = QUEUE_NAMES.map((name) => {
      const { consumer, attempts } = QUEUES[name];
      const failed = deadLetterQueue(name);
      const queue = new Queue(this, pascalCase(name), {
        ...SETTINGS,
        queueName: queueName(stackName, name),
        visibilityTimeout: Duration.seconds(6 * CONSUMERS[consumer].seconds),
        retentionPeriod: Duration.days(14),
        deadLetterQueue: { queue: failed, maxReceiveCount: attempts },
      });
      return { name, queue, failed };
    });
    this.byName = Object.fromEntries(made.map(({ name, queue }) => [name, queue])) as Record<
      QueueName,
      Queue
    >;
    this.scheduleFailures = deadLetterQueue('schedules');
    this.deadLetters = [...made.map(({ failed }) => failed), this.scheduleFailures];
  }

  /** Refers to a queue by name: a queue and its dead-letter queue cannot both depend on each other. */
  #queueByName(name: string): IQueue {
    return Queue.fromQueueArn(
      this,
      `${name}-by-name`,
      Stack.of(this).formatArn({ service: 'sqs', resource: name }),
    );
  }
}
