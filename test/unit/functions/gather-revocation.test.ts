import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { jobKey } from '../../../shared/store/keys.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

const memory = new MemoryDynamo();
afterEach(() => jest.restoreAllMocks());

it('a failure of the part for proofs fails the scheduled run, but none that resumes another: Lambda would repeat it', async () => {
  Object.assign(process.env, {
    TABLE_NAME: 'table',
    DOCUMENTS_BUCKET: 'documents',
    TIMESTAMP_SECRET_ARN: 'time',
  });
  captureLog();
  memory.beforeWrites.push(() => {
    throw new Error('The report cannot be stored.');
  });
  const { handler } = await import('../../../functions/jobs/gather-revocation.ts');
  const context = { getRemainingTimeInMillis: () => 900_000 } as Context;
  await expect(handler({}, context)).rejects.toThrow('The report cannot be stored.');
  const tally = { due: 7, done: 7, failed: 0 };
  const unfinished = { startedAt: '2026-11-21T12:00:00.000Z', tally, from: { shard: 3 } };
  await handler({ unfinished }, context);
  expect(memory.item(jobKey('renew-archived'))).toMatchObject({ ...tally, reinvokesItself: false });
  expect(memory.item(jobKey('gather-revocation'))).toBeUndefined();
});
