import { Stack } from 'aws-cdk-lib';
import { ConfigurationSet, EmailSendingEvent, EventDestination } from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Queues } from './queues.ts';

interface Props {
  readonly stackName: string;
  readonly queues: Queues;
}

/** The configuration set of every mail. Through it SES publishes bounces and complaints to a topic, which sends to a queue. */
export class Mail extends Construct {
  readonly configurationSet: ConfigurationSet;
  readonly configurationSetArn: string;
  /** The event destination, which tells SES the topic. */
  readonly bounces: Construct;

  constructor(scope: Construct, id: string, { stackName, queues }: Props) {
    super(scope, id);
    const topic = new Topic(this, 'Bounces', { topicName: `${stackName}-bounces`, enforceSSL: true });
    topic.addSubscription(new SqsSubscription(queues.byName.bounces));
    this.configurationSet = new ConfigurationSet(this, 'Set', { configurationSetName: stackName });
    // Lets SES publish only for this configuration set.
    this.bounces = this.configurationSet.addEventDestination('Bounces', {
      destination: EventDestination.snsTopic(topic),
      events: [EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT],
    });
    this.configurationSetArn = Stack.of(this).formatArn({
      service: 'ses',
      resource: 'configuration-set',
      resourceName: stackName,
    });
  }
}
