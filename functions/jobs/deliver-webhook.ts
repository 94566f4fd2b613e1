import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { JOB_CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { configuredTable } from '../../shared/store/configured-table.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { resolveWith } from '../../shared/webhooks/addresses.ts';
import { AttemptRecorder } from '../../shared/webhooks/attempts.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { type DeliveryMessage, deliveryMessage, sendDeliveries } from '../../shared/webhooks/messages.ts';
import { makePost } from '../../shared/webhooks/post.ts';
import { secretDecrypter } from '../../shared/webhooks/secrets.ts';
import { consume } from '../../shared/work/consume.ts';

const table = configuredTable(JOB_CLIENT_SETTINGS);
const sqs = new SQSClient(JOB_CLIENT_SETTINGS);
const slowQueueUrl = setting('SLOW_DELIVERIES_QUEUE_URL');

const parts = {
  table,
  decryptSecret: secretDecrypter(new KMSClient(JOB_CLIENT_SETTINGS), setting('WEBHOOK_KEY_ARN')),
  post: makePost({ ...configuredAddressPolicy(), resolve: resolveWith() }),
  sendSlow: (message: DeliveryMessage) => sendDeliveries(sqs, slowQueueUrl, [message]),
  record: new AttemptRecorder(table, systemNow),
  now: systemNow,
};

export const handler = consume((message) => deliver(deliveryMessage.parse(message), parts));
