import { LIMITS } from '../../shared/contract/limits.ts';
import { listWebhookDeliveries } from '../../shared/contract/webhook-endpoints.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { pagingOf } from '../../shared/http/cursor.ts';
import { deliveryBodies, deliveryPosition, listDeliveries } from '../../shared/store/deliveries.ts';
import { deliveryView, requireEndpoint } from '../../shared/webhooks/endpoints.ts';

export const handler = apiEndpoint(
  listWebhookDeliveries,
  async ({ caller, params, query, table, now, json }) => {
    const { limit: asked = LIMITS.defaultPageSize, cursor, include } = query;
    const limit = include ? Math.min(asked, LIMITS.deliveriesWithBodies) : asked;
    const { id, ownerId, mode } = await requireEndpoint(table, caller, params.id);
    const paging = await pagingOf(['deliveries', ownerId, mode, id], cursor);
    const startAfter = paging.startAfter(deliveryPosition);
    const { deliveries, next } = await listDeliveries(table, id, now, limit, startAfter);
    const bodies = include ? await deliveryBodies(table, id, deliveries) : [];
    const data = deliveries.map((delivery, place) => deliveryView(delivery, bodies[place]));
    return json(paging.answer(data, next));
  },
);
