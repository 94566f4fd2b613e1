import { SQSClient } from '@aws-sdk/client-sqs';
import { redeliverWebhook } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { requireEndpoint } from '../../shared/webhooks/endpoints.ts';
import { sendDeliveries } from '../../shared/webhooks/messages.ts';
import { redelivery } from '../../shared/webhooks/redelivery.ts';

const sqs = new SQSClient(CLIENT_SETTINGS);
const queueUrl = setting('DELIVERIES_QUEUE_URL');

export const handler = apiEndpoint(redeliverWebhook, async ({ caller, params, table, json }) => {
  const endpoint = await requireEndpoint(table, caller, params.id);
  const message = await redelivery(table, endpoint, params.event_id);
  await sendDeliveries(sqs, queueUrl, [message]);
  return json({ ok: true, event_id: message.eventId });
});
