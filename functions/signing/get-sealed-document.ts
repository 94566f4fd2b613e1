import { S3Client } from '@aws-sdk/client-s3';
import { getSealedDocument } from '../../shared/contract/signing.ts';
import { sealedDocument } from '../../shared/http/sealed-document.ts';
import { sealedFileEndpoint } from '../../shared/http/signing-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';

const s3 = new S3Client(CLIENT_SETTINGS);
const bucket = setting('DOCUMENTS_BUCKET');

export const handler = sealedFileEndpoint(getSealedDocument, ({ caller, headers }) =>
  sealedDocument(s3, bucket, caller.request, { rest: headers }),
);
