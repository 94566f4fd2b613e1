import { LIMITS } from '../../shared/contract/limits.ts';
import { listSigners } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { setting } from '../../shared/runtime/config.ts';
import { loadRequestWithNewestEvents } from '../../shared/store/requests.ts';
import { signersTrail, truncation } from '../../shared/views/audit-trail.ts';
import { signerView } from '../../shared/views/signature-request.ts';

const baseUrl = setting('BASE_URL');

export const handler = apiEndpoint(listSigners, async ({ caller, params, table, json }) => {
  const stored = requireOwned(
    await loadRequestWithNewestEvents(table, params.id, LIMITS.eventsSearched),
    caller,
  );
  const request = signersTrail(stored, LIMITS.eventsInAnswer);
  const data = request.signers.map((signer) => signerView(signer, request, baseUrl));
  return json({ data }, truncation(request));
});
