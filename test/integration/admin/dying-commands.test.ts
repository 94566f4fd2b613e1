/** @behaviour dynamodb.conditions secrets.versions sqs.visibility */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { encode } from 'fast-png';
import { authenticate } from '../../../shared/accounts/authenticate.ts';
import { addressHash, jobKey, logoKey } from '../../../shared/store/keys.ts';
import { findUserByAddress } from '../../../shared/store/users.ts';
import { secretsOf } from '../../support/aws.ts';
import { makeDemoCa, makeDemoSealIdentity, toPkcs12 } from '../../support/demo-keys.ts';
import { eachDeath } from '../../support/dying-command.ts';
import { until } from '../../support/until.ts';
import { Stage } from '../jobs/stage.ts';
import { LocalRun } from './local-run.ts';

/** Commands that die at any of their calls, and are run again as an operator would. */

describe('commands that change requests', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await Stage.openCold();
  }, 90_000);
  afterAll(() => stage.close());

  const admin = (...args: string[]) => stage.service.admin(...args);
  const eventsOf = (id: string, type: string) =>
    stage.receiver.eventsOf(id).filter((event) => event.type === type);

  /** Sends the messages that a dead command has stored. */
  async function sweep(): Promise<void> {
    stage.service.advance(3 * 60_000);
    await stage.service.runSchedule('sweep');
  }

  it('request cancel ends the request once, and tells of it once', async () => {
    await eachDeath(stage.service.cloud.services, async (dying) => {
      const { id } = await stage.send();
      const cancel = () => admin('request', 'cancel', id, '--reason', 'Asked by phone');
      await dying(cancel);
      await cancel().catch((error: Error) => expect(error.message).toContain('`cancelled`'));
      await sweep();
      expect((await stage.get(id)).status).toBe('cancelled');
      expect(await stage.countEvents(id, 'request_cancelled')).toBe(1);
      await until(() => eventsOf(id, 'signature_request.cancelled').length > 0, 'the event');
      // A message that came twice waits for its lease.
      stage.service.advance(15 * 60_000);
      await stage.service.untilQueuesEmpty();
      expect(eventsOf(id, 'signature_request.cancelled')).toHaveLength(1);
      await stage.expectIntact(id);
    });
  }, 120_000);

  const secrets = () => secretsOf(stage.service);

  /** Requests whose seals were given up, and a certificate that can be read again. */
  async function failedSeals(count: number): Promise<string[]> {
    const SecretId = stage.service.cloud.outputs.SealSecretArn ?? '';
    const { SecretString } = await secrets().send(new GetSecretValueCommand({ SecretId }));
    await secrets().send(new PutSecretValueCommand({ SecretId, SecretString: '{"p12_base64":"AAAA"}' }));
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const request = await stage.send();
      await (await stage.verifiedLate(request)).sign();
      ids.push(request.id);
    }
    for (const id of ids) await stage.service.untilStatus(stage.client, id, 'stamp_failed');
    await secrets().send(new PutSecretValueCommand({ SecretId, SecretString }));
    return ids;
  }

  it.each([
    ['request restamp ID', 1, (id: string) => [id]],
    ['request restamp --all-failed', 2, () => ['--all-failed']],
  ])(
    '%s seals once',
    async (_name, count, argsFor) => {
      await eachDeath(stage.service.cloud.services, async (dying) => {
        const ids = await failedSeals(count);
        const restamp = () => admin('request', 'restamp', ...argsFor(ids[0] ?? ''));
        await dying(restamp);
        await restamp().catch((error: Error) =>
          expect(error.message).toContain('only one that is stamp_failed'),
        );
        await sweep();
        for (const id of ids) {
          await stage.service.untilStatus(stage.client, id, 'signed');
          expect(await stage.countEvents(id, 'document_sealed')).toBe(1);
          await stage.expectIntact(id);
        }
      });
    },
    300_000,
  );
});

