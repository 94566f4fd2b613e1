import { S3Client } from '@aws-sdk/client-s3';
import { getEvidence } from '../../shared/contract/signatures.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { requireOwned } from '../../shared/http/owned-request.ts';
import { evidenceFile } from '../../shared/http/sealed-document.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { loadRequest } from '../../shared/store/requests.ts';

const s3 = new S3Client(CLIENT_SETTINGS);
const bucket = setting('DOCUMENTS_BUCKET');

export const handler = apiEndpoint(getEvidence, async ({ caller, params, query, table }) => {
  const request = requireOwned(await loadRequest(table, params.id), caller);
  return evidenceFile(s3, bucket, request, { form: query.form });
});
