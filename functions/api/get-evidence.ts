import { getEvidence } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { evidenceFile } from '../../shared/http/sealed-document.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';
import { loadRequest } from '../../shared/store/requests.ts';

const documents = configuredDocuments();

export const handler = apiEndpoint(getEvidence, async ({ caller, params, query, headers, table }) => {
  const request = requireOwned(await loadRequest(table, params.id), caller);
  return evidenceFile({ table, ...documents }, request, { form: query.form, rest: headers });
});
