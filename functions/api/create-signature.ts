import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createSignature } from '../../shared/contract/signatures.ts';
import { createRequest, creationAnswer } from '../../shared/creation/create-request.ts';
import { apiEndpoint } from '../../shared/http/api-endpoint.ts';
import { textOf } from '../../shared/http/validation.ts';
import { configuredMailer } from '../../shared/mail/ses-mailer.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { dispatchTo } from '../../shared/store/dispatch.ts';
import { signingKeys } from '../../shared/verification/keys.ts';

const s3 = new S3Client(CLIENT_SETTINGS);
const stagingBucket = setting('STAGING_BUCKET');

const services = {
  s3,
  stagingBucket,
  documentsBucket: setting('DOCUMENTS_BUCKET'),
  send: dispatchTo({ event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') }),
  mailer: configuredMailer(),
  baseUrl: setting('BASE_URL'),
  now: systemNow,
};

/** Reads a body that is too large for the gateway; the ingest has put it into the staging bucket. */
async function readStaged(key: string): Promise<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: stagingBucket, Key: key }));
  return (await Body?.transformToString('utf8')) ?? '';
}

export const handler = apiEndpoint(
  createSignature,
  async ({ caller, body, headers, rawBody, table, json }) => {
    const { codePepper } = await signingKeys();
    const { request, replayed } = await createRequest(
      { ...services, table, codePepper },
      { caller, body, rawBody, idempotencyKey: headers['idempotency-key'] },
    );
    return json(creationAnswer(request, services.baseUrl), replayed ? { 'Idempotent-Replayed': 'true' } : {});
  },
  { readBody: async (event) => (event.bodyReference ? readStaged(event.bodyReference.key) : textOf(event)) },
);
