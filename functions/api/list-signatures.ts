import { ApiError } from '../../shared/contract/api-error.ts';
import { LIMITS } from '../../shared/contract/limits.ts';
import { listSignatures } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { pagingOf } from '../../shared/http/cursor.ts';
import { listRequests, passes, position } from '../../shared/store/listing.ts';
import { SEARCHES, type Search, searchPosition, searchRequests } from '../../shared/store/search.ts';
import { summaryView } from '../../shared/views/signature-request.ts';

function searchOf(query: Partial<Record<Search['by'], string | undefined>>): Search | undefined {
  const given = SEARCHES.flatMap((by) => (query[by] === undefined ? [] : [{ by, text: query[by] }]));
  if (given.length > 1)
    throw new ApiError(
      'invalid_request',
      `${given.map(({ by }) => by).join(' and ')} cannot be combined; give one of ${SEARCHES.join(', ')}.`,
    );
  return given[0];
}

export const handler = apiEndpoint(listSignatures, async ({ caller, query, table, now, json }) => {
  const { ownerId, mode } = caller;
  const {
    status,
    created_from: createdFrom,
    created_to: createdTo,
    limit = LIMITS.defaultPageSize,
    cursor,
  } = query;
  const filter = { ownerId, mode, status, createdFrom, createdTo };
  const search = searchOf(query);
  const searched = search ? [search.by, search.text] : [];
  const paging = await pagingOf(
    ['signatures', ownerId, mode, status, createdFrom, createdTo, ...searched],
    cursor,
  );
  const { states, next } = search
    ? await searchRequests(table, filter, search, passes(filter), limit, paging.startAfter(searchPosition))
    : await listRequests(table, filter, limit, paging.startAfter(position));
  const data = states.map((state) => summaryView(state, now));
  return json(paging.answer(data, next));
});
