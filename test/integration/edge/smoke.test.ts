/** @behaviour api-gateway.gateway-responses cloudfront.behaviours */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { jest } from '@jest/globals';
import { demoPdf } from '../../../admin/demo-pdf.ts';
import type { Fault } from '../../../local/ports.ts';
import { listSignatures } from '../../../shared/contract/signatures.ts';
import { leadsToHttps } from '../../smoke/checks.ts';
import { Service as SmokedService } from '../../smoke/service.ts';
import { issueDemo, makeDemoCa, pem } from '../../support/demo-keys.ts';
import { listenHere } from '../../support/loopback.ts';
import { type ApiClient, Service } from '../../support/service.ts';

/** The smoke test passes a working service, explains what is wrong with another, and leaves no request open. */

const SIGNER = 'smoke@example.com';
const UNKNOWN_KEY = `esk_live_${'a'.repeat(43)}`;

let service: Service;
let client: ApiClient;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service?.stop());

interface Outcome {
  code: number;
  lines: string[];
  stderr: string;
}

/** Runs the smoke test as `npm run smoke` does. */
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

const withNewOwner = () => {
  beforeEach(async () => {
    client = await service.client();
  });
  afterEach(() => service.cloud.services.clearFaults());
};

describe('a working service', () => {
  let other: string;
  let outcome: Outcome;
  beforeAll(async () => {
    client = await service.client();
    const { body } = await client.post('/api/v1/signatures', {
      title: 'Smoke test',
      signers: [{ email: SIGNER }],
      document: { content_base64: demoPdf('A contract').toString('base64') },
    });
    other = body.id;
    outcome = await runHere();
  });

  it('a working service passes every check, and all created requests are cancelled', async () => {
    expect(outcome).toEqual({ code: 0, stderr: '', lines: outcome.lines.filter((one) => /^ok /.test(one)) });
    expect(outcome.lines.length).toBeGreaterThan(20);
    expect(line(outcome, 'No request is left open')).toContain('(cancelled at the end: 2)');
    const created = (await requests()).filter(({ id }) => id !== other);
    expect(created.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(service.mails(SIGNER)).not.toHaveLength(0);
  });

  it('the output contains neither the key nor the token of a link', async () => {
    const printed = [...outcome.lines, outcome.stderr].join('\n');
    expect(printed).not.toContain(client.apiKey);
    for (const { id } of await requests()) {
      const { body } = await client.get(`/api/v1/signatures/${id}`);
      expect(printed).not.toContain(body.signers[0].access_token);
    }
  });

  it('other requests of the same owner stay unchanged', async () => {
    const left = (await requests()).filter(({ status }) => status !== 'cancelled');
    expect(left).toMatchObject([{ id: other, status: 'sent' }]);
  });
});

describe('a service with a fault', () => {
  withNewOwner();

  it('an unknown key is reported, and checks that need a key are skipped', async () => {
    const outcome = await runHere(UNKNOWN_KEY);
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'The key is accepted')).toMatch(
      /^FAILED .*: expected 200, got 401 unauthorized \(".+"\); check the key: complete, of this stack, not revoked/,
    );
    expect(line(outcome, 'A request is created')).toBe(
      'skipped A request is created: needs "The key is accepted"',
    );
    expect(outcome.lines.join()).not.toContain(UNKNOWN_KEY);
  });

  it('a missing subscription is reported', async () => {
    client = await service.client({ subscription: 'none' });
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'A request is created')).toMatch(
      /^FAILED .*: expected 200, got 402 subscription_required .*; check the owner’s subscription/,
    );
  });

  it('a mail that SES refuses is reported with the error', async () => {
    service.refuseMail('create-signature');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'Its invitation')).toMatch(
      /^FAILED .*: expected a mail, got none \(.+\); check the option mailFrom/,
    );
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('a failed cancel is reported and repeated at the end', async () => {
    faultOf('cancel-signature', 'error');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'The request is cancelled')).toMatch(
      /^FAILED .*: expected 200, got 500 internal_error .*; check the log of the function cancel-signature$/,
    );
    expect(line(outcome, 'No request is left open')).toMatch(/^ok .*\(cancelled at the end: 3\)$/);
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('a cancel whose response is lost leaves no request open', async () => {
    faultOf('cancel-signature', 'kill-after');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'No request is left open')).toMatch(/^ok /);
    expect(await statuses()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });

  it('a request whose create response is lost is found by its title and cancelled', async () => {
    faultOf('create-signature', 'kill-after');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    expect(line(outcome, 'A request is created')).toMatch(/^FAILED /);
    expect(line(outcome, 'No request is left open')).toMatch(/^ok .*\(cancelled at the end: 1\)$/);
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('a clean-up that gets no list says what it could not look for, and finds it later', async () => {
    const smoked = new SmokedService({ baseUrl: service.baseUrl, apiKey: client.apiKey, signer: SIGNER });
    faultOf('create-signature', 'kill-after');
    await expect(smoked.create(demoPdf('A contract'))).rejects.toThrow();
    faultOf('list-signatures', 'error', 'Query');
    await expect(smoked.cleanUp()).rejects.toThrow(
      /^expected the cancellation of every request, got no list to find others titled "Smoke test [\w-]+" \(.*500 internal_error/,
    );
    expect(await statuses()).toEqual(['pending']);
    expect(await smoked.cleanUp()).toBe(1);
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('requests that cannot be cancelled are listed', async () => {
    for (let times = 0; times < 4; times++) faultOf('cancel-signature', 'error');
    const outcome = await runHere();
    expect(outcome.code).toBe(1);
    const left = (await requests()).filter(({ status }) => status !== 'cancelled');
    expect(left).toHaveLength(3);
    for (const { id } of left) expect(line(outcome, 'No request is left open')).toContain(id);
    expect(line(outcome, 'No request is left open')).toMatch(/^FAILED .*POST .*\/signatures\/ID\/cancel$/);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'a smoke test that gets %s cancels what it has created',
    async (signal) => {
      const smoke = spawn(process.execPath, ['test/smoke/main.ts', '--base-url', service.baseUrl], {
        env: { ...process.env, SMOKE_API_KEY: client.apiKey },
      });
      let stdout = '';
      smoke.stdout.on('data', (chunk: Buffer) => {
        stdout += chunk;
        if (!smoke.killed && stdout.includes('ok A request is created')) smoke.kill(signal);
      });
      const [code] = await once(smoke, 'close');
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/\nok No request is left open .*\nStopped early\.\n$/),
      ]);
      expect(stdout).not.toContain('It cannot be cancelled twice');
      expect(await requests()).not.toHaveLength(0);
      expect(await statuses()).not.toContain('sent');
    },
  );
});

/** Starts a server and returns it with its port. */
async function serve(listener: RequestListener, tls?: object): Promise<{ server: Server; port: number }> {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  return { server, port: await listenHere(server) };
}

/** Serves only the health check, without security headers. */
const bare: RequestListener = (request, response) => {
  if (request.url === '/api/health')
    return response.setHeader('content-type', 'application/json').end('{"status":"ok"}');
  return response
    .writeHead(404, { 'content-type': 'text/html', 'x-powered-by': 'Bare' })
    .end('<p>Not here</p>');
};

/** A proxy to the service that answers some calls itself. */
const proxyThat =
  (
    answers: (url: string, body: Buffer) => [status: number, type: string, body: string] | undefined,
  ): RequestListener =>
  async (request, response) => {
    const body = await buffer(request);
    const own = answers(request.url ?? '', body);
    if (own) return response.writeHead(own[0], { 'content-type': own[1] }).end(own[2]);
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

const withoutLargeBodies = (type: string, refusal: string) =>
  proxyThat((_url, { length }) => (length > 5.5 * 1024 * 1024 ? [413, type, refusal] : undefined));

describe('a service that refuses large inline bodies', () => {
  withNewOwner();

  it.each([
    [
      'with the error of the service is accepted',
      ['application/json', '{"error":"document_too_large","message":"Use POST /api/v1/uploads."}'],
      /^ok .* \(redirected to uploads: the option largeUploads is off\)$/,
    ],
    [
      'with another error is reported',
      ['text/html', '<h1>413</h1>'],
      /^FAILED .*: expected 413 document_too_large as JSON, got 413 text\/html; check the ingest/,
    ],
  ] as const)('a refusal of a large body %s', async (_how, [type, refusal], verdict) => {
    const { server, port } = await serve(withoutLargeBodies(type, refusal));
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', client.apiKey]);
    server.close();
    expect(line(outcome, 'A document of 5 MB is accepted inline')).toMatch(verdict);
    expect(line(outcome, 'No request is left open')).toMatch(/^ok .*\(cancelled at the end: 1\)$/);
    expect(await statuses()).toEqual(['cancelled', 'cancelled']);
  });
});

describe('a service whose list shows only requests of others', () => {
  withNewOwner();

  it('a request whose create response is lost is found and cancelled', async () => {
    // As while the index of the list is behind, or with a hundred newer requests.
    const list = JSON.stringify({ data: [], has_more: false, next_cursor: null });
    const { server, port } = await serve(
      proxyThat((url) =>
        url.endsWith('/signatures?limit=100') ? [200, 'application/json', list] : undefined,
      ),
    );
    const baseUrl = `http://localhost:${port}`;
    const smoked = new SmokedService({ baseUrl, apiKey: client.apiKey, signer: SIGNER });
    faultOf('create-signature', 'kill-after');
    await expect(smoked.create(demoPdf('A contract'))).rejects.toThrow();
    expect(await smoked.cleanUp()).toBe(1);
    server.close();
    expect(await statuses()).toEqual(['cancelled']);
  });
});

describe('a service whose cancel is answered by something else', () => {
  withNewOwner();

  it('a request that stays open is listed', async () => {
    const { server, port } = await serve(
      proxyThat((url) => (url.endsWith('/cancel') ? [200, 'application/json', '{}'] : undefined)),
    );
    const baseUrl = `http://localhost:${port}`;
    const smoked = new SmokedService({ baseUrl, apiKey: client.apiKey, signer: SIGNER });
    const { id } = await smoked.create(demoPdf('A contract'));
    await expect(smoked.cleanUp()).rejects.toThrow(
      `expected the cancellation of every request, got none of ${id}`,
    );
    server.close();
    expect(await statuses()).toEqual(['sent']);
  });
});

/** A proxy to nothing: every call is answered alike. */
const always =
  (type: string, body: string): RequestListener =>
  (_request, response) =>
    response.setHeader('content-type', type).end(body);

describe('something else in place of the service', () => {
  it.each([
    ['a page of HTML', ['text/html', '<h1>Sign in</h1>'], '200 text/html that is not JSON'],
    ['a body that was cut off', ['application/json', '{"status":'], '200 application/json that is not JSON'],
  ] as const)('%s is named', async (_what, [type, body], told) => {
    const { server, port } = await serve(always(type, body));
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', UNKNOWN_KEY]);
    server.close();
    expect(outcome.code).toBe(1);
    expect(outcome.lines[0]).toContain(`: expected 200 as JSON, got ${told}; check the base URL`);
  });

  it('a page of HTML in place of the list is named', async () => {
    const { server, port } = await serve(always('text/html', '<h1>Sign in</h1>'));
    const smoked = new SmokedService({
      baseUrl: `http://localhost:${port}`,
      apiKey: UNKNOWN_KEY,
      signer: SIGNER,
    });
    const list = smoked.call(listSignatures, (requests) => requests.list().page());
    await expect(list).rejects.toThrow(/^expected 200 as JSON, got 200 unexpected_answer/);
    server.close();
  });
});

describe('a service that trickles', () => {
  afterEach(() => jest.restoreAllMocks());

  it('a file that does not end is given up', async () => {
    const { server, port } = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' }).write('%');
      const drops = setInterval(() => response.write('.'), 10);
      response.on('close', () => clearInterval(drops));
    });
    const baseUrl = `http://localhost:${port}`;
    const smoked = new SmokedService({ baseUrl, apiKey: UNKNOWN_KEY, signer: SIGNER });
    const soon = AbortSignal.timeout(200);
    jest.spyOn(AbortSignal, 'timeout').mockReturnValue(soon);
    const file = smoked.download((requests, options) => requests.downloadAuditTrail(SIGNER, options));
    await expect(file).rejects.toThrow('expected a file, got none (no response within 60 seconds)');
    server.closeAllConnections();
    server.close();
  });
});

