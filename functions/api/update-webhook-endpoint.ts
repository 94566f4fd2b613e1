import { updateWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { endpointView, updateEndpoint } from '../../shared/webhooks/endpoints.ts';
import { configuredReach } from '../../shared/webhooks/reach.ts';

const reach = configuredReach();

export const handler = apiEndpoint(updateWebhookEndpoint, async ({ caller, params, body, table, now }) => ({
  json: endpointView(await updateEndpoint(params.id, body, { table, owner: caller, reach, now })),
}));
