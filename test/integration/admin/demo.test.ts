/** @behaviour secrets.versions */

import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { authenticate } from '../../../shared/accounts/authenticate.ts';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { ownerKey } from '../../../shared/store/keys.ts';
import { eachDeath } from '../../support/dying-command.ts';
import { LocalRun } from './local-run.ts';

describe('the demo command', () => {
  let run: LocalRun;
  beforeAll(async () => {
    run = await LocalRun.start();
  });
  afterAll(() => run.stop());

  const secret = async (name: string, { cloud } = run) => {
    const secrets = new SecretsManagerClient(cloud.operator);
    return JSON.parse((await secrets.send(new GetSecretValueCommand({ SecretId: name }))).SecretString ?? '');
  };

  it('the demo command creates an organization with a key, and returns the same ones at each start', async () => {
    const first = await run.ok('demo');
    const { api_key: apiKey } = first.run;
    expect(first.rows).toEqual([
      ['Organization', 'Demo Organization'],
      ['API key', apiKey],
      ['Dashboard', expect.stringMatching(/\/app$/)],
      ['Sign in as', 'demo@example.com, with the code from the inbox'],
    ]);
    expect(await authenticate(run.table, `Bearer ${apiKey}`)).toMatchObject({
      ownerName: 'Demo Organization',
      subscription: 'active',
      mode: 'live',
    });
    expect(await run.ok('demo')).toEqual(first);
    expect(await run.ok('org', 'list')).toHaveLength(1);
  });

  it('the demo command creates a new key if the stored one was revoked or is missing', async () => {
    const { run: kept } = await run.ok('demo');
    const [key] = await run.ok('key', 'list');
    await run.ok('key', 'revoke', key.key_id);
    const { run: next } = await run.ok('demo');
    expect(next.api_key).not.toBe(kept.api_key);
    await expect(authenticate(run.table, `Bearer ${next.api_key}`)).resolves.toBeDefined();
    rmSync(join(run.dir, 'demo-key'));
    expect((await run.ok('demo')).run.api_key).not.toBe(next.api_key);
  });

  it('the demo command creates seal certificates only once', async () => {
    await run.ok('demo');
    const before = [await secret('seal'), await secret('test-seal')];
    for (const { p12_base64, passphrase } of before)
      expect(() => pkcs12Key(Buffer.from(p12_base64, 'base64'), passphrase)).not.toThrow();
    expect(before[0].p12_base64).not.toBe(before[1].p12_base64);
    expect(readFileSync(join(run.dir, 'demo-ca.pem'), 'utf8')).toContain('BEGIN CERTIFICATE');
    await run.ok('demo');
    expect([await secret('seal'), await secret('test-seal')]).toEqual(before);
  });

  it('a start that was interrupted between the certificates leaves both to verify with, once it is repeated', async () => {
    const other = await LocalRun.start();
    try {
      const fault = { service: 'secretsmanager', operation: 'PutSecretValue', after: 2 } as const;
      other.cloud.services.addFault({ ...fault, effect: 'error', error_code: 'AccessDeniedException' });
      expect(await other.run('demo')).toMatchObject({ code: 1 });
      await other.ok('demo');
      const read = (name: string) => certificatesOfPem(readFileSync(join(other.dir, name), 'utf8'));
      const trusted = read('demo-seals.pem').map(({ der }) => Buffer.from(der));
      const roots = read('demo-ca.pem').map(({ der }) => Buffer.from(der));
      for (const name of ['seal', 'test-seal']) {
        const { p12_base64, passphrase } = await secret(name, other);
        const [own, root] = pkcs12Key(Buffer.from(p12_base64, 'base64'), passphrase).certificateChain;
        expect(trusted).toContainEqual(own);
        expect(roots).toContainEqual(root);
      }
    } finally {
      await other.stop();
    }
  });

  it('a start that dies at any write leaves one organization with a key and an admin, once it is repeated', async () => {
    const other = await LocalRun.start();
    const organizations = () => other.ok('org', 'list');
    try {
      await other.ok('demo');
      await eachDeath(other.cloud.services, async (dying) => {
        for (const { organization_id: id } of await organizations()) await other.table.delete(ownerKey(id));
        rmSync(join(other.dir, 'demo-key'));
        await dying(() => other.run('demo'));
        const { run: made } = await other.ok('demo');
        const [{ organization_id: id }, ...more] = await organizations();
        expect(more).toEqual([]);
        expect(await authenticate(other.table, `Bearer ${made.api_key}`)).toMatchObject({ ownerId: id });
        expect((await other.ok('org', 'show', id)).members).toMatchObject([{ email: 'demo@example.com' }]);
      });
    } finally {
      await other.stop();
    }
  });

  it('the demo command prefers the timestamp authority in TSA_URL to the local one', async () => {
    await run.ok('demo');
    const ca = join(run.dir, 'demo-ca.pem');
    const ca_pem = readFileSync(ca, 'utf8');
    const local = { LOCAL_TSA_URL: 'http://localhost:1/tsa', LOCAL_TSA_CA: ca };
    await run.runWith(local, 'demo');
    expect(await secret('timestamp')).toEqual({
      authorities: [{ url: 'http://localhost:1/tsa', ca_pem }],
    });
    await run.runWith({ ...local, TSA_URL: 'https://tsa.example.com', TSA_CA: ca }, 'demo');
    expect(await secret('timestamp')).toEqual({
      authorities: [{ url: 'https://tsa.example.com', ca_pem }],
    });
    expect(await run.runWith({ TSA_URL: 'https://tsa.example.com', TSA_CA: '' }, 'demo')).toMatchObject({
      code: 2,
      stderr: 'TSA_URL needs TSA_CA: the file with the authority’s root certificate.\n',
    });
    const wrong = join(run.dir, 'run.json');
    expect(await run.runWith({ TSA_URL: 'https://tsa.example.com', TSA_CA: wrong }, 'demo')).toMatchObject({
      code: 2,
      stderr: `There is no certificate in ${wrong}.\n`,
    });
  });

  it('the demo command prints a curl call that a shell understands and that contains a PDF that can be sealed', async () => {
    const { curl, run: made } = await run.ok('demo');
    // In place of the program, so that the test does not need it.
    const words = 'curl() { printf "%s\\0" "$@"; }\n';
    const { stdout } = await promisify(execFile)('sh', ['-c', words + curl]);
    const given = stdout.split('\0');
    expect(given).toContain('http://localhost:3000/api/v1/signatures');
    const after = (option: string) => given.filter((_, index) => given[index - 1] === option);
    expect(after('-H')).toContain(`Authorization: Bearer ${made.api_key}`);
    const [body = ''] = after('-d');
    const pdf = Buffer.from(JSON.parse(body).document.content_base64, 'base64');
    expect(inspectPdf(pdf)).toMatchObject({ ok: true, pageCount: 1, signed: false });
  });
});
