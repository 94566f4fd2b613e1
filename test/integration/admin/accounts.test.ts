/** @behaviour dynamodb.conditions */

import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { authenticate } from '../../../shared/accounts/authenticate.ts';
import { ownerKey } from '../../../shared/store/keys.ts';
import { findOwner, notificationAddress } from '../../../shared/store/owners.ts';
import { LocalRun } from './local-run.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('account commands', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await LocalRun.start();
  });
  afterAll(() => run.stop());

  const caller = (apiKey: string) => authenticate(run.table, `Bearer ${apiKey}`);

  it('org create creates an organization, and org list shows it without secrets', async () => {
    const plain = await run.ok('org', 'create', '--name', '  Acme Oy ');
    expect(plain).toEqual({
      organization_id: expect.stringMatching(ID),
      name: 'Acme Oy',
      subscription: 'none',
      archive: false,
      webhook_url: null,
    });
    const full = await run.ok(
      'org',
      'create',
      '--name',
      'Nordic',
      '--subscription',
      'active',
      '--archive',
      '--webhook-url',
      'https://hooks.example.com/x',
    );
    const { webhook_secret: secret, ...shown } = full;
    expect(shown).toMatchObject({
      subscription: 'active',
      archive: true,
      webhook_url: 'https://hooks.example.com/x',
    });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(await run.ok('org', 'list')).toEqual([plain, shown]);
  });

  it('a webhook secret is stored encrypted and bound to its owner', async () => {
    const made = await run.ok(
      'org',
      'create',
      '--name',
      'Hooked',
      '--webhook-url',
      'http://localhost:9000/hook',
    );
    const item = await run.table.get(ownerKey(made.organization_id));
    expect(JSON.stringify(item)).not.toContain(made.webhook_secret);
    const kms = new KMSClient(run.cloud.operator);
    const CiphertextBlob = Buffer.from(String(item?.webhookSecretCiphertext), 'base64');
    const open = (owner: string) =>
      kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: { owner } }));
    expect(Buffer.from((await open(made.organization_id)).Plaintext ?? []).toString()).toBe(
      made.webhook_secret,
    );
    await expect(open(UNKNOWN_ID)).rejects.toThrow();
  });

  it('org update changes only the given fields, and creates a new secret for a new webhook address', async () => {
    const { organization_id: id, webhook_secret: first } = await run.ok(
      'org',
      'create',
      '--name',
      'Changing',
      '--subscription',
      'active',
      '--webhook-url',
      'https://a.example.com/',
    );
    expect(await run.ok('org', 'update', id, '--archive', 'on')).toEqual({
      organization_id: id,
      name: 'Changing',
      subscription: 'active',
      archive: true,
      webhook_url: 'https://a.example.com/',
    });
    await run.table.update(ownerKey(id), { timeouts: 3 });
    const moved = await run.ok('org', 'update', id, '--webhook-url', 'https://b.example.com/');
    expect((await findOwner(run.table, id))?.timeouts).toBe(0);
    expect(moved.webhook_secret).toMatch(/^whsec_/);
    expect(moved.webhook_secret).not.toBe(first);
    expect(await run.ok('org', 'update', id, '--webhook-url', 'none', '--archive', 'off')).toMatchObject({
      archive: false,
      webhook_url: null,
    });
    expect((await run.table.get(ownerKey(id)))?.webhookSecretCiphertext).toBeNull();
  });

  it('an API key authenticates with the current settings of its owner', async () => {
    const { organization_id: id } = await run.ok(
      'org',
      'create',
      '--name',
      'Keyed',
      '--subscription',
      'active',
    );
    const live = await run.ok('key', 'create', '--org', id);
    expect(live).toEqual({
      key_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      api_key: expect.stringMatching(/^esk_live_[A-Za-z0-9_-]{43}$/),
    });
    const test = await run.ok('key', 'create', '--org', id, '--test');
    expect(test.api_key).toMatch(/^esk_test_/);
    expect(await caller(live.api_key)).toMatchObject({
      keyId: live.key_id,
      ownerId: id,
      ownerType: 'organization',
      ownerName: 'Keyed',
      mode: 'live',
      subscription: 'active',
      archive: false,
      reminders: true,
    });

    await run.ok('org', 'update', id, '--subscription', 'inactive', '--archive', 'on', '--reminders', 'off');
    for (const [key, mode] of [
      [live, 'live'],
      [test, 'test'],
    ] as const)
      expect(await caller(key.api_key)).toMatchObject({
        mode,
        subscription: 'inactive',
        archive: true,
        reminders: false,
      });

    const listed = await run.ok('key', 'list', '--org', id);
    expect(listed).toEqual(
      [live, test].map((key, place) => ({
        key_id: key.key_id,
        organization_id: id,
        name: null,
        prefix: key.api_key.slice(0, 13),
        mode: ['live', 'test'][place],
        created_at: expect.any(String),
        last_used_at: null,
        revoked_at: null,
      })),
    );
    expect(JSON.stringify(await run.ok('key', 'list'))).not.toMatch(/esk_[a-z]+_[\w-]{5}/);
  });

  it('a user can own requests without an organization', async () => {
    const user = await run.ok('user', 'create', '--email', ' Anna@Example.COM', '--subscription', 'active');
    expect(user).toEqual({
      user_id: expect.stringMatching(ID),
      email: 'anna@example.com',
      subscription: 'active',
    });
    const key = await run.ok('key', 'create', '--user', user.user_id);
    expect(await caller(key.api_key)).toMatchObject({ ownerType: 'user', ownerName: 'anna@example.com' });
    expect(await run.ok('user', 'update', user.user_id, '--subscription', 'none')).toEqual({
      ...user,
      subscription: 'none',
    });
    expect(await caller(key.api_key)).toMatchObject({ subscription: 'none' });
    const address = async () => {
      const owner = await findOwner(run.table, user.user_id);
      return owner && notificationAddress(owner);
    };
    expect(await address()).toBe('anna@example.com');
    await run.ok('user', 'update', user.user_id, '--notify', 'none');
    expect(await address()).toBeNull();
    await run.ok('user', 'update', user.user_id, '--notify', 'Office@Example.com');
    expect(await address()).toBe('office@example.com');
    expect((await run.run('user', 'update', user.user_id, '--notify', 'nobody')).stderr).toMatch(/e-mail/);
    expect((await run.run('org', 'update', user.user_id, '--archive', 'on')).stderr).toMatch(
      /no organization/,
    );
  });

  it('a user who is added to an organization is a member there, unless another role is given', async () => {
    const { organization_id: id } = await run.ok('org', 'create', '--name', 'Team');
    const add = async (email: string, ...role: string[]) =>
      (await run.ok('user', 'create', '--email', email, '--org', id, ...role)).role;
    expect(await add('ann@example.com', '--role', 'admin')).toBe('admin');
    expect(await add('ben@example.com')).toBe('member');
    const { stderr, code } = await run.run('user', 'create', '--email', 'ben@example.com', '--org', id);
    expect([code, stderr]).toEqual([2, 'The person is a member of the organization already.\n']);
  });

  it('a revoked key is refused immediately and stays revoked', async () => {
    const { organization_id: id } = await run.ok('org', 'create', '--name', 'Revoking');
    const key = await run.ok('key', 'create', '--org', id);
    const revoked = await run.ok('key', 'revoke', key.key_id);
    expect(revoked).toEqual({ key_id: key.key_id, revoked_at: expect.any(String) });
    await expect(caller(key.api_key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await run.ok('key', 'revoke', key.key_id)).toEqual(revoked);
    await run.ok('org', 'update', id, '--subscription', 'active');
    await expect(caller(key.api_key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect((await run.ok('key', 'list', '--org', id))[0].revoked_at).toBe(revoked.revoked_at);
  });

  it('stored times follow the clock of the local run', async () => {
    run.cloud.clock.advance(40 * 86_400);
    const { organization_id: id } = await run.ok('org', 'create', '--name', 'Later');
    await run.ok('key', 'create', '--org', id);
    const [key] = await run.ok('key', 'list', '--org', id);
    expect(Math.abs(Date.parse(key.created_at) - run.cloud.clock.now())).toBeLessThan(60_000);
  });
});
