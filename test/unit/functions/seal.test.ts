import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { captureLog } from '../../support/captured-log.ts';

const table = mockClient(DynamoDBClient);
const queues = mockClient(SQSClient);
afterEach(() => jest.restoreAllMocks());

it('a seal that cannot be put off is logged with the reason why it failed', async () => {
  Object.assign(process.env, {
    TABLE_NAME: 'table',
    DOCUMENTS_BUCKET: 'documents',
    SEAL_QUEUE_URL: 'seal',
    EVENTS_QUEUE_URL: 'events',
    MAIL_QUEUE_URL: 'mail',
    SEAL_SECRET_ARN: 'seal',
    TEST_SEAL_SECRET_ARN: 'test',
    TIMESTAMP_SECRET_ARN: 'time',
    SEAL_LEVEL: 'B-T',
    BASE_URL: 'https://sign.example',
  });
  table.rejects(new Error('the table is away'));
  queues.rejects(new Error('the queue is away'));
  const lines = captureLog();
  const { handler } = await import('../../../functions/jobs/seal.ts');
  const record = {
    messageId: 'm',
    body: JSON.stringify({ outbox_id: 'seal-r-1' }),
    attributes: { ApproximateReceiveCount: '1' },
  } as SQSRecord;
  await expect(handler({ Records: [record] })).resolves.toEqual({
    batchItemFailures: [{ itemIdentifier: 'm' }],
  });
  expect(lines).toMatchObject([
    { level: 'warn', error_message: 'the queue is away' },
    { level: 'error', error_message: 'the table is away' },
  ]);
});
