import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import type { Operator } from '../../../admin/operator.ts';
import { reconcileCommands } from '../../../admin/reconcile.ts';
import { cancel, purged } from '../../../shared/requests/ending.ts';
import { metaKey } from '../../../shared/store/keys.ts';
import { evidenceKey, originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { addOwner } from '../../../shared/store/owners.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { BAD_NEWS, operatorOf, pipes } from '../../support/operator-terminal.ts';
import { ownerItem } from '../../support/owners.ts';
import { NOON, OWNER } from '../../support/requests.ts';
import { changed, storedNew } from '../../support/stored-requests.ts';

/** The service goes on while a command compares all its requests with all their files. */

const memory = new MemoryDynamo();
const { table } = memory;
const s3 = mockClient(S3Client);
const files = new Set<string>();
/** Runs once, after the next listing was made. */
let afterListing: (() => Promise<unknown>) | undefined;
let now = NOON;

const notes: string[] = [];
const operator: Operator = { ...operatorOf(table), now: () => now, terminal: pipes(notes) };

const reconcile = () => reconcileCommands[0]?.run({}, operator);
const CONSISTENT = {
  consistent: true,
  requests_without_files: [],
  files_without_request: [],
  seals_without_signatures: [],
  damaged_requests: [],
};
const AFTER_A_WEEK = new Date(NOON.getTime() + 8 * 24 * 60 * 60 * 1_000);

async function createRequest(): Promise<string> {
  const { state } = await storedNew(table, 1, { owner: OWNER });
  files.add(originalKey(state.id));
  return state.id;
}

beforeEach(async () => {
  afterListing = undefined;
  notes.length = 0;
  memory.clear();
  files.clear();
  now = NOON;
  await addOwner(table, ownerItem({ id: OWNER.id }));
  s3.reset();
  s3.on(ListObjectVersionsCommand).callsFake(async ({ Prefix }) => {
    const listed = [...files].filter((Key) => Key.startsWith(Prefix));
    const meanwhile = afterListing;
    afterListing = undefined;
    await meanwhile?.();
    return { Versions: listed.map((Key) => ({ Key, IsLatest: true, LastModified: NOON })) };
  });
});

describe('reconcile', () => {
  it('ends with exit code 1 if a file is missing, and only then', async () => {
    const id = await createRequest();
    expect(await reconcile()).toEqual(CONSISTENT);
    expect(notes).not.toContain(BAD_NEWS);
    files.delete(originalKey(id));
    expect(await reconcile()).toMatchObject({ consistent: false });
    expect(notes).toContain(BAD_NEWS);
  });

  it('a request that is created after the files were listed misses none', async () => {
    afterListing = createRequest;
    expect(await reconcile()).toEqual(CONSISTENT);
  });

  it('a request that is purged after its files were listed anew misses none', async () => {
    const id = await createRequest();
    await changed(table, id, (request, at) => cancel(request, { actor: 'client', reason: null }, at));
    files.clear();
    afterListing = async () => {
      afterListing = () => changed(table, id, purged, AFTER_A_WEEK);
    };
    expect(await reconcile()).toEqual(CONSISTENT);
  });

  it('a request that is due to be purged misses none: a purge may have removed them already', async () => {
    const id = await createRequest();
    await changed(table, id, (request, at) => cancel(request, { actor: 'client', reason: null }, at));
    files.clear();
    expect(await reconcile()).toMatchObject({ consistent: false });
    now = AFTER_A_WEEK;
    expect(await reconcile()).toEqual(CONSISTENT);
  });

  it('sealed files of a request that is open again are reported, since they would stand in for its new seal', async () => {
    const id = await createRequest();
    files.add(sealedKey(id)).add(evidenceKey(id));
    expect(await reconcile()).toEqual({
      ...CONSISTENT,
      consistent: false,
      seals_without_signatures: [
        { request_id: id, status: 'pending', keys: [sealedKey(id), evidenceKey(id)] },
      ],
    });
  });

  it.each([true, false])(
    'a request whose record is damaged is reported, and the others are compared (its files exist: %s)',
    async (hasFiles) => {
      const damaged = await createRequest();
      const other = await createRequest();
      files.clear();
      if (hasFiles) files.add(originalKey(damaged));
      await table.update(metaKey(damaged), { status: 'lost' });
      now = AFTER_A_WEEK;
      expect(await reconcile()).toMatchObject({
        consistent: false,
        requests_without_files: [{ request_id: other }],
        files_without_request: [],
        damaged_requests: [
          { request_id: damaged, damage: expect.stringContaining('R#META is damaged: status') },
        ],
      });
    },
  );

  it('a request whose file is gone is reported', async () => {
    const id = await createRequest();
    files.clear();
    expect(await reconcile()).toMatchObject({
      consistent: false,
      requests_without_files: [{ request_id: id, missing: [{ key: originalKey(id), restorable: false }] }],
    });
  });

  it('a deleted file and one without a request are seen on whichever page of the listing they stand', async () => {
    const [deleted, kept] = [originalKey(await createRequest()), originalKey(await createRequest())];
    const stray = originalKey('gone');
    const one = { LastModified: NOON, IsLatest: true };
    s3.on(ListObjectVersionsCommand).callsFake(({ Prefix, KeyMarker, VersionIdMarker }) => {
      const pages = [
        { DeleteMarkers: [{ ...one, Key: deleted }] },
        { Versions: [{ ...one, Key: deleted, IsLatest: false }] },
        {
          Versions: [kept, stray].map((Key) => ({ ...one, Key })).filter(({ Key }) => Key.startsWith(Prefix)),
        },
      ];
      expect(VersionIdMarker).toBe(KeyMarker);
      const place = Number(KeyMarker ?? 0);
      const next = String(place + 1);
      const more = place < 2 && { IsTruncated: true, NextKeyMarker: next, NextVersionIdMarker: next };
      return { ...pages[place], ...more };
    });
    now = new Date(NOON.getTime() + 2 * 60 * 60 * 1_000);
    expect(await reconcile()).toMatchObject({
      requests_without_files: [{ missing: [{ key: deleted, restorable: true }] }],
      files_without_request: [{ request_id: 'gone', keys: [stray] }],
    });
  });
});
