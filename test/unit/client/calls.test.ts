import { createServer } from 'node:http';
import { SignatureRequests, SignatureRequestsError } from '../../../client/src/node.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { listenHere, originOf } from '../../support/loopback.ts';
import { failure, fakeService, json, refusal, reset, result } from './fake-service.ts';

/** Every call with its method and path. */
const CALLS: [string, string, (client: SignatureRequests) => Promise<unknown>][] = [
  ['GET', '/api/v1/signatures/a%2Fb', ({ signatureRequests }) => signatureRequests.retrieve('a/b')],
  [
    'GET',
    '/api/v1/signatures?status=sent&limit=2',
    ({ signatureRequests }) => signatureRequests.list({ status: 'sent', limit: 2 }).page(),
  ],
  [
    'POST',
    '/api/v1/signatures/r/cancel',
    ({ signatureRequests }) => signatureRequests.cancel('r', { reason: 'Late' }),
  ],
  [
    'POST',
    '/api/v1/signatures/r/cancel',
    // As a form without a reason has it, and as the service takes it.
    ({ signatureRequests }) => signatureRequests.cancel('r', { reason: null }),
  ],
  [
    'POST',
    '/api/v1/signatures/r/signers/s/resend',
    ({ signatureRequests }) => signatureRequests.resend('r', 's'),
  ],
  [
    'PATCH',
    '/api/v1/signatures/r/signers/s',
    ({ signatureRequests }) => signatureRequests.correctSigner('r', 's', { email: 'ann@example.com' }),
  ],
  ['GET', '/api/v1/signatures/r/signers', ({ signatureRequests }) => signatureRequests.signers('r')],
  [
    'GET',
    '/api/v1/signatures/r/events?limit=5',
    ({ signatureRequests }) => signatureRequests.events('r', { limit: 5 }).page(),
  ],
  ['GET', '/api/v1/signatures/r/document', ({ signatureRequests }) => signatureRequests.download('r')],
  [
    'GET',
    '/api/v1/signatures/r/evidence.pdf',
    ({ signatureRequests }) => signatureRequests.downloadEvidence('r'),
  ],
  [
    'GET',
    '/api/v1/signatures/r/evidence.pdf?form=archival',
    ({ signatureRequests }) => signatureRequests.downloadEvidence('r', { form: 'archival' }),
  ],
  [
    'GET',
    '/api/v1/signatures/r/audit-trail.pdf',
    ({ signatureRequests }) => signatureRequests.downloadAuditTrail('r'),
  ],
  [
    'DELETE',
    '/api/v1/signatures/r/document',
    ({ signatureRequests }) => signatureRequests.deleteDocument('r'),
  ],
  [
    'POST',
    '/api/v1/webhook-endpoints',
    ({ webhookEndpoints }) => webhookEndpoints.create({ url: 'https://a.example' }),
  ],
  ['GET', '/api/v1/webhook-endpoints', ({ webhookEndpoints }) => webhookEndpoints.list()],
  ['GET', '/api/v1/webhook-endpoints/w', ({ webhookEndpoints }) => webhookEndpoints.retrieve('w')],
  [
    'PATCH',
    '/api/v1/webhook-endpoints/w',
    ({ webhookEndpoints }) => webhookEndpoints.update('w', { disabled: true }),
  ],
  ['DELETE', '/api/v1/webhook-endpoints/w', ({ webhookEndpoints }) => webhookEndpoints.delete('w')],
  ['POST', '/api/v1/webhook-endpoints/w/test', ({ webhookEndpoints }) => webhookEndpoints.test('w')],
  [
    'GET',
    '/api/v1/webhook-endpoints/w/deliveries',
    ({ webhookEndpoints }) => webhookEndpoints.deliveries('w').page(),
  ],
  [
    'POST',
    '/api/v1/webhook-endpoints/w/deliveries/e/redeliver',
    ({ webhookEndpoints }) => webhookEndpoints.redeliver('w', 'e'),
  ],
];

/** Tested in files.test.ts, since they belong together. */
const CREATING = [
  ['POST', '/api/v1/signatures'],
  ['POST', '/api/v1/uploads'],
] as const;

