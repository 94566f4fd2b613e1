import { updateWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { accountEvents, apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { addressUnder, endpointView, updateEndpoint } from '../../shared/webhooks/endpoints.ts';

const url = addressUnder(configuredAddressPolicy()).optional();
const checked = { ...updateWebhookEndpoint, body: updateWebhookEndpoint.body.extend({ url }) };

export const handler = apiEndpoint(checked, async (call) => {
  const { caller: owner, params, body, table, now, json } = call;
  const events = accountEvents('webhook_changed', call);
  return json(endpointView(await updateEndpoint(params.id, body, { table, owner, now, events })));
});
