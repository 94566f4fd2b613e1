import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import { changeOf } from '../../../shared/requests/model.ts';
import { overdueAt, renewalOf } from '../../../shared/requests/renewing.ts';
import { DAY, HOUR } from '../../../shared/runtime/time.ts';
import { jobKey } from '../../../shared/store/keys.ts';
import { keepProofs } from '../../../shared/store/proofs.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { at, DOCUMENT_SHA256, NOON } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let lines: Record<string, unknown>[];

beforeAll(() => {
  Object.assign(process.env, {
    TABLE_NAME: 'table',
    DOCUMENTS_BUCKET: 'documents',
    TIMESTAMP_SECRET_ARN: 'time',
  });
  mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: '{}' });
});
beforeEach(() => {
  memory.clear();
  lines = captureLog();
  virtualTime(NOON);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

async function run(event: object = {}) {
  const { handler } = await import('../../../functions/jobs/gather-revocation.ts');
  await handler(event, { getRemainingTimeInMillis: () => 900_000 } as Context);
}

const measured = (metric: string) =>
  lines.flatMap((line) => (line[metric] === undefined ? [] : [line[metric]]));

it('a failure of the part for proofs fails the scheduled run, but none that resumes another: Lambda would repeat it', async () => {
  memory.beforeWrites.push(() => {
    throw new Error('The report cannot be stored.');
  });
  await expect(run()).rejects.toThrow('The report cannot be stored.');
  const tally = { due: 7, done: 7, failed: 0 };
  const unfinished = { startedAt: '2026-11-21T12:00:00.000Z', tally, from: { shard: 3 } };
  await run({ unfinished });
  expect(memory.item(jobKey('renew-archived'))).toMatchObject({ ...tally, reinvokesItself: false });
  expect(memory.item(jobKey('gather-revocation'))).toBeUndefined();
});

it('a renewal that is overdue rings in each run, also between its attempts', async () => {
  const renewal = renewalOf(NOON.toISOString(), at(365 * DAY).toISOString());
  const { state } = await storedRequest(table);
  await changed(table, state.id, (request) =>
    changeOf(request, {
      state: {
        ...request.state,
        status: 'signed',
        documentHash: DOCUMENT_SHA256,
        renewal: { ...renewal, failures: 9, nextAttemptAt: renewal.endsAt },
      },
    }),
  );
  const overdue = Date.parse(overdueAt(renewal));
  jest.setSystemTime(overdue - 1);
  await run();
  expect(measured('RenewalsOverdue')).toEqual([]);
  jest.setSystemTime(overdue);
  await run();
  expect(measured('RenewalsOverdue')).toEqual([1]);
});

it('proofs that run out ring in each run, also between its attempts; without proofs there is nothing to measure', async () => {
  await run();
  expect(measured('ProofsRunningOut')).toEqual([]);
  await keepProofs(table, {
    certificateSha256: DOCUMENT_SHA256,
    chain: [],
    answers: [{ kind: 'ocsp', der: 'AAAA' }],
    gatheredAt: at(-4 * DAY).toISOString(),
    until: at(DAY).toISOString(),
    certificateEnds: at(365 * DAY).toISOString(),
    failures: 3,
    nextAttemptAt: at(HOUR).toISOString(),
  });
  await run();
  expect(measured('ProofsRunningOut')).toEqual([1]);
});
