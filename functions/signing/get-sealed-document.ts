import { getSealedDocument } from '../../shared/contract/signing.ts';
import { sealedDocument } from '../../shared/http/sealed-document.ts';
import { sealedFileEndpoint } from '../../shared/http/signing-endpoint.ts';
import { configuredDocuments } from '../../shared/store/configured-documents.ts';

const { s3, bucket } = configuredDocuments();

export const handler = sealedFileEndpoint(getSealedDocument, ({ caller, headers }) =>
  sealedDocument(s3, bucket, caller.request, { rest: headers }),
);
