import { SQSClient } from '@aws-sdk/client-sqs';
import { testWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { requireEndpoint } from '../../shared/webhooks/endpoints.ts';
import { sendDeliveries } from '../../shared/webhooks/messages.ts';
import { testEvent } from '../../shared/webhooks/test-event.ts';

const sqs = new SQSClient(CLIENT_SETTINGS);
const queueUrl = setting('DELIVERIES_QUEUE_URL');

export const handler = apiEndpoint(testWebhookEndpoint, async ({ caller, params, table, now, json }) => {
  const event = testEvent(await requireEndpoint(table, caller, params.id), now);
  await sendDeliveries(sqs, queueUrl, [event]);
  return json({ ok: true, event_id: event.eventId });
});