describe('another server', () => {
  it('missing headers, revealing headers and unexpected responses are reported', async () => {
    const { server, port } = await serve(bare);
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', UNKNOWN_KEY]);
    server.close();
    expect(outcome.code).toBe(1);
    const headers = line(outcome, 'API responses have');
    expect(headers).toMatch(/^FAILED .*: expected strict-transport-security: max-age=63072000; includeSub/);
    expect(headers).toMatch(/got strict-transport-security: none, .*; check the distribution/);
    for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control'])
      expect(headers).toContain(`${name}: none`);
    expect(line(outcome, 'The page has')).toContain('expected 200 text/html, got 404 text/html; check');
    expect(line(outcome, 'A call without a key')).toContain(
      'expected 401 unauthorized as JSON, got 404 text/html; check',
    );
  });

  it('a service that does not respond is reported with a single failure', async () => {
    const { server, port } = await serve(bare);
    await new Promise((resolve) => server.close(resolve));
    const outcome = await run(['--base-url', `http://localhost:${port}`, '--api-key', UNKNOWN_KEY]);
    expect(outcome.code).toBe(1);
    expect(outcome.lines).toHaveLength(2);
    expect(outcome.lines[0]).toMatch(/^FAILED .*: expected a response, got none \(ECONNREFUSED\); check the/);
  });
});

