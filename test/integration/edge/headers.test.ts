/** @behaviour cloudfront.header-policies */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appHeaders, HEADERS, REVEALING } from '../../support/edge-headers.ts';
import { makePdf } from '../../support/pdf.ts';
import { type ApiClient, Service, type SigningClient } from '../../support/service.ts';

/** The public address: the response headers that a browser gets, and the request headers that a client cannot forge. */

let service: Service;
let client: ApiClient;
let signer: SigningClient;
let requestId: string;

const EMAIL = 'ann@example.com';
const VIEWER = /^(127\.0\.0\.1|::1)$/;

beforeAll(async () => {
  service = await Service.start();
  client = await service.client();
  const { status, body } = await client.post('/api/v1/signatures', await contract());
  if (status !== 200) throw new Error(`The request was refused: ${JSON.stringify(body)}`);
  requestId = body.id;
  signer = service.signer(body.signers[0].access_token);
}, 120_000);
afterAll(() => service?.stop());

async function contract() {
  return {
    title: 'Contract',
    signers: [{ email: EMAIL, name: 'Ann' }],
    document: { content_base64: (await makePdf()).toString('base64') },
  };
}

interface Kind {
  kind: string;
  ask: () => Promise<Response>;
  status: number;
  type: string;
  headers?: Record<string, string>;
}

const ask = (path: string, init?: RequestInit) => fetch(`${service.baseUrl}${path}`, init);
const asOwner = (path: string, init: RequestInit = {}) =>
  ask(path, { ...init, headers: { authorization: `Bearer ${client.apiKey}`, ...init.headers } });
const JSON_TYPE = 'application/json';

const API_KINDS: Kind[] = [
  {
    kind: 'a JSON response',
    ask: () => asOwner(`/api/v1/signatures/${requestId}`),
    status: 200,
    type: JSON_TYPE,
  },
  {
    kind: 'a call without a key',
    ask: () => ask('/api/v1/signatures'),
    status: 401,
    type: JSON_TYPE,
  },
  {
    kind: 'a body that is not JSON',
    ask: () => asOwner('/api/v1/signatures', { method: 'POST', body: 'title=x' }),
    status: 415,
    type: JSON_TYPE,
  },
  {
    kind: 'a streamed document',
    ask: () => asOwner(`/api/v1/signatures/${requestId}/audit-trail.pdf`),
    status: 200,
    type: 'application/pdf',
  },
  {
    kind: 'an unknown API path',
    ask: () => asOwner('/api/v1/nothing'),
    status: 404,
    type: JSON_TYPE,
  },
  {
    kind: 'a method that is not allowed',
    ask: () => asOwner('/api/v1/signatures', { method: 'DELETE' }),
    status: 405,
    type: JSON_TYPE,
  },
  {
    kind: 'a body refused by the edge',
    ask: () =>
      asOwner('/api/v1/signatures', {
        method: 'POST',
        headers: { 'content-type': JSON_TYPE },
        body: 'x'.repeat(16 * 1024 * 1024),
      }),
    status: 413,
    type: JSON_TYPE,
  },
  {
    kind: 'a signer’s call with an invalid token',
    ask: () => ask('/api/signing/v1/open', { method: 'POST', headers: { 'x-signing-token': 'nothing' } }),
    status: 404,
    type: JSON_TYPE,
  },
  {
    kind: 'an unknown path',
    ask: () => ask('/wp-login.php'),
    status: 404,
    type: 'text/plain',
    headers: HEADERS.nothing,
  },
];

const page = readFileSync(join('build', 'web', 'sign', 'index.html'), 'utf8');
const [asset = ''] = /\/sign\/assets\/[\w.-]+\.js/.exec(page) ?? [];

const PAGE_KINDS: Kind[] = [
  {
    kind: 'the signing page',
    ask: () => ask('/sign/some-token'),
    status: 200,
    type: 'text/html',
    headers: HEADERS.page,
  },
  {
    kind: 'the verify page',
    ask: () => ask('/verify'),
    status: 200,
    type: 'text/html',
    headers: HEADERS.verify,
  },
  {
    kind: 'a page of the documentation',
    ask: () => ask('/docs/errors'),
    status: 200,
    type: 'text/html',
    headers: HEADERS.docs,
  },
  {
    kind: 'the index of the documentation’s search',
    ask: () => ask('/docs/search.json'),
    status: 200,
    type: 'application/json',
    headers: HEADERS.docs,
  },
  {
    kind: 'a hashed file of the page',
    ask: () => ask(asset),
    status: 200,
    type: 'text/javascript',
    headers: HEADERS.asset,
  },
];

async function expectHeaders({ ask: send, status, type, headers: promised = HEADERS.api }: Kind) {
  const response = await send();
  await response.arrayBuffer();
  const { headers } = response;
  expect({
    status: response.status,
    type: headers.get('content-type')?.split(';')[0],
    ...Object.fromEntries(headers),
  }).toMatchObject({ status, type, ...promised });
  expect(promised['content-security-policy']).toContain("frame-ancestors 'none'");
  for (const name of REVEALING) expect([name, headers.get(name)]).toEqual([name, null]);
}

describe('response headers', () => {
  it.each(API_KINDS)('$kind has its promised headers and reveals nothing', expectHeaders);

  it.each(PAGE_KINDS)('$kind has its promised headers and reveals nothing', expectHeaders);

  it('the dashboard has its promised headers, which name the bucket for its uploads', () => {
    const { endpointUrl, outputs } = service.cloud;
    return expectHeaders({
      kind: 'the dashboard',
      ask: () => ask('/app/settings/keys?tab=1'),
      status: 200,
      type: 'text/html',
      headers: appHeaders(`${endpointUrl}/${outputs.StagingBucket}`),
    });
  });
});

