import { updateWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { addressUnder, endpointView, updateEndpoint } from '../../shared/webhooks/endpoints.ts';

const url = addressUnder(configuredAddressPolicy()).optional();
const checked = { ...updateWebhookEndpoint, body: updateWebhookEndpoint.body.extend({ url }) };

export const handler = apiEndpoint(checked, async ({ caller, params, body, table, now, json }) =>
  json(endpointView(await updateEndpoint(params.id, body, { table, owner: caller, now }))),
);
