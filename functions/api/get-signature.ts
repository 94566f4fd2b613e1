import { getSignature } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { owned } from '../../shared/http/owned-request.ts';
import { withRawMember } from '../../shared/http/raw-json.ts';
import { setting } from '../../shared/runtime/config.ts';
import { loadRequestWithTrail } from '../../shared/store/requests.ts';
import { requestView } from '../../shared/views/signature-request.ts';

const baseUrl = setting('BASE_URL');

export const handler = apiEndpoint(getSignature, async ({ caller, params, table, now }) => {
  const request = owned(await loadRequestWithTrail(table, params.id), caller);
  return {
    text: withRawMember(requestView(request, caller, baseUrl, now), 'metadata', request.content.metadataJson),
  };
});
