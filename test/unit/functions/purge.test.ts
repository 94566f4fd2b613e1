import { S3Client } from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import type { Mode } from '../../../shared/contract/fields.ts';
import { cancel, deletionRequested } from '../../../shared/requests/ending.ts';
import { DAY, SECOND } from '../../../shared/runtime/time.ts';
import { originalKey } from '../../../shared/store/objects.ts';
import { addOwner, changeOwner } from '../../../shared/store/owners.ts';
import { loadRequest } from '../../../shared/store/requests.ts';
import { captureLog } from '../../support/captured-log.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, OWNER } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let objects: MemoryObjects;

beforeAll(() => {
  Object.assign(process.env, { TABLE_NAME: 'table', DOCUMENTS_BUCKET: 'documents' });
});
beforeEach(() => {
  memory.clear();
  captureLog();
  objects = new MemoryObjects();
  mockClient(S3Client).send.callsFake((command) => objects.s3.send(command));
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A cancelled request with its original, of an owner whose archive began after that. */
async function cancelledBeforeArchive(mode: Mode): Promise<string> {
  const { state } = await storedRequest(table, 1, { owner: { ...OWNER, mode } });
  objects.objects.set(`documents/${originalKey(state.id)}`, { bytes: Buffer.from('%PDF-') });
  await changed(table, state.id, (request, now) => cancel(request, { actor: 'client', reason: null }, now));
  await addOwner(table, ownerItem({ id: OWNER.id, archive: true }));
  return state.id;
}

/** The request after the job, and the number of files that are left. */
async function purgedAt(time: Date, id: string) {
  skipPauses(time);
  const { handler } = await import('../../../functions/jobs/purge.ts');
  await handler({}, { getRemainingTimeInMillis: () => 600_000 } as Context);
  const { purgedAt: recordedAt, archiveProtected } = (await loadRequest(table, id))?.state ?? {};
  return { recordedAt, archiveProtected, files: objects.objects.size };
}

it('an archive keeps the live documents whose purge is due, and no test documents', async () => {
  const live = await cancelledBeforeArchive('live');
  expect(await purgedAt(at(7 * DAY), live)).toEqual({ recordedAt: null, archiveProtected: true, files: 1 });
  memory.clear();
  objects.objects.clear();
  const test = await cancelledBeforeArchive('test');
  expect(await purgedAt(at(7 * DAY), test)).toEqual({
    recordedAt: at(7 * DAY).toISOString(),
    archiveProtected: false,
    files: 0,
  });
});

it('a deletion that was asked for before the archive began, and died before it removed a file, is completed', async () => {
  const id = await cancelledBeforeArchive('live');
  await changed(
    table,
    id,
    (request, now) => deletionRequested(request, { archive: false, actor: 'client' }, now),
    at(DAY),
  );
  expect(await purgedAt(at(DAY), id)).toEqual({
    recordedAt: at(DAY).toISOString(),
    archiveProtected: false,
    files: 0,
  });
});

it('an archive that ends while the job keeps a document ends for that document too', async () => {
  const id = await cancelledBeforeArchive('live');
  memory.beforeWrites.push(() => changeOwner(table, OWNER.id, 'organization', { archive: false }));
  expect(await purgedAt(at(7 * DAY), id)).toEqual({ recordedAt: null, archiveProtected: false, files: 1 });
});

it('a deletion that is asked for while the job removes the files keeps its time', async () => {
  const { state } = await storedRequest(table, 1, { owner: OWNER });
  await changed(table, state.id, (request, now) => cancel(request, { actor: 'client', reason: null }, now));
  const askedAt = at(7 * DAY + SECOND);
  memory.beforeWrites.push(() =>
    changed(
      table,
      state.id,
      (request, now) => deletionRequested(request, { archive: false, actor: 'client' }, now),
      askedAt,
    ),
  );
  await purgedAt(at(7 * DAY), state.id);
  expect((await loadRequest(table, state.id))?.state).toMatchObject({
    purgeAt: askedAt.toISOString(),
    purgedAt: expect.any(String),
  });
});

it('a purge that removed the files and died is recorded by the next one, though the archive began meanwhile', async () => {
  const id = await cancelledBeforeArchive('live');
  objects.objects.clear();
  expect(await purgedAt(at(7 * DAY), id)).toEqual({
    recordedAt: at(7 * DAY).toISOString(),
    archiveProtected: false,
    files: 0,
  });
});