describe('the client', () => {
  it('has a call for every endpoint of API keys', () => {
    const called = [...CALLS, ...CREATING].map(([method, path]) => `${method} ${path.split('?')[0]}`);
    const missing = ENDPOINTS.filter(({ access, method, path }) => {
      const pattern = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return access === 'api_key' && !called.some((call) => pattern.test(call));
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it.each(CALLS)('calls %s %s with its key', async (method, path, call) => {
    const { client, calls } = fakeService(json({ data: [], has_more: false, next_cursor: null }));
    await result(call(client));
    expect(calls.map((seen) => [seen.method, seen.path])).toEqual([[method, path]]);
    expect(calls[0]?.headers.get('authorization')).toBe('Bearer esk_test_1');
  });

  it('lets no cache of `fetch`, as that of Next.js 14, answer a read or a change', async () => {
    const { client, calls } = fakeService(json({}));
    await result(client.signatureRequests.retrieve('r'));
    await result(client.signatureRequests.resend('r', 's'));
    expect(calls.map(({ cache }) => cache)).toEqual(['no-store', 'no-store']);
  });

  it('passes on, at once, the error by which Next.js learns that a page is not static', async () => {
    const dynamic = Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });
    const { client, calls } = fakeService(() => {
      throw dynamic;
    });
    expect(await failure(client.signatureRequests.retrieve('r'))).toBe(dynamic);
    expect(calls).toHaveLength(1);
  });

  it('does not name a cache on workers that refuse the option', async () => {
    const described = Object.getOwnPropertyDescriptor(Request.prototype, 'cache');
    if (!described) throw new Error('This runtime does not know the option.');
    Reflect.deleteProperty(Request.prototype, 'cache');
    try {
      const { client, calls } = fakeService(json({}));
      await result(client.signatureRequests.retrieve('r'));
      expect(calls.map(({ cache }) => cache)).toEqual([undefined]);
    } finally {
      Object.defineProperty(Request.prototype, 'cache', described);
    }
  });

  it('throws an error of the service with its code, fields and request id', async () => {
    const errors = [{ error: 'invalid_title', message: 'No title.', field: '/title' }];
    const { client } = fakeService(
      json(
        { error: 'invalid_title', message: 'No title.', field: '/title', errors, docs: 'https://docs' },
        400,
        {
          'x-request-id': 'req-1',
        },
      ),
    );
    const error = await failure(client.signatureRequests.retrieve('r'));
    expect(error).toBeInstanceOf(SignatureRequestsError);
    expect(error).toMatchObject({
      code: 'invalid_title',
      message: 'No title.',
      status: 400,
      field: '/title',
      errors,
      docs: 'https://docs',
      requestId: 'req-1',
    });
  });

  it.each([
    ['an error that is not JSON', new Response('<html>', { status: 404 }), 404],
    ['a page instead of an answer', new Response('<html>'), 200],
    ['a redirect, which would carry the key elsewhere', new Response('', { status: 302 }), 302],
  ])('calls %s unexpected', async (_, answer, status) => {
    const { client, calls } = fakeService(answer);
    expect(await failure(client.signatureRequests.retrieve('r'))).toMatchObject({
      code: 'unexpected_answer',
      status,
    });
    expect(calls).toHaveLength(1);
  });

  it('says where a redirect leads: an address without https, or of a page, is the wrong `baseUrl`', async () => {
    const location = 'https://sign.example.com/api/v1/signatures/r';
    const { client } = fakeService(new Response('', { status: 301, headers: { location } }));
    const error = await failure(client.signatureRequests.retrieve('r'));
    expect(String(error)).toContain(`leads to ${location}. Is \`baseUrl\``);
  });

  it('takes neither the key nor a document to where an answer leads', async () => {
    const visited: unknown[] = [];
    const server = createServer(({ url }, response) => {
      visited.push(url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    await listenHere(server);
    const baseUrl = originOf(server);
    const { signatureRequests } = new SignatureRequests({ apiKey: 'esk_test_1', baseUrl });
    const created = signatureRequests.create({
      title: 'Lease',
      signers: [{ email: 'ann@example.com' }],
      file: new Uint8Array([1]),
    });
    await expect(created).rejects.toMatchObject({ code: 'unexpected_answer', status: 307 });
    expect(visited).toEqual(['/api/v1/signatures']);
    server.close();
  });

  it.each(['', '.', '..', 'r\ud83d'])(
    'makes no call for the id "%s", which has no address of its own',
    async (id) => {
      const { client, calls } = fakeService(json({ data: [], has_more: false, next_cursor: null }));
      for (const call of [
        client.signatureRequests.retrieve(id),
        client.signatureRequests.cancel(id),
        client.signatureRequests.resend('r', id),
        client.webhookEndpoints.update(id, { disabled: true }),
      ])
        expect(await failure(call)).toMatchObject({ code: 'not_found', status: undefined });
      expect(calls).toEqual([]);
    },
  );

  it('goes through all pages of a list', async () => {
    const { client, calls } = fakeService(
      json({ data: [{ id: '1' }, { id: '2' }], has_more: true, next_cursor: 'c1' }),
      json({ data: [], has_more: true, next_cursor: 'c2' }),
      json({ data: [{ id: '3' }], has_more: false, next_cursor: null }),
    );
    const ids: string[] = [];
    for await (const { id } of client.signatureRequests.list({ status: 'sent' })) ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(calls.map(({ path }) => path.split('?')[1])).toEqual([
      'status=sent',
      'status=sent&cursor=c1',
      'status=sent&cursor=c2',
    ]);
  });

  it.each([
    [{ apiKey: '', baseUrl: 'https://sign.example.com' }, '`apiKey` is missing'],
    [{ apiKey: ' ', baseUrl: 'https://sign.example.com' }, '`apiKey` is missing'],
    [{ apiKey: 'esk_test_…', baseUrl: 'https://sign.example.com' }, '`apiKey` is not'],
    [{ apiKey: 'esk_test_1', baseUrl: 'sign.example.com' }, '`baseUrl` must be'],
    [{ apiKey: 'esk_test_1', baseUrl: 'localhost:3000' }, '`baseUrl` must be'],
    [{ apiKey: 'esk_test_1', baseUrl: 'https://sign.example.com/api/v1/' }, '`baseUrl` must be'],
    [{ apiKey: 'esk_test_1', baseUrl: 'https://sign.example.com?stage=live' }, '`baseUrl` must be'],
    [{ apiKey: 'esk_test_1', baseUrl: 'https://ann:secret@sign.example.com' }, '`baseUrl` must be'],
    [{ apiKey: 'esk_test_1', baseUrl: 'https://sign.example.com', timeoutMs: 0 }, '`timeoutMs` must be'],
    [{ apiKey: 'esk_test_1', baseUrl: 'https://sign.example.com', retries: Number.NaN }, '`retries` must be'],
  ])('refuses options that cannot work: %j', (options, message) => {
    expect(() => new SignatureRequests(options)).toThrow(message);
  });

  it.each([Number.NaN, 0, -1])(
    'refuses a time limit of %d ms for one call, before it is made',
    async (timeoutMs) => {
      const { client, calls } = fakeService(json({}));
      expect(await failure(client.signatureRequests.retrieve('r', { timeoutMs }))).toEqual(
        new TypeError('`timeoutMs` must be a number above 0.'),
      );
      expect(calls).toEqual([]);
    },
  );

  it('takes no white space from the environment into addresses and keys', async () => {
    const called: [string, string | null][] = [];
    const fetch = async (url: RequestInfo | URL, { headers }: RequestInit = {}) => {
      called.push([String(url), new Headers(headers).get('authorization')]);
      return json({});
    };
    const options = { apiKey: ' esk_test_1\n', baseUrl: ' https://sign.example.com \n', fetch };
    await new SignatureRequests(options).signatureRequests.retrieve('r');
    expect(called).toEqual([['https://sign.example.com/api/v1/signatures/r', 'Bearer esk_test_1']]);
  });

  it('creates through a proxy too, as libraries for reactivity and tracing put around objects', async () => {
    const { client, calls } = fakeService(json({ id: 'r' }));
    const proxied = new Proxy(client.signatureRequests, {});
    await result(proxied.create({ title: 'Lease', signers: [], file: new Uint8Array([1]) }));
    expect(calls.map(({ path }) => path)).toEqual(['/api/v1/signatures']);
  });

  it.each([
    ['the cause of Node’s fetch', new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })],
    ['the error of another fetch', Object.assign(new Error('It failed.'), { code: 'ECONNREFUSED' })],
  ])('a failed connection names the code in %s', async (_, thrown) => {
    const { client } = fakeService(() => {
      throw thrown;
    });
    expect(await failure(client.signatureRequests.cancel('r'))).toMatchObject({
      message: 'The connection to the service failed or broke (ECONNREFUSED).',
    });
  });

  it('an error has a cause only if there is one: printed, it names no undefined cause', async () => {
    const refused = await failure(
      fakeService(refusal(404, 'not_found')).client.signatureRequests.retrieve('r'),
    );
    expect(Object.hasOwn(refused as Error, 'cause')).toBe(false);
    const broken = await failure(fakeService(reset).client.signatureRequests.cancel('r'));
    expect(broken).toMatchObject({ code: 'connection_failed', cause: expect.any(TypeError) });
  });

  it('an error never holds the API key', async () => {
    const { client } = fakeService(refusal(401, 'unauthorized'));
    const error = await failure(client.signatureRequests.retrieve('r'));
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('esk_');
  });
});
