import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { outboxKey } from '../../../shared/store/keys.ts';
import { type OutboxItem, sealOutboxId } from '../../../shared/store/outbox.ts';
import { Table } from '../../../shared/store/table.ts';
import { sweepOutbox } from '../../../shared/work/sweep-outbox.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { signedBy } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const queues = mockClient(SQSClient);

beforeAll(() => {
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
  mockClient(S3Client).rejects(new Error('S3 is away'));
  mockClient(SecretsManagerClient).rejects(new Error('the secrets are away'));
});
beforeEach(() => {
  queues.reset();
  queues.resolves({});
});
afterEach(() => jest.restoreAllMocks());

const losesTable = () =>
  jest.spyOn(Table.prototype, 'query').mockRejectedValue(new Error('the table is away'));

/** Handles a job's message, which fails. */
async function fails(requestId: string, receives: number): Promise<void> {
  const { handler } = await import('../../../functions/jobs/seal.ts');
  const record = {
    messageId: 'm',
    receiptHandle: 'r',
    body: JSON.stringify({ outbox_id: sealOutboxId(requestId) }),
    attributes: { ApproximateReceiveCount: String(receives) },
  } as SQSRecord;
  await expect(handler({ Records: [record] })).resolves.toEqual({
    batchItemFailures: [{ itemIdentifier: 'm' }],
  });
}

it('a seal that is put off is left to its queue: the sweep sends no copy of it meanwhile', async () => {
  const { state } = await storedRequest(memory.table);
  await changed(memory.table, state.id, (request, now) => signedBy(request, 0, now));
  captureLog();
  const begin = Date.now();
  await fails(state.id, 3);
  const [call] = queues.commandCalls(ChangeMessageVisibilityCommand);
  expect(call?.args[0].input).toMatchObject({ ReceiptHandle: 'r', VisibilityTimeout: 120 });
  const sweptAfter = async (milliseconds: number): Promise<OutboxItem['kind'][]> => {
    const kinds: OutboxItem['kind'][] = [];
    const send = async (items: OutboxItem[]) => {
      kinds.push(...items.map(({ kind }) => kind));
      return 0;
    };
    const now = new Date(begin + milliseconds);
    await sweepOutbox(memory.table, send, { now: () => now, until: new Date(now.getTime() + MINUTE) });
    return kinds;
  };
  expect(await sweptAfter(2 * MINUTE)).not.toContain('seal');
  expect(await sweptAfter(4 * MINUTE)).toContain('seal');
});

it('a seal is put off for longer at each attempt, but never for more than a quarter of an hour', async () => {
  losesTable();
  captureLog();
  for (const receives of [1, 2, 5, 6, 12]) await fails('r-1', receives);
  const delays = queues.commandCalls(ChangeMessageVisibilityCommand).map(({ args: [{ input }] }) => input);
  expect(delays.map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([30, 60, 480, 900, 900]);
});

it('a job that another run has ended is not brought back by one that is put off', async () => {
  losesTable();
  captureLog();
  await fails('r-1', 1);
  expect(queues.commandCalls(ChangeMessageVisibilityCommand)).toHaveLength(1);
  expect(memory.item(outboxKey(sealOutboxId('r-1')))).toBeUndefined();
});

it('a seal that cannot be put off is logged with the reason why it failed', async () => {
  losesTable();
  queues.rejects(new Error('the queue is away'));
  const lines = captureLog();
  await fails('r-1', 1);
  expect(lines).toMatchObject([
    { level: 'warn', error_message: 'the queue is away' },
    { level: 'error', error_message: 'the table is away' },
  ]);
});
