import { cancel } from '../../../shared/requests/ending.ts';
import { HOUR, MINUTE } from '../../../shared/runtime/time.ts';
import { objectClaimKey } from '../../../shared/store/keys.ts';
import { claimObject, useClaimWrite } from '../../../shared/store/object-claims.ts';
import { drawnSignatureKey, evidenceKey, originalKey, sealedKey } from '../../../shared/store/objects.ts';
import { sweepOrphans } from '../../../shared/work/orphans.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { MemoryObjects } from '../../support/memory-objects.ts';
import { at, DOCUMENT_SHA256, NOON, newRequest, purgedEarly, signedBy } from '../../support/requests.ts';
import { changed, storedRequest } from '../../support/stored-requests.ts';

const memory = new MemoryDynamo();
const { table } = memory;
let objects: MemoryObjects;
let key: string;

const sweep = (milliseconds = HOUR) =>
  sweepOrphans(table, objects.s3, 'documents', { now: () => at(milliseconds), until: at(24 * HOUR) });
const store = (name: string) => objects.objects.set(`documents/${name}`, { bytes: Buffer.from('x') });
const stored = () => [...objects.objects.keys()];
const claim = () => memory.item(objectClaimKey(key));

beforeEach(async () => {
  memory.clear();
  objects = new MemoryObjects();
  key = originalKey('request-1');
  await claimObject(table, key, NOON);
  store(key);
});

describe('the sweep of orphans', () => {
  it('an object that no request came to refer to is removed after an hour', async () => {
    store(originalKey('request-10'));
    expect(await sweep(HOUR - 1)).toMatchObject({ due: 0 });
    expect(stored()).toHaveLength(2);
    expect(await sweep()).toMatchObject({ due: 1, done: 1, failed: 0 });
    expect(stored()).toEqual([`documents/${originalKey('request-10')}`]);
    expect(claim()).toBeUndefined();
  });

  it('a claim without an object just ends', async () => {
    objects.objects.clear();
    expect(await sweep()).toMatchObject({ done: 1, failed: 0 });
    expect(claim()).toBeUndefined();
  });

  it('an object in use is kept, even if a late call claimed it again', async () => {
    const { request } = newRequest(1);
    key = originalKey(request.state.id);
    await storedRequest(table, 1, {
      id: request.state.id,
      content: { ...request.content, documentKey: key },
    });
    await claimObject(table, key, NOON);
    store(key);
    await sweep();
    expect(stored()).toContain(`documents/${key}`);
    expect(claim()).toBeUndefined();
  });

  it('sealed files are kept until their request was purged, whether they are recorded or not', async () => {
    const { state } = await storedRequest(table, 1);
    const files = [sealedKey(state.id), evidenceKey(state.id)];
    const claimFiles = async () => {
      for (const file of files) {
        await claimObject(table, file, NOON);
        store(file);
      }
    };
    await claimFiles();
    await sweep();
    expect(stored()).toEqual(files.map((file) => `documents/${file}`));
    const by = { actor: 'client', reason: null } as const;
    await changed(table, state.id, (request, now) => cancel(request, by, now));
    await changed(table, state.id, purgedEarly);
    await claimFiles();
    await sweep();
    expect(stored()).toEqual([]);
  });

  it('of a signer’s drawings only the one that was signed with is kept', async () => {
    const { state } = await storedRequest(table, 2);
    const keys = ['a', 'b'].map((digit) => drawnSignatureKey(state.id, 'signer', digit.repeat(64)));
    await changed(table, state.id, (request, now) =>
      signedBy(request, 0, now, { type: 'drawn', value: keys[0] ?? '', drawingSha256: DOCUMENT_SHA256 }),
    );
    for (const each of keys) {
      await claimObject(table, each, NOON);
      store(each);
    }
    await sweep();
    expect(stored()).toEqual([`documents/${keys[0]}`]);
  });

  it('an object that could not be removed is removed by a run a minute later', async () => {
    objects.beforeRemovals.push(() => Promise.reject(new Error('SlowDown')));
    expect(await sweep()).toMatchObject({ failed: 1 });
    expect(await sweep(HOUR + MINUTE - 1)).toMatchObject({ done: 0, failed: 0 });
    expect(await sweep(HOUR + MINUTE)).toMatchObject({ done: 1 });
    expect(stored()).toEqual([]);
  });
});

describe('a claim', () => {
  it('that is renewed is due an hour later', async () => {
    await claimObject(table, key, at(MINUTE));
    expect(await sweep()).toMatchObject({ due: 0 });
  });

  it('that is renewed after the sweep read its index is left alone', async () => {
    memory.beforeWrites.push(() => claimObject(table, key, at(HOUR)));
    expect(await sweep()).toMatchObject({ due: 1, done: 0, failed: 0 });
    expect(stored()).toHaveLength(1);
  });

  it('that is used can be used once, and leaves nothing to sweep', async () => {
    await table.transact([useClaimWrite(key)]);
    await expect(table.transact([useClaimWrite(key)])).rejects.toMatchObject({ name: 'ConditionFailed' });
    expect(await sweep()).toMatchObject({ due: 0 });
    expect(stored()).toHaveLength(1);
  });

  it('can be neither used nor renewed once the sweep has begun to remove its object', async () => {
    const refused = { name: 'ConditionFailed' };
    objects.beforeRemovals.push(async () => {
      await expect(table.transact([useClaimWrite(key)])).rejects.toMatchObject(refused);
      await expect(claimObject(table, key, at(HOUR))).rejects.toMatchObject(refused);
      expect(await sweep()).toMatchObject({ done: 0 });
    });
    expect(await sweep()).toMatchObject({ done: 1, failed: 0 });
    await claimObject(table, key, at(HOUR));
    expect(claim()).toBeDefined();
  });
});
