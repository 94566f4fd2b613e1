import { LIMITS } from '../../shared/contract/limits.ts';
import { listEvents } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { pagingOf } from '../../shared/http/cursor.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { int } from '../../shared/runtime/schemas.ts';
import { loadRequest, listEvents as readEvents } from '../../shared/store/requests.ts';
import { eventView } from '../../shared/views/audit-trail.ts';

export const handler = apiEndpoint(listEvents, async ({ caller, params, query, table, json }) => {
  const { limit = LIMITS.defaultPageSize, cursor } = query;
  const { state } = requireOwned(await loadRequest(table, params.id), caller);
  const paging = await pagingOf(['events', state.id], cursor);
  const { events, next } = await readEvents(table, state.id, limit, paging.startAfter(int));
  return json(paging.answer(events.map(eventView), next));
});
