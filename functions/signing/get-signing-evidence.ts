import { S3Client } from '@aws-sdk/client-s3';
import { getSigningEvidence } from '../../shared/contract/signing.ts';
import { evidenceFile } from '../../shared/http/sealed-document.ts';
import { sealedFileEndpoint } from '../../shared/http/signing-endpoint.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';

const s3 = new S3Client(CLIENT_SETTINGS);
const bucket = setting('DOCUMENTS_BUCKET');

export const handler = sealedFileEndpoint(getSigningEvidence, ({ caller, headers }) =>
  evidenceFile(s3, bucket, caller.request, { rest: headers }),
);
