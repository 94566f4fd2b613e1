import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { demoPdf } from '../../../functions/admin/demo-pdf.ts';
import type { Fault } from '../../../local/ports.ts';
import { issueDemo, makeDemoCa, pem } from '../../../shared/sealing/keys/demo.ts';
import { leadsToHttps } from '../../smoke/checks.ts';
import { Service as SmokedService } from '../../smoke/service.ts';
import { type ApiClient, Service } from '../../support/service.ts';

/** The deployer's smoke test: it sees a good service pass, says what is wrong with others, and leaves nothing open. */

const SIGNER = 'smoke@example.com';
const UNKNOWN_KEY = `esk_live_${'a'.repeat(43)}`;

let service: Service;
let client: ApiClient;

beforeAll(async () => {
  service = await Service.start();
}, 60_000);
afterAll(() => service?.stop());

interface Outcome {
  code: number;
  lines: string[];
  stderr: string;
}

/** Runs it as `npm run smoke` does. */
const run = (args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> =>
  new Promise((resolve) => {
    const settings = { env: { ...process.env, SMOKE_API_KEY: '', ...env } };
    execFile(process.execPath, ['test/smoke/main.ts', ...args], settings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, lines: stdout.split('\n').slice(0, -1), stderr }),
    );
  });

const runHere = (key = client.apiKey) =>
  run(['--base-url', service.baseUrl, '--signer', SIGNER], { SMOKE_API_KEY: key });

const line = ({ lines }: Outcome, name: string) => lines.find((one) => one.includes(` ${name}`));

const requests = async (): Promise<{ id: string; status: string; title: string }[]> =>
  (await client.get('/api/v1/signatures?limit=100')).body.data;
const statuses = async () => (await requests()).map(({ status }) => status);

const faultOf = (name: string, effect: Fault['effect'], operation = 'TransactWriteItems'): void =>
  service.fault({
    service: 'dynamodb',
    operation,
    function: name,
    after: 1,
    effect,
    ...(effect === 'error' && { error_code: 'ValidationException' }),
  });

const withAnOwnerOfItsOwn = () => {
  beforeEach(async () => {
    client = await service.client();
  });
  afterEach(() => service.cloud.services.clearFaults());
};

describe('against a good service', () => {
  withAnOwnerOfItsOwn();

  it('passes, says so line by line, and cancels what it made', async () => {
    const outcome = await runHere();
    expect(outcome).toEqual({ code: 0, stderr: '', lines: outcome.lines.filter((one) => /^ok /.test(one)) });
    expect(outcome.lines.length).toBeGreaterThan(20);
    expect(line(outcome, 'Nothing is left open')).toContain('(cancelled at the end: 2)');
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(service.mails(SIGNER)).not.toHaveLength(0);
  });

  it('shows neither the key nor the token of a link', async () => {
    const { lines, stderr } = await runHere();
    const said = [...lines, stderr].join('\n');
    expect(said).not.toContain(client.apiKey);
    for (const { id } of await requests()) {
      const { body } = await client.get(`/api/v1/signatures/${id}`);
      expect(said).not.toContain(body.signers[0].access_token);
    }
  });
});

