/** SNS topics with functions and queues as subscribers. No API: only other services of the local cloud publish. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { InvokeFunction, SubscriptionSettings } from '../../ports.ts';

interface Parts {
  invoke: InvokeFunction;
  send(queueName: string, body: string): void;
  nowMs(): number;
  region: string;
  log(line: string): void;
}

type Notification = Record<string, string>;

export class Topics {
  readonly #parts: Parts;
  readonly #subscriptions = new Map<string, SubscriptionSettings>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  subscribe(settings: SubscriptionSettings): void {
    this.#subscriptions.set(settings.arn, settings);
  }

  async publish(topicArn: string, subject: string, message: string): Promise<void> {
    const notification = this.#notification(topicArn, subject, message);
    const subscribed = [...this.#subscriptions.values()].filter((each) => each.topicArn === topicArn);
    await Promise.all(subscribed.map((subscription) => this.#deliver(subscription, notification)));
  }

  async #deliver(subscription: SubscriptionSettings, notification: Notification): Promise<void> {
    const { arn, subscriber, deadLetterQueue } = subscription;
    try {
      if (subscriber.kind === 'function') await this.#invoke(subscriber.name, arn, notification);
      else this.#parts.send(subscriber.name, this.#asMessage(arn, notification));
    } catch (error) {
      this.#parts.log(
        `SNS cannot reach ${subscriber.name}: ${error instanceof Error ? error.message : error}`,
      );
      if (deadLetterQueue !== undefined) this.#parts.send(deadLetterQueue, JSON.stringify(notification));
    }
  }

  async #invoke(functionName: string, arn: string, notification: Notification): Promise<void> {
    const event = {
      Records: [
        {
          EventSource: 'aws:sns',
          EventVersion: '1.0',
          EventSubscriptionArn: arn,
          Sns: {
            ...notification,
            SigningCertUrl: this.#certificateUrl(),
            UnsubscribeUrl: this.#unsubscribeUrl(arn),
            MessageAttributes: {},
          },
        },
      ],
    };
    await this.#parts.invoke(functionName, Buffer.from(JSON.stringify(event)), 'Event');
  }

  /** A queue gets the same members as a function, two of them spelled otherwise, and attributes only where there are any. */
  #asMessage = (arn: string, notification: Notification): string =>
    JSON.stringify({
      ...notification,
      SigningCertURL: this.#certificateUrl(),
      UnsubscribeURL: this.#unsubscribeUrl(arn),
    });

  /** The signature is not one of AWS. */
  #notification = (topicArn: string, subject: string, message: string): Notification => ({
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Subject: subject,
    Message: message,
    Timestamp: new Date(this.#parts.nowMs()).toISOString(),
    SignatureVersion: '1',
    Signature: randomBytes(256).toString('base64'),
  });

  #certificateUrl = () => `${this.#endpoint()}/SimpleNotificationService-${'0'.repeat(32)}.pem`;
  #unsubscribeUrl = (arn: string) => `${this.#endpoint()}/?Action=Unsubscribe&SubscriptionArn=${arn}`;
  #endpoint = () => `https://sns.${this.#parts.region}.amazonaws.com`;
}
