import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { consume, outboxIdOf } from '../../shared/queues/consume.ts';
import { dispatch } from '../../shared/queues/dispatch.ts';
import { CLIENT_SETTINGS } from '../../shared/runtime/clients.ts';
import { setting } from '../../shared/runtime/config.ts';
import { addLogFields, errorFields, log } from '../../shared/runtime/log.ts';
import { measure } from '../../shared/runtime/metrics.ts';
import { systemNow } from '../../shared/runtime/time.ts';
import { readAuthorities, readSealKey } from '../../shared/sealing/configuration.ts';
import { StampFailed, sealRequest } from '../../shared/sealing/seal-request.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { readOutbox } from '../../shared/store/outbox.ts';
import { Table } from '../../shared/store/table.ts';

const table = new Table(new DynamoDBClient(CLIENT_SETTINGS), setting('TABLE_NAME'));
const s3 = new S3Client(CLIENT_SETTINGS);
const sqs = new SQSClient(CLIENT_SETTINGS);
const sealQueue = setting('SEAL_QUEUE_URL');
const queues = { event: setting('EVENTS_QUEUE_URL'), mail: setting('MAIL_QUEUE_URL') };
const keySecrets = { live: setting('SEAL_SECRET_ARN'), test: setting('TEST_SEAL_SECRET_ARN') };
const timestampSecret = setting('TIMESTAMP_SECRET_ARN');

const sealing = {
  table,
  s3,
  bucket: setting('DOCUMENTS_BUCKET'),
  baseUrl: setting('BASE_URL'),
  now: systemNow,
  // Read for each seal, so that a new certificate or authority counts at once.
  keyFor: (mode: 'live' | 'test') => readSealKey(keySecrets[mode]),
  timestamp: async (data: Uint8Array) => timestamper(await readAuthorities(timestampSecret))(data),
};

/** 30 seconds, doubling to 15 minutes: a passing fault is tried again often at first, and for more than an hour. */
const waitSeconds = (receives: number) => Math.min(30 * 2 ** (receives - 1), 900);

async function comeBackLater(record: SQSRecord): Promise<void> {
  const receives = Number(record.attributes.ApproximateReceiveCount);
  await sqs.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: sealQueue,
      ReceiptHandle: record.receiptHandle,
      VisibilityTimeout: waitSeconds(receives),
    }),
  );
}

export const handler = consume(async (message, record) => {
  const outboxId = outboxIdOf(message);
  const item = await readOutbox(table, outboxId);
  if (item?.kind !== 'seal') return;
  addLogFields({ signature_request_id: item.requestId, owner_id: item.ownerId });
  try {
    const outbox = await sealRequest(sealing, outboxId, item.requestId);
    // A second run of the same seal has nothing to send.
    if (outbox.length > 0)
      measure({ Sealed: 1, TimeToSeal: systemNow().getTime() - Date.parse(item.createdAt) });
    await dispatch(sqs, queues, outbox);
    log.info('Sealed');
  } catch (error) {
    if (error instanceof StampFailed) {
      measure({ SealFailures: 1 });
      log.error('The seal was given up', { ...errorFields(error.cause), code: error.code });
      return;
    }
    await comeBackLater(record);
    throw error;
  }
});
