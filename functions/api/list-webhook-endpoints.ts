import { listWebhookEndpoints } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { listEndpoints } from '../../shared/store/webhook-endpoints.ts';
import { endpointView } from '../../shared/webhooks/endpoints.ts';

export const handler = apiEndpoint(listWebhookEndpoints, async ({ caller, table, json }) => {
  const endpoints = await listEndpoints(table, caller);
  return json({ data: endpoints.map(endpointView) });
});
