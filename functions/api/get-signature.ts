import { LIMITS } from '../../shared/contract/limits.ts';
import { getSignature } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { setting } from '../../shared/runtime/config.ts';
import { withRawMember } from '../../shared/runtime/raw-json.ts';
import { loadRequestWithNewestEvents } from '../../shared/store/requests.ts';
import { truncation } from '../../shared/views/audit-trail.ts';
import { requestView } from '../../shared/views/signature-request.ts';

const baseUrl = setting('BASE_URL');

export const handler = apiEndpoint(getSignature, async ({ caller, params, table, now, text }) => {
  const request = requireOwned(
    await loadRequestWithNewestEvents(table, params.id, LIMITS.eventsInAnswer),
    caller,
  );
  return text(
    withRawMember(requestView(request, caller, baseUrl, now), 'metadata', request.content.metadataJson),
    truncation(request),
  );
});
