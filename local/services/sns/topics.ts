/** SNS topics with queues as subscribers. No API: only other services of the local cloud publish. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { SubscriptionSettings } from '../../ports.ts';

interface Parts {
  send(queueName: string, body: string): void;
  nowMs(): number;
  region: string;
}

export function openTopics({ send, nowMs, region }: Parts) {
  const subscriptions = new Map<string, SubscriptionSettings>();

  /** The signature is not one of AWS. */
  const envelope = ({ arn, topicArn }: SubscriptionSettings, subject: string, message: string): string => {
    const endpoint = `https://sns.${region}.amazonaws.com`;
    return JSON.stringify({
      Type: 'Notification',
      MessageId: randomUUID(),
      TopicArn: topicArn,
      Subject: subject,
      Message: message,
      Timestamp: new Date(nowMs()).toISOString(),
      SignatureVersion: '1',
      Signature: randomBytes(256).toString('base64'),
      SigningCertURL: `${endpoint}/SimpleNotificationService-${'0'.repeat(32)}.pem`,
      UnsubscribeURL: `${endpoint}/?Action=Unsubscribe&SubscriptionArn=${arn}`,
    });
  };

  return {
    subscribe(settings: SubscriptionSettings): void {
      subscriptions.set(settings.arn, settings);
    },

    publish(topicArn: string, subject: string, message: string): void {
      for (const subscription of subscriptions.values())
        if (subscription.topicArn === topicArn)
          send(subscription.queueName, envelope(subscription, subject, message));
    },
  };
}
