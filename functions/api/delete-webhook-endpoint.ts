import { notFound } from '../../shared/contract/api-error.ts';
import { deleteWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { removeEndpoint } from '../../shared/store/webhook-endpoints.ts';

export const handler = apiEndpoint(deleteWebhookEndpoint, async ({ caller, params, table, json }) => {
  if (!(await removeEndpoint(table, caller, params.id))) throw notFound('id');
  return json({ ok: true, id: params.id });
});