describe('transport security', () => {
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
      'accepts TLS 1.1 fails',
      { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
      /^FAILED .*: expected a refusal, got TLSv1\.1; check/,
    ],
    ['accepts only TLS 1.2 and newer passes', { minVersion: 'TLSv1.2' }, /^ok /],
  ])('a service that %s', async (_how, tls, verdict) => {
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
    [
      'is redirected to https passes',
      { page: [301, 'https://sign.example.com/sign/anything'], api: 403 },
      undefined,
    ],
    ['serves the page fails', { page: [200, ''], api: 403 }, 'expected 301 to https, got 200'],
    [
      'is redirected to http fails',
      { page: [301, 'http://elsewhere.example.com/'], api: 403 },
      'to http://elsewhere',
    ],
    [
      'serves the API fails',
      { page: [301, 'https://sign.example.com/'], api: 200 },
      'expected 403 for the API',
    ],
  ] as const)('plain http that %s', async (_how, { page, api }, refusal) => {
    const { server, port } = await serve((request, response) => {
      if (request.url === '/api/health') return response.writeHead(api).end();
      return response.writeHead(page[0], page[1] ? { location: page[1] } : {}).end();
    });
    const verdict = leadsToHttps(`http://127.0.0.1:${port}`).run(smoked);
    await (refusal ? expect(verdict).rejects.toThrow(refusal) : verdict);
    server.close();
  });
});

