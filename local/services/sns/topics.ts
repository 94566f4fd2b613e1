/** SNS topics with queues as subscribers. No API: only other services of the local cloud publish. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SubscriptionSettings } from '../../ports.ts';

interface Parts {
  send(queueName: string, body: string): void;
  nowMs(): number;
  region: string;
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

  publish(topicArn: string, subject: string, message: string): void {
    for (const subscription of this.#subscriptions.values()) {
      if (subscription.topicArn === topicArn)
        this.#parts.send(subscription.queueName, this.#envelope(subscription, subject, message));
    }
  }

  /** The signature is not one of AWS. */
  #envelope({ arn, topicArn }: SubscriptionSettings, subject: string, message: string): string {
    const endpoint = `https://sns.${this.#parts.region}.amazonaws.com`;
    return JSON.stringify({
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topicArn,
      Subject: subject,
      Message: message,
      Timestamp: new Date(this.#parts.nowMs()).toISOString(),
      SignatureVersion: '1',
      Signature: randomBytes(256).toString('base64'),
      SigningCertURL: `${endpoint}/SimpleNotificationService-${'0'.repeat(32)}.pem`,
      UnsubscribeURL: `${endpoint}/?Action=Unsubscribe&SubscriptionArn=${arn}`,
    });
  }
}
