import { KMSClient } from '@aws-sdk/client-kms';
import { createWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { createEndpoint, endpointView } from '../../shared/webhooks/endpoints.ts';
import { configuredReach } from '../../shared/webhooks/reach.ts';
import { endpointContext, sealSecret } from '../../shared/webhooks/secrets.ts';

const kms = new KMSClient(CLIENT_SETTINGS);
const keyArn = setting('WEBHOOK_KEY_ARN');
const reach = configuredReach();

export const handler = apiEndpoint(createWebhookEndpoint, async ({ caller, body, table, now }) => {
  const seal = (secret: string, endpointId: string) =>
    sealSecret(kms, keyArn, secret, endpointContext(endpointId, caller.ownerId));
  const { endpoint, secret } = await createEndpoint(body, { table, owner: caller, reach, now, seal });
  return { json: { ...endpointView(endpoint), secret } };
});
