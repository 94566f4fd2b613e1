import { getWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { endpointView, requireEndpoint } from '../../shared/webhooks/endpoints.ts';

export const handler = apiEndpoint(getWebhookEndpoint, async ({ caller, params, table, json }) =>
  json(endpointView(await requireEndpoint(table, caller, params.id))),
);