describe('where something is wrong', () => {
  withAnOwnerOfItsOwn();

  it('a key that is not known: says so, and tries nothing that needs one', async () => {
    const outcome = await runHere(UNKNOWN_KEY);
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'The key is taken')).toMatch(
      /^FAILED .*: expected 200, came 401 unauthorized \(".+"\); look at the key: whole, of this stack, not revoked/,
    );
    expect(line(outcome, 'A request is created')).toBe(
      'not tried A request is created: needs "The key is taken"',
    );
    expect(outcome.lines.join()).not.toContain(UNKNOWN_KEY);
  });

  it('no subscription: names it', async () => {
    client = await service.client({ subscription: 'none' });
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'A request is created')).toMatch(
      /^FAILED .*: expected 200, came 402 subscription_required .*; look at the owner’s subscription/,
    );
  });

  it('a mail that is not taken: says what SES said', async () => {
    service.fault({
      service: 'ses',
      operation: 'SendEmail',
      function: 'create-signature',
      after: 1,
      effect: 'error',
      error_code: 'MessageRejected',
    });
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'Its invitation')).toMatch(
      /^FAILED .*: expected a mail, came none \(.+\); look at the option mailFrom/,
    );
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('a cancel that fails: says so, and cancels at the end', async () => {
    faultOf('cancel-signature', 'error');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'The request is cancelled')).toMatch(
      /^FAILED .*: expected 200, came 500 internal_error .*; look at the log of the function cancel-signature$/,
    );
    expect(line(outcome, 'Nothing is left open')).toMatch(/^ok .*\(cancelled at the end: 3\)$/);
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('a cancel that takes effect and is not answered: nothing is left open', async () => {
    faultOf('cancel-signature', 'kill-after');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'Nothing is left open')).toMatch(/^ok /);
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('a request that was made and not answered: is found by its title and cancelled', async () => {
    faultOf('create-signature', 'kill-after');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'A request is created')).toMatch(/^FAILED /);
    expect(line(outcome, 'Nothing is left open')).toMatch(/^ok .*\(cancelled at the end: 1\)$/);
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('no cancel works at all: names what is left open', async () => {
    for (let times = 0; times < 4; times++) faultOf('cancel-signature', 'error');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    const left = (await requests()).filter(({ status }) => status !== 'cancelled');
    expect(left).toHaveLength(3);
    for (const { id } of left) expect(line(outcome, 'Nothing is left open')).toContain(id);
    expect(line(outcome, 'Nothing is left open')).toMatch(/^FAILED .*POST .*\/signatures\/ID\/cancel$/);
  });

  it('somebody stops it: what was made until then is cancelled', async () => {
    const smoke = spawn(process.execPath, ['test/smoke/main.ts', '--base-url', service.baseUrl], {
      env: { ...process.env, SMOKE_API_KEY: client.apiKey },
    });
    let said = '';
    smoke.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (!smoke.killed && said.includes('ok A request is created')) smoke.kill('SIGINT');
    });
    const [code] = await once(smoke, 'close');
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/\nok Nothing is left open .*\nStopped before the end\.\n$/),
    ]);
    expect(said).not.toContain('It cannot be cancelled twice');
    expect(await requests()).not.toHaveLength(0);
    expect(await statuses()).not.toContain('sent');
  });

  it('another request of the same owner: stays as it is', async () => {
    const { body } = await client.post('/api/v1/signatures', {
      title: 'Smoke test',
      signers: [{ email: SIGNER }],
      document: { content_base64: demoPdf('A contract').toString('base64') },
    });
    await runHere();
    const left = (await requests()).filter(({ status }) => status !== 'cancelled');
    expect(left).toMatchObject([{ id: body.id, status: 'sent' }]);
  });
});

/** A server of the test's own, and its address. */
async function serve(listener: RequestListener, tls?: object): Promise<{ server: Server; port: number }> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Answers its health and nothing else, and promises a browser nothing. */
const bare: RequestListener = (request, response) => {
  if (request.url === '/api/health')
    return response.setHeader('content-type', 'application/json').end('{"status":"ok"}');
  return response
    .writeHead(404, { 'content-type': 'text/html', 'x-powered-by': 'Bare' })
    .end('<p>Not here</p>');
};

