import { notFound } from '../../shared/contract/api-error.ts';
import { deleteWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { accountEvents, apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { deleteEndpoint } from '../../shared/webhooks/endpoints.ts';

export const handler = apiEndpoint(deleteWebhookEndpoint, async (call) => {
  const { caller: owner, params, table, json } = call;
  const events = accountEvents('webhook_deleted', call);
  if (!(await deleteEndpoint(params.id, { table, owner, events }))) throw notFound('id');
  return json({ ok: true, id: params.id });
});
