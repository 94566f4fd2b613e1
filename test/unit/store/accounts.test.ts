import { jest } from '@jest/globals';
import { NEUTRAL } from '../../../shared/accounts/brand.ts';
import { addKey, findApiKey, MAX_KEYS, revokeKey } from '../../../shared/store/api-keys.ts';
import { apiKeyKey, ownerKey, ownerPartition, ownersKeyKey } from '../../../shared/store/keys.ts';
import { addOwner, changeOwner, findOwner, listOwners, loadAccount } from '../../../shared/store/owners.ts';
import { MemoryDynamo } from '../../support/memory-dynamo.ts';
import { ownerItem } from '../../support/owners.ts';
import { at, NOON } from '../../support/requests.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const memory = new MemoryDynamo();
const { table } = memory;
const LATER = '2026-11-22T12:00:00.000Z';
const key = (keyId: string) => ({
  keyId,
  hash: `hash of ${keyId}`,
  mode: 'live' as const,
  createdAt: NOON.toISOString(),
});
const add = (keyId: string) => addKey(table, 'owner-1', key(keyId));

beforeEach(async () => {
  memory.clear();
  await addOwner(table, ownerItem());
});
afterEach(() => jest.useRealTimers());

describe('owners', () => {
  it('an owner is read back as it was added', async () => {
    expect(await findOwner(table, 'owner-1')).toEqual(ownerItem());
    expect(await findOwner(table, 'owner-2')).toBeUndefined();
    expect(await loadAccount(table, 'owner-2')).toBeUndefined();
  });

  it('an owner cannot be added twice', async () => {
    await expect(addOwner(table, ownerItem({ name: 'Other' }))).rejects.toMatchObject({
      name: 'ConditionFailed',
    });
    expect(await findOwner(table, 'owner-1')).toMatchObject({ name: 'Acme' });
  });

  it('an owner is added, and reported as such, though the answer is lost and the SDK repeats the write', async () => {
    memory.losesAnswers = true;
    await addOwner(table, ownerItem({ id: 'owner-2', name: 'Second' }));
    memory.losesAnswers = false;
    expect(await findOwner(table, 'owner-2')).toMatchObject({ name: 'Second' });
  });

  it('an owner stored before a field existed gets its default', async () => {
    const { webhookUrl: _url, webhookSecretCiphertext: _secret, signerNotices: _on, ...older } = ownerItem();
    memory.set({ ...ownerKey('owner-1'), ...older });
    expect(await findOwner(table, 'owner-1')).toEqual(ownerItem());
  });

  it('a damaged item is an error that names the item and the member', async () => {
    memory.set({ ...ownerKey('owner-1'), ...ownerItem(), subscription: 'gold' });
    await expect(findOwner(table, 'owner-1')).rejects.toMatchObject({
      name: 'DamagedItem',
      message: expect.stringMatching(/OWNER#owner-1.*subscription/),
    });
  });

  it('owners are listed oldest first, whatever their number', async () => {
    const time = (n: number) => at(n).toISOString();
    for (let n = 60; n > 0; n -= 1) await addOwner(table, ownerItem({ id: `o${n}`, createdAt: time(n) }));
    const listed = await listOwners(table);
    expect(listed.map(({ id }) => id)).toEqual([
      'owner-1',
      ...Array.from({ length: 60 }, (_, n) => `o${n + 1}`),
    ]);
    expect(listed[0]).toEqual(ownerItem());
  });

  it('an owner that is only listed is left out', async () => {
    memory.set({ pk: 'P', sk: 'S', id: 'gone', owner_pk: 'OWNERS', created_sk: 'x' });
    expect((await listOwners(table)).map(({ id }) => id)).toEqual(['owner-1']);
  });
});

describe('changes of an owner', () => {
  it('a change reaches every key that is not revoked, at once', async () => {
    await add('k1');
    await add('k2');
    await revokeKey(table, 'k2', LATER);
    expect(await changeOwner(table, 'owner-1', 'organization', { archive: true })).toMatchObject({
      archive: true,
      subscription: 'active',
    });
    expect(await findOwner(table, 'owner-1')).toMatchObject({ archive: true });
    expect(await findApiKey(table, 'k1')).toMatchObject({ archive: true, ownerName: 'Acme' });
    expect(await findApiKey(table, 'k2')).toMatchObject({ archive: false });
  });

  it('a brand reaches the keys, and leaves them again', async () => {
    const brand = { ...NEUTRAL, name: 'Harbour' };
    await add('k1');
    await changeOwner(table, 'owner-1', 'organization', { brand });
    expect(await findApiKey(table, 'k1')).toMatchObject({ brand });
    await changeOwner(table, 'owner-1', 'organization', { brand: undefined });
    expect(await findApiKey(table, 'k1')).toMatchObject({ brand: null });
  });

  it('an owner of the other type does not change', async () => {
    expect(await changeOwner(table, 'owner-1', 'user', { archive: true })).toBeUndefined();
    expect(await changeOwner(table, 'owner-2', 'organization', { archive: true })).toBeUndefined();
    expect(await findOwner(table, 'owner-1')).toEqual(ownerItem());
  });

  it('a key added during a change gets the change too', async () => {
    memory.beforeWrites.push(() => add('k1'));
    await changeOwner(table, 'owner-1', 'organization', { subscription: 'inactive' });
    expect(await findApiKey(table, 'k1')).toMatchObject({ subscription: 'inactive' });
  });

  it('a key added concurrently with a change has the changed values', async () => {
    memory.beforeWrites.push(() => changeOwner(table, 'owner-1', 'organization', { reminders: false }));
    await add('k1');
    expect(await findApiKey(table, 'k1')).toMatchObject({ reminders: false });
  });

  it('a key reaches a change that saw the owner as the new key left it, and not yet the key', async () => {
    await add('k1');
    const before = await table.queryAll({ pk: ownerPartition('owner-1'), sk: { prefix: 'KEY#' } });
    await add('k2');
    const read = jest.spyOn(table, 'queryAll').mockResolvedValueOnce(before);
    await changeOwner(table, 'owner-1', 'organization', { subscription: 'inactive' });
    read.mockRestore();
    for (const keyId of ['k1', 'k2'])
      expect(await findApiKey(table, keyId)).toMatchObject({ subscription: 'inactive' });
  });

  it('an owner of whom fewer keys are stored than were counted can still change', async () => {
    await add('k1');
    await table.update(ownerKey('owner-1'), { keyCount: 2 });
    skipPauses();
    await changeOwner(table, 'owner-1', 'organization', { subscription: 'inactive' });
    expect(await findApiKey(table, 'k1')).toMatchObject({ subscription: 'inactive' });
  });

  it('two concurrent changes both take effect', async () => {
    memory.beforeWrites.push(() => changeOwner(table, 'owner-1', 'organization', { reminders: false }));
    await changeOwner(table, 'owner-1', 'organization', { archive: true });
    expect(await findOwner(table, 'owner-1')).toMatchObject({ reminders: false, archive: true });
  });

  it('a change is seen by the next read', async () => {
    memory.isLagging = true;
    await changeOwner(table, 'owner-1', 'organization', { archive: true });
    expect(await findOwner(table, 'owner-1')).toMatchObject({ archive: true });
  });
});

describe('API keys', () => {
  it('a key carries a copy of its owner, and is listed with it', async () => {
    expect(await add('k1')).toMatchObject({ id: 'owner-1' });
    expect(await findApiKey(table, 'k1')).toEqual({
      keyId: 'k1',
      hash: 'hash of k1',
      mode: 'live',
      revokedAt: null,
      ownerId: 'owner-1',
      ownerType: 'organization',
      ownerName: 'Acme',
      subscription: 'active',
      archive: false,
      reminders: true,
      brand: null,
    });
    expect((await loadAccount(table, 'owner-1'))?.keys).toEqual([
      {
        keyId: 'k1',
        mode: 'live',
        name: null,
        prefix: null,
        createdAt: NOON.toISOString(),
        revokedAt: null,
      },
    ]);
  });

  it('the list of an owner’s keys holds no hashes', async () => {
    await add('k1');
    expect(memory.item(ownersKeyKey('owner-1', 'k1'))).not.toHaveProperty('hash');
  });

  it('a key cannot be added to an owner that does not exist', async () => {
    expect(await addKey(table, 'owner-2', key('k1'))).toBeUndefined();
    expect(await findApiKey(table, 'k1')).toBeUndefined();
  });

  it('a key id cannot be taken twice', async () => {
    await add('k1');
    await expect(add('k1')).rejects.toMatchObject({ name: 'ConditionFailed' });
  });

  it('an owner can have fifty keys; revoked ones do not count', async () => {
    for (let n = 0; n < MAX_KEYS; n += 1) await add(`k${n}`);
    await expect(add('k50')).rejects.toMatchObject({
      name: 'TooManyKeys',
      message: expect.stringContaining('Acme'),
    });
    expect(await findApiKey(table, 'k50')).toBeUndefined();
    await revokeKey(table, 'k0', LATER);
    await add('k50');
    await expect(add('k51')).rejects.toMatchObject({ name: 'TooManyKeys' });
  });

  it('of two concurrent calls one gets the last place', async () => {
    for (let n = 0; n < MAX_KEYS - 1; n += 1) await add(`k${n}`);
    memory.beforeWrites.push(() => add('theirs'));
    await expect(add('ours')).rejects.toMatchObject({ name: 'TooManyKeys' });
    expect((await loadAccount(table, 'owner-1'))?.keys).toHaveLength(MAX_KEYS);
  });

  it('a revocation is seen by the next read, and keeps its first time', async () => {
    await add('k1');
    memory.isLagging = true;
    expect(await revokeKey(table, 'k1', LATER)).toBe(LATER);
    expect(await findApiKey(table, 'k1')).toMatchObject({ revokedAt: LATER });
    memory.isLagging = false;
    expect(await revokeKey(table, 'k1', '2026-12-01T00:00:00.000Z')).toBe(LATER);
    expect(await findApiKey(table, 'k1')).toMatchObject({ revokedAt: LATER });
    expect((await loadAccount(table, 'owner-1'))?.keys).toMatchObject([{ revokedAt: LATER }]);
  });

  it('a key that does not exist, or has lost its owner, cannot be revoked', async () => {
    skipPauses();
    expect(await revokeKey(table, 'k1', LATER)).toBeUndefined();
    await add('k1');
    await table.delete(ownersKeyKey('owner-1', 'k1'));
    expect(await revokeKey(table, 'k1', LATER)).toBeUndefined();
    await table.delete(ownerKey('owner-1'));
    expect(await revokeKey(table, 'k1', LATER)).toBeUndefined();
    expect(memory.item(apiKeyKey('k1'))).toMatchObject({ revokedAt: null });
  });

  it('of several keys the one that is named is revoked', async () => {
    for (const id of ['k1', 'k2']) await add(id);
    await revokeKey(table, 'k1', LATER);
    expect(await revokeKey(table, 'k2', '2026-12-01T00:00:00.000Z')).toBe('2026-12-01T00:00:00.000Z');
    expect(await findApiKey(table, 'k2')).toMatchObject({ revokedAt: '2026-12-01T00:00:00.000Z' });
  });

  it('of two concurrent revocations the first one counts', async () => {
    await add('k1');
    memory.beforeWrites.push(() => revokeKey(table, 'k1', LATER));
    expect(await revokeKey(table, 'k1', '2026-12-01T00:00:00.000Z')).toBe(LATER);
  });
});
