/** @behaviour dynamodb.conditions */

import { randomUUID } from 'node:crypto';
import { hashApiKey, newApiKey } from '../../../shared/accounts/api-key.ts';
import { authenticate } from '../../../shared/accounts/authenticate.ts';
import { addKey, MAX_KEYS, revokeKey, TooManyKeys } from '../../../shared/store/api-keys.ts';
import { addOwner, changeOwner, loadAccount, type Owner } from '../../../shared/store/owners.ts';
import { ownerItem } from '../../support/owners.ts';
import { LocalRun } from './local-run.ts';

describe('concurrent changes of an owner and its keys', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await LocalRun.start();
  });
  afterAll(() => run.stop());

  async function newOwner(): Promise<Owner> {
    const owner = ownerItem({ id: randomUUID(), subscription: 'none' });
    await addOwner(run.table, owner);
    return owner;
  }

  async function giveKey({ id }: Owner): Promise<string> {
    const apiKey = newApiKey('live');
    await addKey(run.table, id, {
      ...hashApiKey(apiKey),
      mode: 'live',
      createdAt: '2026-11-21T12:00:00.000Z',
    });
    return apiKey;
  }

  const subscriptionOf = async (apiKey: string) =>
    (await authenticate(run.table, `Bearer ${apiKey}`)).subscription;

  it('no key keeps outdated settings when an owner changes while keys are created', async () => {
    for (let round = 0; round < 10; round += 1) {
      const owner = await newOwner();
      const early = await giveKey(owner);
      const [first, second] = await Promise.all([
        giveKey(owner),
        giveKey(owner),
        changeOwner(run.table, owner.id, 'organization', { subscription: 'active' }),
      ]);
      for (const key of [early, first, second]) expect(await subscriptionOf(key)).toBe('active');
    }
  });

  it('an owner cannot get more keys than one transaction can change', async () => {
    const owner = await newOwner();
    const keys: string[] = [];
    for (let n = 0; n < MAX_KEYS - 1; n += 1) keys.push(await giveKey(owner));
    const last = await Promise.allSettled([giveKey(owner), giveKey(owner), giveKey(owner)]);
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(giveKey(owner)).rejects.toThrow(TooManyKeys);

    await changeOwner(run.table, owner.id, 'organization', { subscription: 'inactive' });
    for (const key of keys) expect(await subscriptionOf(key)).toBe('inactive');

    await revokeKey(run.table, hashApiKey(keys[0] ?? '').keyId, '2026-11-21T13:00:00.000Z');
    await expect(giveKey(owner)).resolves.toMatch(/^esk_live_/);
    expect((await loadAccount(run.table, owner.id))?.keys).toHaveLength(MAX_KEYS + 1);
  });

  it('a key that several operators revoke at once is refused immediately', async () => {
    const owner = await newOwner();
    const apiKey = await giveKey(owner);
    const { keyId } = hashApiKey(apiKey);
    const times = await Promise.all(
      Array.from({ length: 8 }, (_, n) => revokeKey(run.table, keyId, `2026-11-21T13:00:0${n}.000Z`)),
    );
    expect(new Set(times).size).toBe(1);
    await expect(subscriptionOf(apiKey)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