describe('errors', () => {
  it.each<[layer: string, code: string, ask: () => Promise<Response>]>([
    ['a function', 'unauthorized', () => ask('/api/v1/signatures')],
    ['the gateway, of an unknown path', 'not_found', () => asOwner('/api/v1/nothing')],
    [
      'the gateway, of a method',
      'method_not_allowed',
      () => asOwner('/api/v1/signatures', { method: 'PUT' }),
    ],
    ...['text/plain', 'multipart/form-data; boundary=x'].map(
      (type): [string, string, () => Promise<Response>] => [
        `the gateway, of a path with a body of ${type}`,
        'not_found',
        () => ask('/api/v1/nothing', { method: 'POST', headers: { 'content-type': type }, body: '{}' }),
      ],
    ),
    ['the edge', 'unauthorized', () => ask('/api/v1/signatures', { method: 'POST' })],
    ['the ingest', 'unauthorized', () => largeCreate(`Bearer esk_live_${'A'.repeat(43)}`)],
  ])('an error of %s names its call and leads to its entry in the documentation', async (_, error, send) => {
    const response = await send();
    expect(await response.json()).toEqual({
      error,
      message: expect.any(String),
      request_id: response.headers.get('x-request-id'),
      docs: `${service.baseUrl}/docs/errors#${error}`,
    });
  });

  /** So large that the edge sends it to the ingest. */
  const largeCreate = (authorization: string) =>
    ask('/api/v1/signatures', {
      method: 'POST',
      headers: { authorization, 'content-type': JSON_TYPE },
      body: ' '.repeat(6 * 1024 * 1024),
    });
});

describe('the API’s own address, bypassing the distribution', () => {
  const direct = (path: string, headers: Record<string, string> = {}) => {
    const [url = ''] = Object.values(service.cloud.apiUrls);
    return fetch(`${url}/live${path}`, { headers: { authorization: `Bearer ${client.apiKey}`, ...headers } });
  };

  /** @behaviour waf.block */
  it.each([
    ['without the origin secret', {}],
    ['with a guessed origin secret', { 'x-origin-secret': 'a'.repeat(48) }],
    ['with an empty origin secret', { 'x-origin-secret': '' }],
    ['with a viewer address', { 'x-viewer-address': '203.0.113.9' }],
  ])('a direct call %s is refused by the firewall even with a valid key', async (_how, headers) => {
    for (const path of ['/api/v1/signatures', `/api/v1/signatures/${requestId}`]) {
      const response = await direct(path, headers);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 403, JSON_TYPE]);
      // The gateway's own error: no function was called.
      const message = 'The request was refused by a firewall rule.';
      const request_id = expect.any(String);
      const docs = `${service.baseUrl}/docs/errors#forbidden`;
      expect(await response.json()).toEqual({ error: 'forbidden', message, request_id, docs });
    }
  });

  it('a direct call with the origin secret is accepted', async () => {
    const secret = await service.cloud.services.secretValue(service.cloud.outputs.OriginSecretArn ?? '');
    const response = await direct('/api/v1/signatures', { 'x-origin-secret': secret });
    expect(response.status).toBe(200);
  });
});

describe('forged request headers', () => {
  const FORGED = {
    'x-viewer-address': '203.0.113.9',
    'x-forwarded-for': '203.0.113.9',
    'cloudfront-viewer-address': '203.0.113.9:443',
    'x-real-ip': '203.0.113.9',
    forwarded: 'for=203.0.113.9',
    'x-origin-secret': 'forged',
  };

  it('forged headers do not change the address in the audit trail', async () => {
    expect((await signer.call('POST', '/open', undefined, FORGED)).status).toBe(200);
    const code = service.code(EMAIL);
    expect((await signer.call('POST', '/verify', { code }, FORGED)).status).toBe(200);
    expect((await signer.call('POST', '/decline', { reason: 'No' }, FORGED)).status).toBe(200);
    const { body } = await client.get(`/api/v1/signatures/${requestId}`);
    const addresses = body.audit_trail.events
      .map(({ ip_address: address }: { ip_address: string | null }) => address)
      .filter(Boolean);
    expect(addresses.length).toBeGreaterThanOrEqual(3);
    for (const address of addresses) expect(address).toMatch(VIEWER);
    expect(JSON.stringify(body)).not.toContain('203.0.113.9');
  });

  it('forged headers do not choose the origin: a small body goes to the gateway', async () => {
    const [container] = service.cloud.containers.values();
    const throughIngest = async (work: () => Promise<unknown>) => {
      service.cloud.services.clearCalls();
      await work();
      return (
        service.cloud.services.calls().filter((call) => call.function === container?.plan.name).length > 0
      );
    };
    const body = await contract();
    const claims = {
      ...FORGED,
      'x-large': 'true',
      'x-ingest': 'true',
      'x-content-length': String(8 * 1024 * 1024),
      'x-amz-cf-origin': 'ingest',
    };
    expect(
      await throughIngest(async () => {
        expect((await client.post('/api/v1/signatures', body, claims)).status).toBe(200);
      }),
    ).toBe(false);
  });

  it('the path of the ingest origin does not reach the ingest', async () => {
    const { status } = await ask('/ingest', { method: 'GET' });
    expect(status).toBe(404);
    expect((await ask('/ingest', { method: 'POST', body: '{}' })).status).toBe(403);
  });
});
