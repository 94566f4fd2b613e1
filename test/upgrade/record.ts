import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { encode } from 'fast-png';
import { startEngine } from '../../local/services/dynamodb/engine.ts';
import { npmStart, stopRun } from '../bench/support/npm-start.ts';
import {
  type OlderRequest,
  type OlderSigner,
  signingSecretArn,
  writeOlderState,
} from '../support/older-state.ts';
import { makePdf } from '../support/pdf.ts';
import { ApiClient, SigningClient } from '../support/service.ts';
import { until } from '../support/until.ts';

/**
 * Records what a version of this service stores, for test/integration/upgrade/older-states.test.ts.
 *
 *   node --no-warnings test/upgrade/record.ts CHECKOUT      a checkout of that version after npm ci
 *
 * It drives the version by HTTP, as the first one understood it already. The documents are as small as possible.
 */

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('Name the folder of a checkout after npm ci.');

const REQUESTS = '/api/v1/signatures';
const USER = 'early@example.com';
const IDEMPOTENCY_KEY = 'before-the-upgrade';
const DRAWING = encode({ width: 8, height: 4, data: new Uint8Array(8 * 4 * 4).fill(120) });

const dir = mkdtempSync(join(tmpdir(), 'recording-'));
const service = await npmStart(checkout, dir);
const run = JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8'));
const {
  TableName,
  DocumentsBucket: Bucket,
  SealSecretArn,
  TestSealSecretArn,
  TimestampSecretArn,
} = run.outputs;
const settings = {
  endpoint: run.endpoint_url,
  region: run.region,
  credentials: { accessKeyId: run.access_key_id, secretAccessKey: run.secret_access_key },
};
const client = new ApiClient(run.base_url, run.api_key);
const pdf = (await makePdf()).toString('base64');
const requests: OlderRequest[] = [];

const control = async (path: string) => (await fetch(run.control_url + path)).json();

const bodyOf = (title: string, signers: number) => ({
  title,
  message: 'Please sign.',
  metadata: { deal: title },
  signers: Array.from({ length: signers }, (_, place) => ({
    email: `${title.toLowerCase().replaceAll(' ', '.')}${place}@example.com`,
    name: `Signer ${place}`,
  })),
  document: { filename: `${title}.pdf`, content_base64: pdf },
});

async function create(
  title: string,
  signers = 1,
  headers = {},
): Promise<OlderRequest & { signer: OlderSigner }> {
  const { body: made } = await client.post(REQUESTS, bodyOf(title, signers), headers);
  const request: OlderRequest = { id: made.id, status: '', signers: [] };
  for (const { email, access_token: token } of made.signers) {
    // The first version did not filter its inbox, and wrote one address as text.
    const mails: { to: string | string[]; text: string }[] = await control('/inbox');
    const texts = mails.filter(({ to }) => String(to) === email).map(({ text }) => text);
    const [code = ''] = texts.flatMap((text) => /\b\d{6}\b/.exec(text) ?? []);
    request.signers.push({ email, token, code, cookie: null, signed: false });
  }
  requests.push(request);
  const [signer] = request.signers;
  if (!signer) throw new Error(`${title} was refused: ${JSON.stringify(made)}`);
  return { ...request, signer };
}

async function read(person: OlderSigner): Promise<SigningClient> {
  const signer = new SigningClient(run.base_url, person.token);
  await signer.open();
  await signer.verify(person.code);
  person.cookie = signer.cookie ?? null;
  return signer;
}

async function sign(person: OlderSigner, overrides = {}): Promise<void> {
  const signer = await read(person);
  person.signed = (await signer.sign(overrides)).status === 200;
}

const statusOf = async ({ id }: OlderRequest): Promise<string> =>
  (await client.get(`${REQUESTS}/${id}`)).body.status;
const untilStatus = (request: OlderRequest, status: string) =>
  until(async () => (await statusOf(request)) === status, `${request.id} to become ${status}`);

const secrets = new SecretsManagerClient(settings);
const secretOf = async (SecretId: string): Promise<string> =>
  (await secrets.send(new GetSecretValueCommand({ SecretId }))).SecretString ?? '';
