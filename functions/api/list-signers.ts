import { listSigners } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { owned } from '../../shared/http/owned-request.ts';
import { setting } from '../../shared/runtime/config.ts';
import { loadRequestWithTrail } from '../../shared/store/requests.ts';
import { signerView } from '../../shared/views/signature-request.ts';

const baseUrl = setting('BASE_URL');

export const handler = apiEndpoint(listSigners, async ({ caller, params, table }) => {
  const request = owned(await loadRequestWithTrail(table, params.id), caller);
  return { json: { data: request.signers.map((signer) => signerView(signer, request, baseUrl)) } };
});
