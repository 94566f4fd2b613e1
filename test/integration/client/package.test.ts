import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { listenHere, originOf } from '../../support/loopback.ts';
import {
  BROWSER_TYPES,
  installPackage,
  NODE_TYPES,
  NPM_NODE,
  OLD_NODE_TYPES,
  run,
  typeFaults,
} from './package.ts';

const PROGRAM = `
import { SignatureRequests } from '@signature-requests/client';
import { readExpected, verifyPdf } from '@signature-requests/client/verifier';
const client = new SignatureRequests({ apiKey: 'esk_test_1', baseUrl: process.argv[2] ?? '' });
const { id } = await client.signatureRequests.create({ title: 'Lease', signers: [{ email: 'ann@example.com' }], file: { path: 'package.json' } });
const { verdict } = await verifyPdf(new Uint8Array([1]), { expected: await readExpected(''), now: new Date() });
console.log(id, verdict);
`;

const COMMON_JS = `
import { SignatureRequests } from '@signature-requests/client';
import { verifyPdf } from '@signature-requests/client/verifier';
const client = new SignatureRequests({ apiKey: 'k', baseUrl: 'https://sign.example.com' });
console.log(typeof client.signatureRequests.create, typeof verifyPdf);
`;

const IN_BROWSERS = `
import { SignatureRequests, webhooks, type SignatureRequest, type WebhookEvent } from '@signature-requests/client';
const client = new SignatureRequests({ apiKey: 'k', baseUrl: 'https://sign.example.com' });
const request: SignatureRequest = await client.signatureRequests.retrieve('r');
const status: 'signed' | undefined = request.status === 'signed' ? request.status : undefined;
const event: WebhookEvent = await webhooks.verify('', new Headers(), 's');
if (event.type === 'signer.signed') event.data.remaining_pending_signers.toFixed();
const bytes = await (await client.signatureRequests.download('r')).bytes();
new Response(bytes);
new Blob([bytes]);
`;

/** Values that may be missing, as the caller's own options are. */
const OPTIONAL = `
import { SignatureRequests, webhooks, type WebhookHeaders } from '@signature-requests/client';
declare const text: string | undefined;
declare const number: number | undefined;
declare const headers: WebhookHeaders;
const { signatureRequests, webhookEndpoints } = new SignatureRequests({ apiKey: 'k', baseUrl: 'https://sign.example.com', fetch: undefined, timeoutMs: number, retries: number });
const created = { title: 'Lease', signers: [{ email: 'ann@example.com', name: text }], file: new Uint8Array(), filename: text, reference: text };
await signatureRequests.create(created, { idempotencyKey: text, signal: undefined, timeoutMs: number });
signatureRequests.list({ cursor: text, limit: number });
signatureRequests.events('r', { cursor: text, limit: number });
webhookEndpoints.deliveries('w', { cursor: text, limit: number, include: undefined });
await signatureRequests.download('r', { expectedHash: text, form: undefined });
await webhooks.verify('', headers, 's', { toleranceSeconds: number, now: undefined });
`;

const FAULTY = `
import { SignatureRequests, webhooks } from '@signature-requests/client';
const client = new SignatureRequests({ apiKey: 'k', baseUrl: 'https://sign.example.com' });
client.signatureRequests.create({ signers: [{ email: 'a@example.com' }], file: new Uint8Array() });
client.signatureRequests.list({ status: 'sealed' });
(await client.signatureRequests.retrieve('r')).no_such_member;
const event = await webhooks.verify('', {}, 's');
if (event.type === 'signer.signed') event.data.document_hash;
`;

let folder: string;
let server: Server;
const bodies: string[] = [];

