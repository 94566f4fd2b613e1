import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { CALLS } from '../../docs/site/openapi.ts';
import { ENDPOINTS } from '../../shared/contract/endpoints.ts';
import { createSignature } from '../../shared/contract/signatures.ts';
import { createWebhookEndpoint } from '../../shared/contract/webhook-endpoints.ts';
import { installPackage, NODE_TYPES, run, typeFaults } from '../integration/client/package.ts';
import { blocksFor, runnerOf } from '../support/docs-blocks.ts';
import { makePdf } from '../support/pdf.ts';
import { Receiver } from '../support/receiver.ts';
import { startReceiver } from '../support/receiver-program.ts';
import { type ApiClient, Service } from '../support/service.ts';
import { until } from '../support/until.ts';
import { requirePrograms } from './judges.ts';
import { Shell } from './shell.ts';

/** Runs the examples of the documentation as they stand there. */

const blocks = (file: string, language: string) => blocksFor(runnerOf(import.meta.filename), file, language);

const LOCAL_RUN = 'http://localhost:3000';
const CLIENT = `import { writeFile } from 'node:fs/promises';
import { SignatureRequests } from '@signature-requests/client';
const { SIGNATURE_REQUESTS_API_KEY: apiKey = '', SIGNATURE_REQUESTS_URL: baseUrl = '' } = process.env;
const { ID: id = '', SIGNER_ID: signerId = '', SEALED_ID: sealedId = '' } = process.env;
const { ENDPOINT_ID: endpointId = '', EVENT_ID: eventId = '' } = process.env;
const client = new SignatureRequests({ apiKey, baseUrl });
`;

let service: Service;
let owner: ApiClient;
let folder: string;
let sealedId: string;
const receivers: { stop(): void }[] = [];

beforeAll(async () => {
  requirePrograms('bash', 'curl');
  [service, folder] = await Promise.all([Service.start(), installPackage()]);
  owner = await service.client();
  const pdf = await makePdf();
  for (const name of ['lease.pdf', 'large.pdf']) await writeFile(join(folder, name), pdf);
  // As in a clone where the service and the client were built.
  await cp(join(folder, 'node_modules/@signature-requests/client/dist'), join(folder, 'client/dist'), {
    recursive: true,
  });
  await cp(service.dir, join(folder, '.local'), { recursive: true, filter: isRunFile });
  const runFile = join(folder, '.local/run.json');
  const about = JSON.parse(await readFile(runFile, 'utf8'));
  await writeFile(runFile, JSON.stringify({ ...about, api_key: owner.apiKey }));
}, 120_000);
afterAll(async () => {
  for (const receiver of receivers) receiver.stop();
  await service?.stop();
  if (folder) await rm(folder, { recursive: true });
});

/** The files of the local run that the quick start reads. */
const isRunFile = (path: string) =>
  [service.dir, join(service.dir, 'ca')].includes(path) ||
  ['run.json', 'demo-seals.pem', 'ca/certificate.pem'].some((name) => path === join(service.dir, name));

