/** @behaviour secrets.versions */

import { execFile, execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { type Outcome, runHere } from '../integration/admin/local-run.ts';
import { type Cloud, key, REGION, startCloud } from '../integration/local-services/harness.ts';
import { makeDemoCa, makeDemoSealIdentity, pem, toPkcs12 } from '../support/demo-keys.ts';
import { listenHere, originOf } from '../support/loopback.ts';
import { pipes } from '../support/operator-terminal.ts';
import { follow } from '../support/runbook.ts';
import { requirePrograms } from './judges.ts';

/** The commands that give the service its seal key: certificate request, certificate import, PKCS#12 import. */

const secretArn = (name: string) => `arn:aws:secretsmanager:${REGION}:000000000000:secret:${name}-abcdef`;
const SECRET = secretArn('seal');
const TEST_SECRET = secretArn('test-seal');
const FOUR_YEARS = '1460';

let cloud: Cloud;
let folder: string;
/** A control server whose clock is not shifted. */
const control = createServer((_request, response) => response.end('{"offset_seconds":0}'));

/** Creates a run file with this seal key and returns its folder. */
function runWith(keyId: string): string {
  const { endpoint, credentials } = cloud.operator;
  const outputs = {
    TableName: 'table',
    SealKeyArn: key(keyId).arn,
    SealSecretArn: SECRET,
    TestSealSecretArn: TEST_SECRET,
    TimestampSecretArn: SECRET,
  };
  const run = {
    control_url: originOf(control),
    endpoint_url: endpoint,
    region: REGION,
    access_key_id: credentials.accessKeyId,
    secret_access_key: credentials.secretAccessKey,
    outputs,
  };
  const dir = mkdtempSync(join(folder, 'run-'));
  writeFileSync(join(dir, 'run.json'), JSON.stringify(run));
  return dir;
}

beforeAll(async () => {
  requirePrograms('bash', 'openssl');
  cloud = await startCloud();
  await listenHere(control);
  folder = mkdtempSync(join(tmpdir(), 'seal-key-'));
  await cloud.services.createSecret({ name: 'seal', arn: SECRET, initialValue: '{}' });
  await cloud.services.createSecret({ name: 'test-seal', arn: TEST_SECRET, initialValue: '{}' });
  await cloud.services.createKey(key('rsa', { spec: 'RSA_3072', usage: 'SIGN_VERIFY' }));
  await cloud.services.createKey(key('ec', { spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY' }));
});
afterAll(async () => {
  control.close();
  await cloud.stop();
  rmSync(folder, { recursive: true });
});

const stored = async (secret = SECRET) => JSON.parse(await cloud.services.secretValue(secret));
const file = (name: string, content: string | Uint8Array) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};
const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** Issues a certificate with openssl, from a new CA. */
function certificateFor(request: string, usage: string, days = FOUR_YEARS): string {
  const [caKey, ca, out] = ['ca.key', 'ca.pem', 'own.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', caKey, '-out', ca, '-days', '3650'],
    ...['-subj', '/CN=Test CA', '-addext', 'keyUsage=critical,keyCertSign'],
  );
  const extensions = file('extensions', `keyUsage=critical,${usage}\n`);
  openssl(
    ...['x509', '-req', '-in', request, '-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-out', out],
    ...['-days', days, '-extfile', extensions],
  );
  return readFileSync(out, 'utf8') + readFileSync(ca, 'utf8');
}

const SUITABLE = 'digitalSignature,nonRepudiation';

describe.each(['rsa', 'ec'])('the seal key in KMS (%s)', (kind) => {
  let dir: string;
  let request: string;
  beforeAll(() => {
    dir = runWith(kind);
  });
  const admin = (...args: string[]): Promise<Outcome> => runHere([...args, '--dir', dir]);

  it('seal-key csr prints a certificate request with the given subject, which openssl verifies', async () => {
    const { code, stdout } = await admin(
      'seal-key',
      'csr',
      '--subject',
      'CN=Acme\\, Seals, O=Ääkköset Oy, C=FI, organizationIdentifier=VATFI-12345678, OU=Attestation',
    );
    expect(code).toBe(0);
    request = file(`${kind}.csr`, stdout);
    expect(() => openssl('req', '-in', request, '-verify', '-noout')).not.toThrow();
    const subject = openssl(
      'req',
      '-in',
      request,
      '-noout',
      '-subject',
      '-nameopt',
      'utf8,sep_comma_plus,esc_2253',
    );
    expect(subject).toContain('CN=Acme\\, Seals');
    expect(subject).toContain('O=Ääkköset Oy');
    expect(subject).toContain('C=FI');
    expect(subject).toContain('VATFI-12345678');
    const publicKey = createPublicKey(openssl('req', '-in', request, '-noout', '-pubkey'));
    expect(publicKey.asymmetricKeyType).toBe(kind);
  });

  it('seal-key import-certificate stores a certificate after a trial signature', async () => {
    const chain = file(`${kind}.pem`, certificateFor(request, SUITABLE));
    const { code, stderr, json } = await admin(
      ...follow('Certificates', 'admin seal-key import-certificate --file FILE', { FILE: chain }).slice(1),
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(json).toMatchObject({ subject: expect.stringContaining('Acme'), certificates: 2, test: false });
    expect(await stored()).toMatchObject({
      kms_key_id: key(kind).arn,
      certificate_chain_pem: readFileSync(chain, 'utf8'),
    });
  });

  it('seal-key import-certificate stores a certificate without nonRepudiation only if that is confirmed', async () => {
    const before = await stored();
    const chain = file(`${kind}-unsuitable.pem`, certificateFor(request, 'digitalSignature'));
    const given = ['seal-key', 'import-certificate', '--file', chain];
    const { code, stderr } = await admin(...given);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Its key usage lacks nonRepudiation .*--yes/)]);
    expect(await stored()).toEqual(before);
    expect(await admin(...given, '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect((await stored()).certificate_chain_pem).toBe(readFileSync(chain, 'utf8'));
  });

  it('seal-key import-certificate --test stores a certificate that says TEST', async () => {
    const { stdout } = await admin('seal-key', 'csr', '--subject', 'CN=Acme TEST, O=Acme Oy, C=FI');
    const csr = file(`${kind}-test.csr`, stdout);
    const chain = file(`${kind}-test.pem`, certificateFor(csr, SUITABLE));
    const { json } = await admin(
      ...follow('Certificates', 'admin seal-key import-certificate --file FILE --test', {
        FILE: chain,
      }).slice(1),
    );
    expect(json).toMatchObject({ subject: expect.stringContaining('TEST'), test: true });
    expect((await stored(TEST_SECRET)).certificate_chain_pem).toBe(readFileSync(chain, 'utf8'));
  });

  it('seal-key import-certificate refuses an unsuitable certificate and keeps the stored one', async () => {
    const before = await stored();
    const foreign = makeDemoSealIdentity(makeDemoCa(new Date()), {
      now: new Date(),
      algorithm: kind === 'ec' ? 'ecdsa-p256' : 'rsa',
    });
    const cases: [string, RegExp][] = [
      [pem(foreign.certificate), /^Nothing was stored: the key does not belong to its certificate\.$/],
      [certificateFor(request, 'keyEncipherment'), /^Nothing was stored: .*no key usage for signatures\.$/],
      ['nothing', /^Nothing was stored: /],
    ];
    for (const [content, sentence] of cases) {
      const { code, stderr } = await admin(
        'seal-key',
        'import-certificate',
        '--file',
        file('bad.pem', content),
      );
      expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(sentence)]);
    }
    expect(await stored()).toEqual(before);
  });
});

