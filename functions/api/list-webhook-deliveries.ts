import { LIMITS } from '../../shared/contract/fields.ts';
import { listWebhookDeliveries } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { signCursor, verifyCursor } from '../../shared/http/cursor.ts';
import { deliveryPosition, listDeliveries } from '../../shared/store/deliveries.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { deliveryView, requireEndpoint } from '../../shared/webhooks/endpoints.ts';

export const handler = apiEndpoint(
  listWebhookDeliveries,
  async ({ caller, params, query, table, now, json }) => {
    const { limit = LIMITS.defaultPageSize, cursor } = query;
    const { id, ownerId, mode } = await requireEndpoint(table, caller, params.id);
    const { cursor: key } = await signingKeys();
    const scope = JSON.stringify(['deliveries', ownerId, mode, id]);
    const startAfter = verifyCursor(key, scope, cursor, deliveryPosition);
    const { deliveries, next } = await listDeliveries(table, id, now, limit, startAfter);
    return json({
      data: deliveries.map(deliveryView),
      has_more: next !== null,
      next_cursor: next && signCursor(key, scope, next),
    });
  },
);