const putSealSecret = (SecretString: string) =>
  secrets.send(new PutSecretValueCommand({ SecretId: SealSecretArn, SecretString }));

/** Requests of each status, and a user of their own. Returns the request that was made with the idempotency key. */
async function fill(seal: string): Promise<OlderRequest> {
  // First, since functions remember a certificate that they could read.
  await putSealSecret('{"p12_base64":"AAAA"}');
  const failed = await create('Failed');
  await sign(failed.signer);
  await untilStatus(failed, 'stamp_failed');
  await putSealSecret(seal);

  const sealed = await create('Sealed', 2);
  for (const signer of sealed.signers) await sign(signer);
  await untilStatus(sealed, 'signed');
  const sent = await create('Sent', 2, { 'idempotency-key': IDEMPOTENCY_KEY });
  await read((await create('Being read')).signer);
  const png = Buffer.from(DRAWING).toString('base64');
  await sign((await create('Half signed', 2)).signer, { signature: { type: 'drawn', png_base64: png } });
  await (await read((await create('Declined', 2)).signer)).decline('Not for me');
  await client.post(`${REQUESTS}/${(await create('Cancelled')).id}/cancel`, { reason: 'A mistake' });
  const user = `user create --email ${USER} --subscription active --dir ${dir}`;
  execFileSync('npm', ['run', '--silent', 'admin', '--', ...user.split(' ')], { cwd: checkout });

  // Last: what the killed job holds comes back to it after some minutes.
  const waiting = await create('Waiting for its seal');
  const body = JSON.stringify({
    service: 's3',
    operation: 'GetObject',
    function: 'seal',
    after: 1,
    effect: 'kill',
  });
  await fetch(`${run.control_url}/faults`, { method: 'POST', body });
  await sign(waiting.signer);
  await until(async () => (await control('/faults')).length === 0, 'the fault');
  return sent;
}

async function storedDocuments(): Promise<Record<string, string>> {
  const s3 = new S3Client({ ...settings, forcePathStyle: true });
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  const documents: Record<string, string> = {};
  for (const { Key = '' } of Versions) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    documents[Key] = (await Body?.transformToString('base64')) ?? '';
  }
  return documents;
}

/** From the engine, since the local cloud serves no scan. */
async function storedItems(): Promise<Record<string, AttributeValue>[]> {
  const engine = await startEngine(join(dir, 'services'), console.error);
  const items: Record<string, AttributeValue>[] = [];
  let ExclusiveStartKey: unknown;
  do {
    const { body } = await engine.send('Scan', JSON.stringify({ TableName, ExclusiveStartKey }));
    const page = JSON.parse(body.toString());
    items.push(...page.Items);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  await engine.stop();
  return items;
}

async function record() {
  const seal = await secretOf(SealSecretArn);
  const { id } = await fill(seal);
  for (const request of requests) request.status = await statusOf(request);
  const { authorities } = JSON.parse(await secretOf(TimestampSecretArn));
  return {
    recordedAt: (await control('/clock')).now,
    apiKey: run.api_key,
    idempotent: { key: IDEMPOTENCY_KEY, body: bodyOf('Sent', 2), id },
    user: USER,
    requests,
    documents: await storedDocuments(),
    secrets: {
      signing: await secretOf(signingSecretArn(dir)),
      seal,
      testSeal: await secretOf(TestSealSecretArn),
    },
    timestampRoots: authorities.map(({ ca_pem: pem }: { ca_pem: string }) => pem).join('\n'),
  };
}

const state = await record().finally(() => stopRun(service));
const ofCommit = ['show', '--no-patch', '--format=%cs-%h', '--abbrev=7'];
const version = execFileSync('git', ofCommit, { cwd: checkout, encoding: 'utf8' }).trim();
writeOlderState(version, { ...state, items: await storedItems() });
rmSync(dir, { recursive: true });
console.log(`${version}: ${requests.map(({ status }) => status).join(', ')}`);