describe('wrong usage', () => {
  const url = ['--base-url', 'https://sign.example.com'];
  it.each([
    ['a call without a URL', ['--api-key', UNKNOWN_KEY], 'Name the service: --base-url URL.'],
    ['a call without a key', url, 'There is no API key: set SMOKE_API_KEY, or give --api-key KEY.'],
    [
      'a call with a malformed key',
      [...url, '--api-key', 'sk_1'],
      'The API key must look like esk_live_… or esk_test_….',
    ],
    [
      'a call with a malformed URL',
      ['--base-url', 'sign'],
      '--base-url must look like https://sign.example.com, without a path.',
    ],
    [
      'a call with a path in the URL',
      ['--base-url', 'https://sign.example.com/api'],
      '--base-url must look like https://sign.example.com, without a path.',
    ],
    [
      'a call to a remote http URL',
      ['--base-url', 'http://sign.example.com'],
      '--base-url must be https, except on this machine: http would expose the key.',
    ],
    [
      'a call with an unknown option',
      ['--verbose'],
      "Unknown option '--verbose' (--help lists the options).",
    ],
    [
      'a call with a key but no option',
      [UNKNOWN_KEY],
      'Every value must follow its option (--help lists the options).',
    ],
  ])('%s prints one sentence and exits with code 2', async (_what, args, sentence) => {
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
