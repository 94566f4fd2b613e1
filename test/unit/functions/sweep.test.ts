import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { MINUTE } from '../../../shared/runtime/time.ts';
import { jobKey } from '../../../shared/store/keys.ts';
import { sealOutboxId } from '../../../shared/store/outbox.ts';
import { Table } from '../../../shared/store/table.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, signedBy } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const queues = mockClient(SQSClient);
let lines: Record<string, unknown>[];

beforeAll(() => {
  Object.assign(process.env, {
    TABLE_NAME: 'table',
    DOCUMENTS_BUCKET: 'documents',
    EVENTS_QUEUE_URL: 'events',
    SEAL_QUEUE_URL: 'seal',
    MAIL_QUEUE_URL: 'mail',
  });
  mockClient(S3Client);
});
beforeEach(() => {
  memory.clear();
  queues.reset();
  queues.resolves({});
  lines = captureLog();
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

async function sweepAt(time: Date) {
  virtualTime(time);
  const { handler } = await import('../../../functions/jobs/sweep.ts');
  return handler({}, { getRemainingTimeInMillis: () => 60_000 } as Context);
}

/** A request that awaits its seal since noon, whose job is in the outbox. */
async function awaitingStamp(): Promise<string> {
  const { state } = await storedRequest(table);
  await changed(table, state.id, (request, now) => signedBy(request, 0, now));
  return state.id;
}

const measured = () => lines.filter((line) => 'OldestAwaitingStamp' in line);
const sentTo = (queue: string) =>
  queues
    .commandCalls(SendMessageBatchCommand)
    .map(({ args: [{ input }] }) => input)
    .filter(({ QueueUrl }) => QueueUrl === queue)
    .flatMap(({ Entries = [] }) => Entries.map(({ MessageBody = '' }) => JSON.parse(MessageBody)));

it('the sweep measures how long the oldest seal has waited, and zero where none waits', async () => {
  await sweepAt(at(0));
  await awaitingStamp();
  await sweepAt(at(40 * MINUTE));
  expect(measured()).toMatchObject([{ OldestAwaitingStamp: 0 }, { OldestAwaitingStamp: 40 * 60 }]);
});

it('a part of the sweep that fails keeps no other from its work, and fails the run', async () => {
  const id = await awaitingStamp();
  const { query } = Table.prototype;
  jest.spyOn(Table.prototype, 'query').mockImplementation(function (this: Table, input) {
    if (input.pk.includes('ORPHAN')) throw new Error('The claims cannot be read.');
    return query.call(this, input);
  });
  await expect(sweepAt(at(MINUTE))).rejects.toThrow('The claims cannot be read.');
  expect(sentTo('seal')).toEqual([{ outbox_id: sealOutboxId(id) }]);
  const tally = memory.item(jobKey('sweep'));
  expect(tally).toMatchObject({ due: expect.any(Number), failed: 0 });
  expect(tally?.done).toBe(tally?.due);
  expect(measured()).toMatchObject([{ JobDue: tally?.due, JobDone: tally?.done, JobFailed: 0 }]);
});