const environment = (): Record<string, string> => ({
  PATH: [join(folder, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(':'),
  XDG_CONFIG_HOME: folder,
  URL: service.baseUrl,
  KEY: owner.apiKey,
});
const shell = () => new Shell(folder, environment());

/** Runs a block, which must end as it says: `exit=1`, `prints=…`. */
async function runBlock({ code, info }: { code: string; info: string }, options = {}): Promise<string> {
  const outcome = await shell().run(code.replaceAll(LOCAL_RUN, service.baseUrl), options);
  const [, exit = '0'] = /exit=(\d)/.exec(info) ?? [];
  expect({ ...outcome, code: String(outcome.code) }).toMatchObject({ code: exit });
  const [, printed] = /prints=(\S+)/.exec(info) ?? [];
  if (printed) expect(outcome.stdout).toBe(printed);
  return outcome.stdout;
}

const codeOf = (file: string) => blocks(file, 'ts').map(({ code }) => code);
const PROGRAMS = {
  reference: `${CLIENT}${codeOf('docs/examples.md')
    .map((code) => `{\n${code}\n}`)
    .join('\n')}`,
  'quick-start': codeOf('docs/guides/quick-start.md').join('\n'),
  client: codeOf('docs/client.md').join('\n'),
  receiver: codeOf('docs/webhooks.md')[0] ?? '',
};
type Program = keyof typeof PROGRAMS;

/** The program as Node of any version runs it. */
async function compiled(name: Program): Promise<string> {
  await writeFile(join(folder, `${name}.mjs`), (await transform(PROGRAMS[name], { loader: 'ts' })).code);
  return `${name}.mjs`;
}

/** Runs a program with the package installed. */
async function program(name: Program, { client = owner, env = {} } = {}): Promise<string> {
  const file = await compiled(name);
  const credentials = { SIGNATURE_REQUESTS_API_KEY: client.apiKey, SIGNATURE_REQUESTS_URL: service.baseUrl };
  const all = { ...process.env, ...credentials, ...env };
  return (await run(process.execPath, [file], { cwd: folder, env: all })).stdout;
}

const ANN = 'ann@example.com';

/** Signs as Ann, the only signer of a request. */
async function signAsAnn(client: ApiClient, id: string): Promise<void> {
  const { body } = await client.get(`/api/v1/signatures/${id}`);
  const signer = await service.verifiedSigner(body.signers[0].access_token, ANN);
  expect((await signer.sign()).status).toBe(200);
}

/** Signs the newest request that waits for Ann, once so many mails with a code have come to her. */
async function signAfterMails(mails: number, client = owner): Promise<void> {
  await until(() => service.mails(ANN).length >= mails, 'the mail');
  const { data } = (await client.get(`/api/v1/signatures?signer_email=${ANN}&status=sent`)).body;
  await signAsAnn(client, data[0].id);
}

it('the quick start leads from a clone to a sealed and verified PDF', async () => {
  const [start, create, status, download, build, verify, trusting] = blocks(
    'docs/guides/quick-start.md',
    'sh',
  );
  // test/integration/local/process.test.ts runs it.
  expect(start?.code).toBe('npm ci && npm start');
  // As installPackage runs it.
  expect(build?.code).toBe('npm run build -w client');
  if (!create || !status || !download || !verify || !trusting)
    throw new Error('The quick start lacks a block.');

  await runBlock(create);
  const answer = JSON.parse(await readFile(join(folder, 'created.json'), 'utf8'));
  sealedId = createSignature.answer.parse(answer).id;
  await signAsAnn(owner, sealedId);
  await service.untilStatus(owner, sealedId, 'signed');
  await runBlock(status);
  await runBlock(download);
  expect(await runBlock(verify)).toContain('"judgement": "intact"');
  expect(await runBlock(trusting)).toContain('"judgement": "green"');

  const [shown] = blocks('docs/guides/quick-start.md', 'json');
  const example = JSON.parse(shown?.code ?? '');
  expect(createSignature.answer.parse(example)).toEqual(example);
});

it('the command verifies with and without named certificates, as the guide says', async () => {
  const [without, trusting] = blocks('docs/guides/verification.md', 'sh');
  if (!without || !trusting) throw new Error('The guide lacks a block.');
  const { document } = JSON.parse(await runBlock(without));
  const [{ signer, timestamp }] = document.signatures;
  const named = [signer, timestamp.authority].map(({ fingerprint }) => fingerprint).join('\n');
  await writeFile(join(folder, 'certificates.txt'), named);
  expect(await runBlock(trusting)).toContain('"judgement": "green"');
});

it('the guides about uploads, retries and webhooks do what they say', async () => {
  for (const file of ['docs/api.md', 'docs/guides/retries.md'])
    for (const block of blocks(file, 'sh')) await runBlock(block);
  const [register] = blocks('docs/webhooks.md', 'sh');
  if (!register) throw new Error('The guide lacks a block.');
  createWebhookEndpoint.answer.parse(JSON.parse(await runBlock(register)));
});

it('each line of the command’s page runs', async () => {
  const [block] = blocks('docs/client.md', 'sh');
  let sent = '';
  for (const line of block?.code.split('\n') ?? []) {
    const isForSent = /resend|cancel/.test(line);
    const code = line
      .replace('https://sign.example.com', service.baseUrl)
      .replaceAll(/\bID\b/g, isForSent ? sent : sealedId)
      // It runs until it is stopped: test/integration/client/command.test.ts does that.
      .replace(/listen .*/, 'listen --help');
    const stdout = await runBlock({ code, info: '' }, { stdin: line.includes(' login') ? owner.apiKey : '' });
    if (line.includes(' send ')) sent = JSON.parse(stdout).id;
  }
});

/** A request to a person of its own, and a webhook endpoint with an event that was delivered. */
async function prepare(email: string): Promise<Record<string, string>> {
  const content_base64 = (await makePdf()).toString('base64');
  const created = await owner.post('/api/v1/signatures', {
    title: 'Prepared',
    signers: [{ email }],
    document: { content_base64 },
  });
  const receiver = await Receiver.start();
  receivers.push(receiver);
  const endpoint = await owner.post('/api/v1/webhook-endpoints', {
    url: receiver.url,
    event_types: ['signature_request.expired'],
  });
  const path = `/api/v1/webhook-endpoints/${endpoint.body.id}`;
  const { event_id } = (await owner.post(`${path}/test`)).body;
  await until(async () => (await owner.get(`${path}/deliveries`)).body.data.length > 0, 'the delivery');
  const [{ id: signerId }] = created.body.signers;
  return {
    ID: created.body.id,
    SIGNER_ID: signerId,
    SEALED_ID: sealedId,
    ENDPOINT_ID: endpoint.body.id,
    EVENT_ID: event_id,
  };
}

it('each curl of the reference gets the answer that the contract promises', async () => {
  const vars = await prepare('carl@example.com');
  const ran: string[] = [];
  for (const block of blocks('docs/examples.md', 'sh')) {
    const stdout = await runBlock(block, { vars });
    const call = CALLS.find(({ operationId }) => operationId === block.heading);
    const endpoint = ENDPOINTS.find(({ method, path }) => method === call?.method && path === call.path);
    if (!endpoint) throw new Error(`There is no call ${block.heading}.`);
    const [, file] = /-o (\S+)/.exec(block.code) ?? [];
    if (file) expect((await readFile(join(folder, file))).subarray(0, 5).toString()).toBe('%PDF-');
    else if (typeof endpoint.answer !== 'string') endpoint.answer.parse(JSON.parse(stdout));
    ran.push(block.heading);
  }
  expect(ran.sort()).toEqual(CALLS.map(({ operationId }) => operationId).sort());
}, 120_000);

it('every program has correct types', async () => {
  const files = await Promise.all(
    Object.entries(PROGRAMS).map(async ([name, code]) => {
      await writeFile(join(folder, `${name}.mts`), code);
      return `${name}.mts`;
    }),
  );
  const [first = '', ...others] = files.map((file) => join(folder, file));
  expect(await typeFaults(first, ...others, ...NODE_TYPES)).toBe('');
});

it('each example of the reference with the client runs', async () => {
  await program('reference', { env: await prepare('tess@example.com') });
});

it('the program of the quick start runs', async () => {
  const mails = service.mails(ANN).length + 1;
  const [stdout] = await Promise.all([program('quick-start'), signAfterMails(mails)]);
  expect(stdout).toBe('signed\n');
});

it('the program in docs/client.md runs', async () => {
  const client = await service.client();
  // The program has the first code replaced.
  const mails = service.mails(ANN).length + 2;
  const [stdout] = await Promise.all([program('client', { client }), signAfterMails(mails, client)]);
  expect(stdout).toContain('request_not_cancellable 409');
  const { data } = (await client.get('/api/v1/signatures')).body;
  expect(data.map(({ status }: { status: string }) => status).sort()).toEqual(['cancelled', 'signed']);
}, 90_000);

it('the receiver in TypeScript takes what the service sends, and nothing else', async () => {
  const file = await compiled('receiver');
  const { body } = await owner.post('/api/v1/webhook-endpoints', { url: 'https://client.example.com/hook' });
  const receiver = await startReceiver([process.execPath, file], {
    cwd: folder,
    secret: body.secret,
  });
  receivers.push(receiver);
  const path = `/api/v1/webhook-endpoints/${body.id}`;
  expect((await owner.call('PATCH', path, { url: receiver.url })).status).toBe(200);
  await owner.post(`${path}/test`);
  await until(() => receiver.printed().includes('webhook_endpoint.test'), 'the event');
  expect((await fetch(receiver.url, { method: 'POST', body: '{"type":"forged"}' })).status).toBe(400);
});
