import { getSigningEvidence } from '../../shared/contract/signing.ts';
import { evidenceFile } from '../../shared/http/sealed-document.ts';
import { sealedFileEndpoint } from '../../shared/http/signing-endpoint.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';

const documents = configuredDocuments();

export const handler = sealedFileEndpoint(getSigningEvidence, ({ caller, headers, table }) =>
  evidenceFile({ table, ...documents }, caller.request, { rest: headers }),
);