/** The service behind something that lets no large body through. */
const withoutLargeBodies =
  (type: string, refusal: string): RequestListener =>
  async (request, response) => {
    const body = await buffer(request);
    if (body.length > 5.5 * 1024 * 1024)
      return response.writeHead(413, { 'content-type': type }).end(refusal);
    const { authorization = '', 'x-signing-token': token = '' } = request.headers;
    const answer = await fetch(`${service.baseUrl}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, 'x-signing-token': `${token}`, 'content-type': 'application/json' },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const headers = [...answer.headers].filter(
      ([name]) => !/^(content-(type|length|encoding)|connection|keep-alive|transfer-encoding)$/.test(name),
    );
    response.writeHead(answer.status, {
      ...Object.fromEntries(headers),
      'content-type': answer.headers.get('content-type') ?? '',
    });
    return response.end(Buffer.from(await answer.arrayBuffer()));
  };

describe('where no large body comes through', () => {
  withAnOwnerOfItsOwn();

  it.each([
    [
      'as the service says it',
      ['application/json', '{"error":"document_too_large","message":"Use POST /api/v1/uploads."}'],
      /^ok .* \(to the uploads: the option largeUploads is off\)$/,
    ],
    [
      'as something else says it',
      ['text/html', '<h1>413</h1>'],
      /^FAILED .*: expected 413 document_too_large as JSON, came 413 text\/html; look at the ingest/,
    ],
  ] as const)('judges the refusal: %s', async (_how, [type, refusal], verdict) => {
    const { server, port } = await serve(withoutLargeBodies(type, refusal));
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', client.apiKey]);
    server.close();
    expect(line(outcome, 'A document of 5 MB comes in with the call')).toMatch(verdict);
    expect(line(outcome, 'Nothing is left open')).toMatch(/^ok .*\(cancelled at the end: 1\)$/);
    expect(await statuses()).toEqual(['cancelled', 'cancelled']);
  });
});

describe('against another server', () => {
  it('names each header that is missing or too much, and each answer that is not as promised', async () => {
    const { server, port } = await serve(bare);
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', UNKNOWN_KEY]);
    server.close();
    expect(outcome.code).toBe(1);
    const headers = line(outcome, 'Answers of the API carry');
    expect(headers).toMatch(/^FAILED .*: expected strict-transport-security: max-age=63072000; includeSub/);
    expect(headers).toMatch(/came strict-transport-security: none, .*; look at the distribution/);
    for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control'])
      expect(headers).toContain(`${name}: none`);
    expect(line(outcome, 'The page carries')).toContain(
      'expected 200 text/html, came 404 text/html; look at',
    );
    expect(line(outcome, 'A call without a key')).toContain(
      'expected 401 unauthorized as JSON, came 404 text/html; look at',
    );
  });

  it('where nothing answers, says just that', async () => {
    const { server, port } = await serve(bare);
    await new Promise((resolve) => server.close(resolve));
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', UNKNOWN_KEY]);
    expect(outcome.code).toBe(1);
    expect(outcome.lines).toHaveLength(2);
    expect(outcome.lines[0]).toMatch(
      /^FAILED .*: expected an answer, came none \(ECONNREFUSED\); look at the/,
    );
  });
});

describe('the way to it', () => {
  let folder: string;
  let identity: { key: string; cert: string };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'smoke-'));
    const now = new Date();
    const ca = makeDemoCa(now);
    writeFileSync(join(folder, 'ca.pem'), pem(ca.certificate));
    const own = issueDemo({ commonName: 'localhost', now, years: 1, issuer: ca, extensions: [] });
    const key = own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    identity = { key, cert: pem(own.certificate) };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    [
      'takes TLS 1.1',
      { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
      /^FAILED .*: expected a refusal, came TLSv1\.1; look at/,
    ],
    ['takes TLS from 1.2 on', { minVersion: 'TLSv1.2' }, /^ok /],
  ])('is judged: one that %s', async (_how, tls, verdict) => {
    const { server, port } = await serve(bare, { ...identity, ...tls });
    const outcome = await run(['--base-url', `https://localhost:${port}`, '--api-key', UNKNOWN_KEY], {
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    });
    server.close();
    expect(line(outcome, 'TLS older than 1.2')).toMatch(verdict);
  });

  const smoked = new SmokedService({
    baseUrl: 'https://sign.example.com',
    apiKey: UNKNOWN_KEY,
    signer: SIGNER,
  });
  it.each([
    ['leads to https', { page: [301, 'https://sign.example.com/sign/anything'], api: 403 }, undefined],
    ['serves the page itself', { page: [200, ''], api: 403 }, 'expected 301 to https, came 200'],
    ['leads to http', { page: [301, 'http://elsewhere.example.com/'], api: 403 }, 'to http://elsewhere'],
    ['serves the API', { page: [301, 'https://sign.example.com/'], api: 200 }, 'expected 403 for the API'],
  ] as const)('is judged: plain http that %s', async (_how, { page, api }, refusal) => {
    const { server, port } = await serve((request, response) => {
      if (request.url === '/api/health') return response.writeHead(api).end();
      return response.writeHead(page[0], page[1] ? { location: page[1] } : {}).end();
    });
    const verdict = leadsToHttps(`http://127.0.0.1:${port}`).run(smoked);
    await (refusal ? expect(verdict).rejects.toThrow(refusal) : verdict);
    server.close();
  });
});

describe('a call that cannot be meant', () => {
  const url = ['--base-url', 'https://sign.example.com'];
  it.each([
    ['without an address', ['--api-key', UNKNOWN_KEY], 'Say which service: --base-url URL.'],
    ['without a key', url, 'There is no API key: set SMOKE_API_KEY, or give --api-key KEY.'],
    [
      'with a key of another kind',
      [...url, '--api-key', 'sk_1'],
      'The API key must be one of this service: esk_live_… or esk_test_….',
    ],
    [
      'with an address that is none',
      ['--base-url', 'sign'],
      '--base-url must be like https://sign.example.com, without a path.',
    ],
    [
      'with a path',
      ['--base-url', 'https://sign.example.com/api'],
      '--base-url must be like https://sign.example.com, without a path.',
    ],
    [
      'by http over the network',
      ['--base-url', 'http://sign.example.com'],
      '--base-url must be https: only on this machine may a key travel by http.',
    ],
    [
      'with an option that is not there',
      ['--verbose'],
      "Unknown option '--verbose' (--help lists what there is).",
    ],
    ['with a bare key', [UNKNOWN_KEY], 'Every value follows its option (--help lists what there is).'],
  ])('%s gets a sentence and exit code 2', async (_what, args, sentence) => {
    const env = args.includes('--api-key') || args === url ? {} : { SMOKE_API_KEY: UNKNOWN_KEY };
    expect(await run(args, env)).toEqual({ code: 2, lines: [], stderr: `${sentence}\n` });
  });

  it('--help explains the command', async () => {
    const { code, lines } = await run(['--help']);
    expect(code).toBe(0);
    for (const option of ['--base-url', '--api-key', 'SMOKE_API_KEY', '--signer'])
      expect(lines.join('\n')).toContain(option);
  });
});
