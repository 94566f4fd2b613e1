import { S3Client } from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import fc from 'fast-check';
import { Failure } from '../../admin/errors.ts';
import { forgetOtherDirection, rescheduleDocuments } from '../../admin/retention.ts';
import { ApiError } from '../../shared/contract/api-error.ts';
import { deletionRequested, isDeletionAsked, purged, restamp } from '../../shared/requests/ending.ts';
import { sha256Hex } from '../../shared/runtime/hash.ts';
import { present } from '../../shared/runtime/present.ts';
import { DAY, HOUR, MINUTE } from '../../shared/runtime/time.ts';
import { certificatesOfPem } from '../../shared/sealing/certificate.ts';
import { SealError } from '../../shared/sealing/errors.ts';
import { timestamper } from '../../shared/sealing/timestamp.ts';
import { StampFailed, sealRequest } from '../../shared/stamping/seal-request.ts';
import { readEvidence } from '../../shared/stamping/verify-evidence.ts';
import { changeRequest } from '../../shared/store/change.ts';
import { outboxKey } from '../../shared/store/keys.ts';
import { evidenceKey, originalKey, requestObjects, sealedKey } from '../../shared/store/objects.ts';
import { type OutboxItem, sealOutboxId } from '../../shared/store/outbox.ts';
import { addOwner, changeOwner, findOwner } from '../../shared/store/owners.ts';
import { removeObjects } from '../../shared/store/remove-objects.ts';
import { loadRequest } from '../../shared/store/requests.ts';
import { sweepOrphans } from '../../shared/work/orphans.ts';
import { sweepStuckSeals } from '../../shared/work/stuck-seals.ts';
import { sweepOutbox } from '../../shared/work/sweep-outbox.ts';
import { captureLog } from '../support/captured-log.ts';
import { Meeting } from '../support/meeting.ts';
import { MemoryDynamo } from '../support/memory-dynamo.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { operatorOf } from '../support/operator-terminal.ts';
import { ownerItem } from '../support/owners.ts';
import { makePdf } from '../support/pdf.ts';
import { always } from '../support/property.ts';
import { Random } from '../support/random.ts';
import { NOON, newRequest, OWNER, signedBy } from '../support/requests.ts';
import { play, stepsOf } from '../support/steps.ts';
import { changed, storedRequest } from '../support/stored-requests.ts';
import { fetchOf } from '../support/timestamp-authority.ts';
import { skipPauses } from '../support/virtual-time.ts';
import { wholeRequest } from '../support/whole-request.ts';
import { demoSealing } from '../unit/sealing/sealing-kit.ts';

type Action = {
  does: 'seal' | 'fail to seal' | 'restamp' | 'delete' | 'purge' | 'sweep' | 'archive' | 'end the archive';
};

const memory = new MemoryDynamo();
const { table } = memory;
const objects = new MemoryObjects();
const { s3 } = objects;
const now = () => new Date();
const operator = { ...operatorOf(table), now };
const context = { getRemainingTimeInMillis: () => 600_000 } as Context;

let original: Buffer;
let purge: (event: unknown, context: Context) => Promise<unknown>;
let meeting: Meeting;
let id: string;
/** The jobs in the queue, by how often each came. They may come twice, also at the same time. */
let jobs: Map<string, number>;
/** Commands that have not ended. */
let switches: number;

