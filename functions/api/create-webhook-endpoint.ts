import { KMSClient } from '@aws-sdk/client-kms';
import { createWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { accountEvents, apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { configuredAddressPolicy } from '../../shared/webhooks/address-rules.ts';
import { addressUnder, createEndpoint, endpointView } from '../../shared/webhooks/endpoints.ts';
import { encryptSecret, endpointContext } from '../../shared/webhooks/secrets.ts';

const kms = new KMSClient(CLIENT_SETTINGS);
const keyArn = setting('WEBHOOK_KEY_ARN');
const url = addressUnder(configuredAddressPolicy());
const checked = { ...createWebhookEndpoint, body: createWebhookEndpoint.body.extend({ url }) };

export const handler = apiEndpoint(checked, async (call) => {
  const { caller, body, table, now, json } = call;
  const encrypt = (secret: string, endpointId: string) =>
    encryptSecret(kms, keyArn, secret, endpointContext(endpointId, caller.ownerId));
  const events = accountEvents('webhook_created', call);
  const { endpoint, secret } = await createEndpoint(body, { table, owner: caller, now, encrypt, events });
  return json({ ...endpointView(endpoint), secret });
});
