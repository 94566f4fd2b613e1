import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { jobKey, proofsKey } from '../../../shared/store/keys.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';

const memory = new MemoryDynamo();
afterEach(() => jest.restoreAllMocks());

it('proofs that cannot be read fail the scheduled run, but none that resumes another: Lambda would repeat it', async () => {
  Object.assign(process.env, {
    TABLE_NAME: 'table',
    DOCUMENTS_BUCKET: 'documents',
    TIMESTAMP_SECRET_ARN: 'time',
  });
  captureLog();
  memory.set({ ...proofsKey('damaged') });
  const { handler } = await import('../../../functions/jobs/gather-revocation.ts');
  const context = { getRemainingTimeInMillis: () => 900_000 } as Context;
  await expect(handler({}, context)).rejects.toThrow('damaged');
  const tally = { due: 7, done: 7, failed: 0 };
  const unfinished = { startedAt: '2026-11-21T12:00:00.000Z', tally, from: { shard: 3 } };
  await handler({ unfinished }, context);
  expect(memory.item(jobKey('renew-archived'))).toMatchObject({ ...tally, reinvokesItself: false });
});