beforeAll(async () => {
  Object.assign(process.env, { TABLE_NAME: 'table', DOCUMENTS_BUCKET: 'documents' });
  mockClient(S3Client).send.callsFake((command) => s3.send(command));
  original = await makePdf('A contract', 1);
  captureLog();
  // Where the clock is moved, a command shows its progress.
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  skipPauses(NOON);
  ({ handler: purge } = await import('../../functions/jobs/purge.ts'));
});
afterAll(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** A request that has just been signed by all. */
async function begin(seed: number): Promise<void> {
  jest.setSystemTime(NOON);
  memory.clear();
  objects.objects.clear();
  objects.meeting = undefined;
  meeting = new Meeting(new Random(seed));
  jobs = new Map();
  switches = 0;
  await addOwner(table, ownerItem({ id: OWNER.id }));
  const { content, state } = newRequest(1).request;
  ({ id } = state);
  await storedRequest(table, 1, {
    id,
    owner: OWNER,
    content: { ...content, documentSha256: sha256Hex(original), documentKey: originalKey(id) },
  });
  objects.objects.set(`documents/${originalKey(id)}`, { bytes: original });
  await changed(table, id, (request, time) => signedBy(request, 0, time));
  jobs.set(sealOutboxId(id), 0);
  memory.meeting = meeting;
  objects.meeting = meeting;
}

const send = async (items: OutboxItem[]) => {
  for (const item of items) if (item.kind === 'seal') jobs.set(item.id, 0);
  return 0;
};

/** A delivery of the queue. A job that fails stays in it, and each does if the function dies. */
async function handleJobs(works: boolean): Promise<void> {
  const { key, tsa } = demoSealing();
  const anchors = certificatesOfPem(tsa.authority.caPem);
  const answer = fetchOf(tsa, () => ({ time: now() }));
  for (const [outboxId, received] of [...jobs]) {
    jobs.set(outboxId, received + 1);
    const sealing = {
      table,
      s3,
      bucket: 'documents',
      baseUrl: 'https://sign.example.com',
      now,
      isRepeated: received > 0,
      keyFor: () =>
        meeting.call(() => {
          if (works) return key;
          throw new SealError('key_unavailable', 'no answer');
        }),
      timestamp: timestamper([tsa.authority], {
        now,
        fetch: (...request) => meeting.call(() => answer(...request)),
      }),
      anchors: async () => anchors,
      trustFor: async () => ({
        certificates: key.certificateChain.slice(0, 1).map((der) => ({ der })),
        anchors,
      }),
    };
    try {
      await send(await sealRequest(sealing, outboxId, id));
      jobs.delete(outboxId);
    } catch (error) {
      if (error instanceof StampFailed) jobs.delete(outboxId);
    }
  }
}

const change = async (rule: Parameters<typeof changeRequest>[2]) =>
  send((await changeRequest({ table, now }, id, rule))?.outbox ?? []);

async function deleteDocument(): Promise<void> {
  const by = { archive: (await findOwner(table, OWNER.id))?.archive === true, actor: 'client' } as const;
  await change((request, time) => deletionRequested(request, by, time));
  await removeObjects(s3, 'documents', requestObjects(id));
  await change((request, time) => purged(request, time, 'client'));
}

async function switchArchive(archive: boolean): Promise<void> {
  switches += 1;
  await forgetOtherDirection(OWNER.id, archive, operator);
  const owner = await changeOwner(table, OWNER.id, 'organization', { archive });
  if (owner) await rescheduleDocuments(owner, operator);
  switches -= 1;
}

async function sweep(): Promise<void> {
  const time = { now, until: new Date(Date.now() + MINUTE) };
  await Promise.allSettled([
    sweepStuckSeals(table, send, time),
    sweepOutbox(table, send, time),
    sweepOrphans(table, s3, 'documents', time),
  ]);
}

function act({ does }: Action): Promise<unknown> {
  switch (does) {
    case 'seal':
    case 'fail to seal':
      return handleJobs(does === 'seal');
    case 'restamp':
      return change(restamp);
    case 'delete':
      return deleteDocument();
    case 'purge':
      return purge({}, context);
    case 'sweep':
      return sweep();
    case 'archive':
    case 'end the archive':
      return switchArchive(does === 'archive');
  }
}

/** An operator repeats a command that another one has met. */
const actOrBeRefused = (action: Action): Promise<unknown> =>
  act(action).catch((error: unknown) => {
    if (!(error instanceof ApiError || error instanceof Failure)) throw error;
  });

/** The next runs of all, until there is nothing to do. An operator repeats what died, and queues a failed seal again. */
async function settle(): Promise<void> {
  if (switches > 0) await switchArchive((await findOwner(table, OWNER.id))?.archive === true);
  for (let round = 0; round < 3; round += 1) {
    jest.setSystemTime(Date.now() + 2 * HOUR);
    await sweep();
    await handleJobs(true);
    await purge({}, context);
    const { state } = present(await loadRequest(table, id), 'the request');
    if (state.status === 'stamp_failed') await change(restamp);
  }
}

const bytesOf = (key: string) => present(objects.objects.get(`documents/${key}`), key).bytes;
const left = (kind: string) => memory.items.filter((item) => item.kind === kind);

async function expectConsistent(): Promise<void> {
  const { state, events } = await wholeRequest(table, id);
  expect([...jobs.keys(), ...left('seal')]).toEqual([]);
  expect(memory.item(outboxKey(sealOutboxId(id)))).toBeUndefined();
  expect(memory.items.filter(({ due_pk }) => String(due_pk).includes('ORPHAN'))).toEqual([]);

  expect(state.status).toBe('signed');
  expect(events.filter(({ type }) => type === 'document_sealed')).toHaveLength(1);
  expect(left('event').filter(({ eventType }) => eventType === 'signature_request.completed')).toHaveLength(
    1,
  );
  if (state.purgedAt) {
    expect([...objects.objects.keys()]).toEqual([]);
    return;
  }
  expect(sha256Hex(bytesOf(originalKey(id)))).toBe(sha256Hex(original));
  expect(sha256Hex(bytesOf(sealedKey(id)))).toBe(state.documentHash);
  const evidence = bytesOf(evidenceKey(id));
  expect(sha256Hex(evidence)).toBe(state.evidenceHash);
  expect(readEvidence(evidence)).toMatchObject({ sealedSha256: state.documentHash });
  if (!isDeletionAsked(state))
    expect(state.archiveProtected).toBe((await findOwner(table, OWNER.id))?.archive);
}

const action: fc.Arbitrary<Action> = fc.record({
  does: fc.oneof(
    fc.constantFrom('seal' as const, 'seal' as const, 'delete' as const),
    fc.constantFrom('fail to seal' as const, 'restamp' as const, 'purge' as const, 'sweep' as const),
    fc.constantFrom('archive' as const, 'end the archive' as const),
  ),
});
const steps = stepsOf(action, { pauses: [0, MINUTE, 80 * MINUTE, 8 * DAY], halfCalls: 40, most: 4 });

describe('runs of the seal and all that touches its files, while they meet and die', () => {
  it('leave one seal with its files, or none of its files after a purge', async () => {
    await always(
      fc.asyncProperty(fc.nat(), steps, async (seed, drawn) => {
        await begin(seed);
        await play(drawn, meeting, actOrBeRefused);
        await settle();
        await expectConsistent();
      }),
      0.1,
      20,
    );
  });
});