beforeAll(async () => {
  folder = await installPackage();
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    bodies.push(body);
    response.end(JSON.stringify({ id: 'r-1' }));
  });
  await listenHere(server);
}, 120_000);
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const write = async (name: string, text: string): Promise<string> => {
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

describe('the package, installed into an empty folder', () => {
  it.each([
    ['the Node of npm', NPM_NODE],
    ['Node 24', process.execPath],
  ])('runs a program with client and verifier on %s', async (_, node) => {
    const program = await write('program.js', PROGRAM);
    const url = originOf(server);
    const { stdout } = await run(node, [program, url], { cwd: folder });
    expect(stdout).toBe('r-1 red\n');
    expect(JSON.parse(bodies.at(-1) ?? '')).toMatchObject({
      title: 'Lease',
      document: { filename: 'package.json' },
    });
  });

  it('is required by a CommonJS program on the Node of npm, and has types for it', async () => {
    const program = await write('program.cts', COMMON_JS);
    expect(await typeFaults(program, ...NODE_TYPES)).toBe('');
    const { code } = await transform(COMMON_JS, { loader: 'ts', format: 'cjs' });
    const { stdout } = await run(NPM_NODE, [await write('program.cjs', code)], { cwd: folder });
    expect(stdout).toBe('function function\n');
  });

  it('has types for a CommonJS program whose TypeScript knows no `exports`, and an entry for such tools', async () => {
    const program = await write('old.ts', COMMON_JS);
    expect(await typeFaults(program, ...OLD_NODE_TYPES)).toBe('');
    const installed = join(folder, 'node_modules/@signature-requests/client');
    const { main } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    expect(await import(join(installed, main))).toHaveProperty('SignatureRequests');
  });

  it('brings the command, which runs on the Node of npm', async () => {
    const { stdout } = await run(NPM_NODE, ['node_modules/.bin/signature-requests', '--help'], {
      cwd: folder,
    });
    expect(stdout).toContain('signature-requests COMMAND');
  });

  it('tells its version by the command', async () => {
    const command = ['node_modules/.bin/signature-requests', '--version'];
    const { stdout } = await run(NPM_NODE, command, { cwd: folder });
    const installed = join(folder, 'node_modules/@signature-requests/client/package.json');
    expect(stdout).toBe(`${JSON.parse(await readFile(installed, 'utf8')).version}\n`);
  });

  it('brings the licences of what is bundled', async () => {
    const dist = join(folder, 'node_modules/@signature-requests/client/dist');
    expect(await readFile(join(dist, 'LICENSES.txt'), 'utf8')).toContain('node_modules/fflate\nMIT License');
  });

  it('has types that need no other package, on Node and in browsers', async () => {
    expect(await typeFaults(await write('program.mts', PROGRAM), ...NODE_TYPES)).toBe('');
    expect(await typeFaults(await write('page.mts', IN_BROWSERS), ...BROWSER_TYPES)).toBe('');
    expect(await typeFaults(await write('optional.mts', OPTIONAL), ...NODE_TYPES)).toBe('');
  });

  it('tells editors what each field is, and which are deprecated', async () => {
    const types = join(folder, 'node_modules/@signature-requests/client/dist/types/client/src/types.d.ts');
    const lines = (await readFile(types, 'utf8')).split('\n').map((line) => line.trim());
    const bare = lines.filter(
      (line, index) => /^\w+\??: /.test(line) && !lines[index - 1]?.startsWith('/** '),
    );
    expect(bare).toEqual([]);
    const [title = '', token = ''] = [/^title: /, /^token\?: /].map(
      (field) => lines[lines.findIndex((line) => field.test(line)) - 1],
    );
    expect(title).toBe('/** Shown to signers in mails and on the page. */');
    expect(token).toContain('@deprecated');
  });

  it('has types that find what is wrong', async () => {
    const faults = await typeFaults(await write('faulty.mts', FAULTY), ...BROWSER_TYPES);
    expect([...faults.matchAll(/faulty\.mts\((\d+),/g)].map(([, line]) => Number(line))).toEqual([
      4, 5, 6, 8,
    ]);
  });
});
