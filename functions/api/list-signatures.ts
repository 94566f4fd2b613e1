import { signingKeys } from '../../shared/codes/secrets.ts';
import { LIMITS } from '../../shared/contract/fields.ts';
import { listSignatures } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { openCursor, sealCursor } from '../../shared/http/cursor.ts';
import { listRequests, type Position } from '../../shared/store/listing.ts';
import { summaryView } from '../../shared/views/signature-request.ts';

export const handler = apiEndpoint(listSignatures, async ({ caller, query, table, now }) => {
  const { ownerId, mode } = caller;
  const {
    status,
    created_from: createdFrom,
    created_to: createdTo,
    limit = LIMITS.defaultPageSize,
    cursor,
  } = query;
  const filter = { ownerId, mode, status, createdFrom, createdTo };
  const { cursor: key } = await signingKeys();
  const scope = JSON.stringify(['signatures', ownerId, mode, status, createdFrom, createdTo]);
  const startAfter = cursor === undefined ? undefined : (openCursor(key, scope, cursor) as Position);
  const { states, next } = await listRequests(table, filter, limit, startAfter);
  return {
    json: {
      data: states.map((state) => summaryView(state, now)),
      has_more: next !== null,
      next_cursor: next && sealCursor(key, scope, next),
    },
  };
});
