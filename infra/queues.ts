import { Duration, Stack } from 'aws-cdk-lib';
import { type IQueue, Queue, QueueEncryption, RedrivePermission } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { JOBS } from './functions.ts';

export type QueueName = 'seal' | 'events' | 'deliveries' | 'mail';

interface QueueSettings {
  /** The function that reads it; a message stays hidden for six times as long as it may run. */
  readonly consumer: keyof typeof JOBS;
  readonly attempts: number;
}

const QUEUES: Record<QueueName, QueueSettings> = {
  // The seal function counts its own attempts and gives up at the tenth; two more are for a function that died at that.
  seal: { consumer: 'seal', attempts: 12 },
  events: { consumer: 'publish-event', attempts: 5 },
  // The claim lets one attempt through; the others are for a function that died before it.
  deliveries: { consumer: 'deliver-webhook', attempts: 3 },
  mail: { consumer: 'complete-mail', attempts: 5 },
};

const settings = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** A queue for each kind of work, each with a queue for what failed. */
export class Queues extends Construct {
  readonly byName: Readonly<Record<QueueName, Queue>>;
  readonly deadLetters: readonly Queue[];
  /** Where schedules leave what could not be run. */
  readonly scheduleFailures: Queue;

  constructor(scope: Construct, id: string, { stackName }: { stackName: string }) {
    super(scope, id);
    const deadLetterQueue = (name: string, from?: string) =>
      new Queue(this, `${pascal(name)}DeadLetters`, {
        ...settings,
        queueName: `${stackName}-${name}-dead-letters`,
        retentionPeriod: Duration.days(14),
        redriveAllowPolicy: from
          ? { redrivePermission: RedrivePermission.BY_QUEUE, sourceQueues: [this.#named(from)] }
          : { redrivePermission: RedrivePermission.ALLOW_ALL },
      });
    const make = (name: QueueName): [Queue, Queue] => {
      const { consumer, attempts } = QUEUES[name];
      const failed = deadLetterQueue(name, `${stackName}-${name}`);
      const queue = new Queue(this, pascal(name), {
        ...settings,
        queueName: `${stackName}-${name}`,
        visibilityTimeout: Duration.seconds(6 * JOBS[consumer].seconds),
        retentionPeriod: Duration.days(14),
        deadLetterQueue: { queue: failed, maxReceiveCount: attempts },
      });
      return [queue, failed];
    };

    const [seal, sealFailed] = make('seal');
    const [events, eventsFailed] = make('events');
    const [deliveries, deliveriesFailed] = make('deliveries');
    const [mail, mailFailed] = make('mail');
    this.byName = { seal, events, deliveries, mail };
    this.scheduleFailures = deadLetterQueue('schedules');
    this.deadLetters = [sealFailed, eventsFailed, deliveriesFailed, mailFailed, this.scheduleFailures];
  }

  /** By name, since a queue and its queue for failures cannot both wait for the other to exist. */
  #named(name: string): IQueue {
    return Queue.fromQueueArn(
      this,
      `${name}-by-name`,
      Stack.of(this).formatArn({ service: 'sqs', resource: name }),
    );
  }
}

/** `publish-event` → `PublishEvent`, as constructs are named. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
