import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { pem, toPkcs12 } from '../../support/demo-keys.ts';
import { Pki } from '../../support/pki/pki.ts';
import { ACCOUNT, REGION } from '../local-services/harness.ts';
import { LocalRun } from './local-run.ts';

/** Above B-T, a key or an authority whose certificates cannot be proved is stored only if that is confirmed. */

const secretArn = (name: string) => `arn:aws:secretsmanager:${REGION}:${ACCOUNT}:secret:${name}-abcdef`;
const SECRETS = ['seal', 'timestamp'];

let run: LocalRun;
let pki: Pki;
let folder: string;

beforeAll(async () => {
  run = await LocalRun.start();
  pki = await Pki.open(new Date());
  folder = mkdtempSync(join(tmpdir(), 'seal-level-'));
  writeFileSync(join(folder, 'root.pem'), pem(pki.root.certificate));
  writeFileSync(join(folder, 'seal.p12'), toPkcs12(pki.seal, 'open sesame'));
});
beforeEach(async () => {
  pki.repair();
  for (const name of SECRETS)
    await new SecretsManagerClient(run.cloud.operator).send(
      new PutSecretValueCommand({ SecretId: secretArn(name), SecretString: '{}' }),
    );
});
afterAll(async () => {
  await pki.close();
  await run.stop();
  rmSync(folder, { recursive: true });
});

function setLevel(level: string): void {
  const path = join(run.dir, 'run.json');
  const file = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...file, outputs: { ...file.outputs, SealLevel: level } }));
}
const stored = (name: string) => run.cloud.services.secretValue(secretArn(name));

const admin = (...args: string[]) => run.runWith({ PASSPHRASE: 'open sesame' }, ...args);

const importKey = () => [
  ...['seal-key', 'import-p12', '--file', join(folder, 'seal.p12')],
  ...['--passphrase-env', 'PASSPHRASE'],
];
const setAuthority = () => [
  ...['timestamp', 'set', '--url', pki.stampUrl, '--ca-file', join(folder, 'root.pem')],
];

describe.each([
  ['seal-key import-p12', 'seal', importKey, () => pki.seal, 'seals would wait now'],
  // Another authority may serve meanwhile.
  ['timestamp set', 'timestamp', setAuthority, () => pki.authority, 'seals would pass it over now'],
] as const)('%s', (_, secret, command, certified, consequence) => {
  it('stores what can be proved', async () => {
    setLevel('B-LT');
    expect(await admin(...command())).toMatchObject({ code: 0, stderr: '' });
    expect(await stored(secret)).not.toBe('{}');
  });

  it('asks before what cannot be proved now, and says why', async () => {
    setLevel('B-LTA');
    pki.setStanding(certified(), 'unknown');
    for (const ca of ['seals', 'timestamps'] as const)
      pki.break(ca, 'list', { body: Buffer.alloc(128 * 1024 + 1) });
    const { code, stderr } = await admin(...command());
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/ \(.*does not know the certificate; .*too long\)\. Give --yes/),
    ]);
    expect(stderr).toContain(`At B-LTA ${consequence} (`);
    expect(await stored(secret)).toBe('{}');
    expect(await admin(...command(), '--yes')).toMatchObject({ code: 0, stderr: '' });
    expect(await stored(secret)).not.toBe('{}');
  });

  it('asks no responder at B-T', async () => {
    setLevel('B-T');
    const asked = pki.counts.get('seals/ocsp');
    pki.setStanding(certified(), 'unknown');
    expect(await admin(...command())).toMatchObject({ code: 0, stderr: '' });
    expect(pki.counts.get('seals/ocsp')).toBe(asked);
  });
});
