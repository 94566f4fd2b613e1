import { updateWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { endpointView, updateEndpoint } from '../../shared/webhooks/endpoints.ts';

const policy = configuredAddressPolicy();

export const handler = apiEndpoint(
  updateWebhookEndpoint,
  async ({ caller, params, body, table, now, json }) =>
    json(endpointView(await updateEndpoint(params.id, body, { table, owner: caller, policy, now }))),
);
