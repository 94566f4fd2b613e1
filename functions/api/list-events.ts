import { LIMITS } from '../../shared/contract/fields.ts';
import { listEvents } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { signCursor, verifyCursor } from '../../shared/http/cursor.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { int } from '../../shared/runtime/schemas.ts';
import { loadRequest, listEvents as readEvents } from '../../shared/store/requests.ts';
import { signingKeys } from '../../shared/verification/keys.ts';
import { eventView } from '../../shared/views/audit-trail.ts';

export const handler = apiEndpoint(listEvents, async ({ caller, params, query, table, json }) => {
  const { limit = LIMITS.defaultPageSize, cursor } = query;
  const { state } = requireOwned(await loadRequest(table, params.id), caller);
  const { cursor: key } = await signingKeys();
  const scope = JSON.stringify(['events', state.id]);
  const after = verifyCursor(key, scope, cursor, int);
  const { events, next } = await readEvents(table, state.id, limit, after);
  return json({
    data: events.map(eventView),
    has_more: next !== null,
    next_cursor: next === null ? null : signCursor(key, scope, next),
  });
});