describe('a key and certificate in a PKCS#12 file', () => {
  const now = new Date();
  const admin = (name: string, content: Uint8Array, passphrase: string, ...options: string[]) =>
    runHere(
      [
        ...['seal-key', 'import-p12', '--file', file(name, content), '--passphrase-env', 'P12_PASSPHRASE'],
        ...[...options, '--dir', runWith('rsa')],
      ],
      pipes(),
      { P12_PASSPHRASE: passphrase },
    );

  it('seal-key import-p12 stores a key after a trial seal', async () => {
    const identity = makeDemoSealIdentity(makeDemoCa(now), { now, test: true, algorithm: 'rsa' });
    const p12 = toPkcs12(identity, 'open sesame');
    const { code, json, stdout } = await admin('good.p12', p12, 'open sesame', '--test');
    expect(code).toBe(0);
    expect(json).toMatchObject({ subject: expect.stringContaining('TEST'), test: true, algorithm: 'rsa' });
    expect(stdout).not.toContain('sesame');
    expect(await stored(TEST_SECRET)).toMatchObject({
      p12_base64: p12.toString('base64'),
      passphrase: 'open sesame',
    });
  });

  it('the commands of docs/deploy.md make a trial certificate that can seal', async () => {
    const page = readFileSync('docs/deploy.md', 'utf8');
    const [, block = ''] = /For a trial, make a certificate.*?```sh\n(.*?)```/s.exec(page) ?? [];
    const dir = runWith('rsa');
    const admin = `admin() { '${process.execPath}' '${join(process.cwd(), 'admin/main.ts')}' "$@" --dir '${dir}'; }`;
    const shell = promisify(execFile)('bash', ['-ec', `${admin}\n${block}`], { cwd: folder });
    shell.child.stdin?.end('open sesame\n');
    const { stdout } = await shell;
    expect(JSON.parse(stdout)).toMatchObject({ subject: expect.stringContaining('Acme Oy TRIAL') });
    expect(await stored()).toMatchObject({ passphrase: 'open sesame' });
    expect(existsSync(join(folder, 'trial.key'))).toBe(false);
  }, 30_000);

  it('seal-key import-p12 of the stored key keeps the one before, so that an operator can go back to it', async () => {
    const make = () => toPkcs12(makeDemoSealIdentity(makeDemoCa(now), { now, test: true }), 'open sesame');
    const [first, second] = [make(), make()];
    for (const p12 of [first, second, second])
      expect(await admin('again.p12', p12, 'open sesame', '--test')).toMatchObject({ code: 0 });
    const { SecretString = '{}' } = await new SecretsManagerClient(cloud.operator).send(
      new GetSecretValueCommand({ SecretId: TEST_SECRET, VersionStage: 'AWSPREVIOUS' }),
    );
    expect(await stored(TEST_SECRET)).toMatchObject({ p12_base64: second.toString('base64') });
    expect(JSON.parse(SecretString)).toMatchObject({ p12_base64: first.toString('base64') });
  });

  it('seal-key import-p12 passes over a value by hand that was no JSON, but not over a former certificate without its end', async () => {
    const p12 = toPkcs12(makeDemoSealIdentity(makeDemoCa(now), { now, test: true }), 'open sesame');
    const byHand = (SecretString: string) =>
      new SecretsManagerClient(cloud.operator).send(
        new PutSecretValueCommand({ SecretId: TEST_SECRET, SecretString }),
      );
    await byHand('{"p12_base64": "…');
    await byHand('{}');
    expect(await admin('byhand.p12', p12, 'open sesame', '--test')).toMatchObject({ code: 0 });
    await byHand('{"former": [{"der_base64": "b2xk"}]}');
    const { code, stderr } = await admin('byhand.p12', p12, 'open sesame', '--test');
    const sentence = 'Nothing was stored: a former certificate lacks the time until which it counts.';
    expect([code, stderr.trim()]).toEqual([1, sentence]);
    await byHand('{}');
  });

  it.each([
    {
      test: true,
      given: [],
      secret: SECRET,
      refusal: /says TEST, and live requests would be sealed with it; --test .* Give --yes/,
    },
    {
      test: false,
      given: ['--test'],
      secret: TEST_SECRET,
      refusal: /does not say TEST, and test requests would be .* Give --yes/,
    },
  ])(
    'seal-key import-p12 stores a certificate with TEST: $test, given $given, only if that is confirmed',
    async ({ test, given, secret, refusal }) => {
      const before = await stored(secret);
      const p12 = toPkcs12(makeDemoSealIdentity(makeDemoCa(now), { now, test }), 'open sesame');
      const refused = await admin('other.p12', p12, 'open sesame', ...given);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(refusal)]);
      expect(await stored(secret)).toEqual(before);
      const confirmed = await admin('other.p12', p12, 'open sesame', ...given, '--yes');
      expect(confirmed.json).toMatchObject({ test: !test });
      expect(await stored(secret)).toMatchObject({ p12_base64: p12.toString('base64') });
    },
  );

  it('seal-key import-p12 refuses a wrong passphrase and an invalid period in one sentence without the passphrase', async () => {
    const before = await stored(TEST_SECRET);
    const at = (years: number) => {
      const time = new Date(now.getTime() + years * 365 * 86_400_000);
      return toPkcs12(makeDemoSealIdentity(makeDemoCa(time), { now: time }), 'open sesame');
    };
    const cases: [Uint8Array, string, string][] = [
      [at(0), 'close sesame', 'Nothing was stored: wrong passphrase.'],
      [at(-9), 'open sesame', expect.stringContaining('the certificate expired at')],
      [at(9), 'open sesame', expect.stringContaining('the certificate is valid from')],
      [Buffer.from('no file'), 'open sesame', 'Nothing was stored: no usable PKCS#12 file.'],
    ];
    for (const [p12, passphrase, sentence] of cases) {
      const { code, stderr } = await admin('bad.p12', p12, passphrase, '--test');
      expect([code, stderr.trim()]).toEqual([1, sentence]);
      expect(stderr).not.toContain('sesame');
    }
    expect(await stored(TEST_SECRET)).toEqual(before);
  });
});
