import { getSealedDocument } from '../../shared/contract/signing.ts';
import { sealedDocument } from '../../shared/http/sealed-document.ts';
import { sealedFileEndpoint } from '../../shared/http/signing-endpoint.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';

const documents = configuredDocuments();

export const handler = sealedFileEndpoint(getSealedDocument, ({ caller, headers, table }) =>
  sealedDocument({ table, ...documents }, caller.request, { rest: headers }),
);
