/** SNS topics with functions as subscribers. No API: only other services of the local cloud publish. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { InvokeFunction, SubscriptionSettings } from '../../ports.ts';

interface Parts {
  invoke: InvokeFunction;
  /** Takes a notification that could not be delivered. */
  sendDeadLetter(queueName: string, body: string): void;
  nowMs(): number;
  region: string;
  log(line: string): void;
}

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

  async #deliver(subscription: SubscriptionSettings, notification: Record<string, unknown>): Promise<void> {
    const { arn, functionName, deadLetterQueue } = subscription;
    const event = {
      Records: [
        {
          EventSource: 'aws:sns',
          EventVersion: '1.0',
          EventSubscriptionArn: arn,
          Sns: {
            ...notification,
            UnsubscribeUrl: `${this.#endpoint()}/?Action=Unsubscribe&SubscriptionArn=${arn}`,
          },
        },
      ],
    };
    try {
      await this.#parts.invoke(functionName, Buffer.from(JSON.stringify(event)), 'Event');
    } catch (error) {
      this.#parts.log(`SNS cannot invoke ${functionName}: ${error instanceof Error ? error.message : error}`);
      if (deadLetterQueue !== undefined)
        this.#parts.sendDeadLetter(deadLetterQueue, JSON.stringify(notification));
    }
  }

  /** As Lambda gets it; the signature is not one of AWS. */
  #notification(topicArn: string, subject: string, message: string): Record<string, unknown> {
    return {
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topicArn,
      Subject: subject,
      Message: message,
      Timestamp: new Date(this.#parts.nowMs()).toISOString(),
      SignatureVersion: '1',
      Signature: randomBytes(256).toString('base64'),
      SigningCertUrl: `${this.#endpoint()}/SimpleNotificationService-${'0'.repeat(32)}.pem`,
      MessageAttributes: {},
    };
  }

  #endpoint = () => `https://sns.${this.#parts.region}.amazonaws.com`;
}