describe('commands that change owners and secrets', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await LocalRun.start();
  });
  afterAll(() => run.stop());

  const newOrg = async (): Promise<string> =>
    (await run.ok('org', 'create', '--name', 'Acme')).organization_id;
  let count = 0;
  const newAddress = () => {
    count += 1;
    return `person${count}@example.com`;
  };

  it('brand set changes the brand of an owner and of each of its keys', async () => {
    await eachDeath(run.cloud.services, async (dying) => {
      const org = await newOrg();
      const { api_key: key } = await run.ok('key', 'create', '--org', org);
      const logo = join(run.dir, 'logo.png');
      writeFileSync(logo, encode({ width: 8, height: 8, data: new Uint8Array(8 * 8 * 4).fill(200) }));
      const set = () => run.run('brand', 'set', org, '--name', 'Acme Oy', '--logo', logo);
      await dying(set);
      expect(await set()).toMatchObject({ code: 0, stderr: '' });
      const { logo: kept, ...brand } = await run.ok('brand', 'show', org);
      expect(brand).toMatchObject({ name: 'Acme Oy', accent: null });
      expect(await run.table.get(logoKey(kept.sha256))).toBeDefined();
      expect((await authenticate(run.table, `Bearer ${key}`)).brand).toEqual(
        expect.objectContaining({ name: 'Acme Oy', logo: kept }),
      );
    });
  });

  it('user create makes one user, who can sign in', async () => {
    await eachDeath(run.cloud.services, async (dying) => {
      // As in a table from before users could sign in.
      await run.table.delete(jobKey('user-index'));
      const address = newAddress();
      const create = () => run.run('user', 'create', '--email', address, '--subscription', 'active');
      await dying(create);
      const { code, stderr } = await create();
      if (code !== 0) expect(stderr).toBe(`There is a user with the address ${address} already.\n`);
      const users = (await run.ok('user', 'list')).filter(
        ({ email }: { email: string }) => email === address,
      );
      expect(users).toEqual([{ user_id: expect.any(String), email: address, subscription: 'active' }]);
      expect((await findUserByAddress(run.table, addressHash(address)))?.id).toBe(users[0].user_id);
    });
  });

  it('user create --org adds a member once', async () => {
    await eachDeath(run.cloud.services, async (dying) => {
      const [org, address] = [await newOrg(), newAddress()];
      const create = () => run.run('user', 'create', '--email', address, '--org', org, '--role', 'admin');
      await dying(create);
      const { code, stderr } = await create();
      if (code !== 0) expect(stderr).toContain('already');
      expect((await run.ok('org', 'show', org)).members).toEqual([
        expect.objectContaining({ email: address, role: 'admin' }),
      ]);
    });
  });

  it('seal-key import-p12 seals with the new key, knows the one before, and lets the operator go back to it', async () => {
    const now = new Date();
    const ca = makeDemoCa(now);
    const file = join(run.dir, 'seal.p12');
    const importNew = async () => {
      writeFileSync(file, toPkcs12(makeDemoSealIdentity(ca, { now }), 'open sesame'));
      return readFileSync(file).toString('base64');
    };
    const secrets = new SecretsManagerClient(run.cloud.operator);
    const versionAt = async (VersionStage: string) => {
      const version = await secrets.send(new GetSecretValueCommand({ SecretId: 'seal', VersionStage }));
      return JSON.parse(version.SecretString ?? '');
    };
    const importKey = ['seal-key', 'import-p12', '--file', file, '--passphrase-env', 'PASSPHRASE'];
    const store = () => run.runWith({ PASSPHRASE: 'open sesame' }, ...importKey);
    let before = '';
    for (let imported = 0; imported < 2; imported += 1) {
      before = await importNew();
      expect(await store()).toMatchObject({ code: 0 });
    }
    await eachDeath(run.cloud.services, async (dying) => {
      const { former = [] } = await versionAt('AWSCURRENT');
      const next = await importNew();
      await dying(store);
      expect(await store()).toMatchObject({ code: 0, stderr: '' });
      const current = await versionAt('AWSCURRENT');
      expect(current.p12_base64).toBe(next);
      expect(current.former).toHaveLength(former.length + 1);
      expect((await versionAt('AWSPREVIOUS')).p12_base64).toBe(before);
      before = next;
    });
  });
});
