import { runInNewContext } from 'node:vm';
import { viewerRequestCode } from '../../../infra/edge.ts';
import { newApiKey } from '../../../shared/accounts/api-key.ts';
import { NO_API_KEY } from '../../../shared/accounts/authenticate.ts';
import { networkHash } from '../../../shared/runtime/network.ts';

interface EdgeRequest {
  uri: string;
  method: string;
  querystring: Record<string, { value: string }>;
  headers: Record<string, { value: string }>;
  cookies: Record<string, { value: string }>;
}
type Answer = EdgeRequest & { statusCode?: number; body?: string };
interface EdgeEvent {
  viewer: { ip: string };
  context: { requestId: string; distributionDomainName: string };
  request: EdgeRequest;
}
type Handler = (event: EdgeEvent) => Answer;

const DOCS = ['/docs', '/docs/errors', '/docs/reference/signature-requests'];

/** Runs the edge function as CloudFront does, and returns the origin that it selects. */
function edge(hasIngest: boolean) {
  const origins: string[] = [];
  const code = viewerRequestCode(hasIngest, DOCS).replace("import cf from 'cloudfront';", '');
  const cf = { selectRequestOriginById: (id: string) => origins.push(id) };
  const handler = runInNewContext(`${code}\nhandler`, { cf }) as Handler;
  return (uri: string, request: Partial<EdgeRequest> = {}, ip = '203.0.113.9') => {
    origins.length = 0;
    const answer = handler({
      viewer: { ip },
      context: { requestId: 'edge-1', distributionDomainName: 'd111.cloudfront.net' },
      request: { uri, method: 'GET', querystring: {}, headers: {}, cookies: {}, ...request },
    });
    return { ...answer, origin: origins[0] };
  };
}

const call = edge(true);
const callWithoutIngest = edge(false);
const TOKEN = 'Zx8-abc_DEF123456789012345678901234567890ab';

describe('the edge function', () => {
  it('every signing link is rewritten to the page, without the token', () => {
    const request = call(`/sign/${TOKEN}`, { querystring: { token: { value: TOKEN } } });
    expect(request.uri).toBe('/sign/index.html');
    expect(JSON.stringify(request)).not.toContain(TOKEN);
  });

  it('a signing link may have a trailing slash', () => {
    expect(call(`/sign/${TOKEN}/`).uri).toBe('/sign/index.html');
  });

  it.each([
    ['/docs', '/docs/index.html'],
    ['/docs/', '/docs/index.html'],
    ['/docs/errors', '/docs/errors/index.html'],
    ['/docs/errors/', '/docs/errors/index.html'],
    ['/docs/reference/signature-requests', '/docs/reference/signature-requests/index.html'],
  ])('the path %s is rewritten to the page %s of the documentation', (uri, file) => {
    expect(call(uri, { querystring: { q: { value: '1' } } })).toMatchObject({ uri: file, querystring: {} });
  });

  it.each(['/verify', '/verify/'])('the path %s is rewritten to the verify page', (uri) => {
    const request = call(uri, { querystring: { q: { value: '1' } } });
    expect(request).toMatchObject({ uri: '/verify/index.html', querystring: {} });
  });

  it.each([
    '/app',
    '/app/',
    '/app/new',
    '/app/requests/8d5b2a52-6e0f-4f0d-9a50-0f8d3a1f7f10',
    '/app/settings',
    '/app/settings/webhooks',
    '/app/requests/8',
    '/app/elsewhere',
    '/app/elsewhere/and/farther',
  ])('the path %s is rewritten to the dashboard', (uri) => {
    expect(call(uri, { querystring: { status: { value: 'sent' } } })).toMatchObject({
      uri: '/app/index.html',
      querystring: {},
    });
  });

  it.each([
    '/sign/assets/page-1a2b.js',
    '/sign/assets/pdfjs-5/cmaps/H.bcmap',
    '/verify/assets/worker-1a2b.js',
    '/docs/assets/search-1A2B.js',
    '/app/assets/index-1A2B.js',
    '/docs/search.json',
  ])('the path of the file %s stays unchanged', (uri) => {
    expect(call(uri)).toMatchObject({ uri });
  });

  it.each([
    '/index.html',
    '/sign',
    '/sign/',
    '/verify/more',
    '/verify.html',
    '/application',
    '/docs.html',
    '/docs/nothing',
    '/docs/errors/more',
    '/docs/../sign',
    '/docs/search.json.bak',
    `/sign/${TOKEN}/more`,
    '/admin',
    '/ingest',
    '/assets/page-1a2b.js',
  ])('the path %s is answered with 404', (uri) => {
    expect(call(uri)).toMatchObject({ statusCode: 404, headers: { 'cache-control': { value: 'no-store' } } });
  });

  it('the root path redirects to the dashboard', () => {
    expect(call('/')).toMatchObject({ statusCode: 302, headers: { location: { value: '/app' } } });
  });

  it('the viewer address header is overwritten with the address that CloudFront saw', () => {
    const forged = call('/api/signing/v1/sign', {
      headers: {
        'x-viewer-address': { value: '198.51.100.1' },
        'x-forwarded-for': { value: '198.51.100.2' },
      },
    });
    expect(forged.uri).toBe('/api/signing/v1/sign');
    expect(forged.headers['x-viewer-address']).toEqual({ value: '203.0.113.9' });
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::6', '2001:db8:1:2::'],
    ['2001:db8::6', '2001:db8:0:0::'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::'],
    ['::1', '0:0:0:0::'],
  ])('the network of the viewer %s is %s, whatever the client says', (ip, network) => {
    const headers = { 'x-viewer-network': { value: '198.51.100.1' } };
    const { headers: sent } = call('/api/signing/v1/sign', { headers }, ip);
    expect(sent['x-viewer-network']).toEqual({ value: network });
    expect(networkHash(network)).toBe(networkHash(ip));
  });
});

/** Headers by name, as CloudFront gives them. */
const fields = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]));
const WITH_KEY = { authorization: `Bearer ${newApiKey('live')}` };
const SESSION = {
  cookies: fields({ '__Host-app': 'session' }),
  headers: fields({ 'x-owner': 'user', 'x-requested-with': 'app' }),
};

describe('the caller of a create call', () => {
  const create = (request: Partial<EdgeRequest>, answerOf = call) =>
    answerOf('/api/v1/signatures', { method: 'POST', ...request });

  it.each(['live', 'test'] as const)('a create with an API key of mode %s passes', (mode) => {
    const headers = fields({ authorization: `bearer  ${newApiKey(mode)} ` });
    expect(create({ headers }).statusCode).toBeUndefined();
  });

  it('a create with a session and its two headers passes', () => {
    expect(create(SESSION).statusCode).toBeUndefined();
  });

  it.each<[string, Partial<EdgeRequest>]>([
    ['nothing', {}],
    ['a Bearer that is no API key', { headers: fields({ authorization: 'Bearer esk_live_short' }) }],
    ['Basic', { headers: fields({ authorization: `Basic ${newApiKey('live')}` }) }],
    ['an empty session', { ...SESSION, cookies: fields({ '__Host-app': '' }) }],
    ['a signer’s cookie', { ...SESSION, cookies: fields({ '__Host-session': 'x' }) }],
    ['a session without X-Owner', { ...SESSION, headers: fields({ 'x-requested-with': 'app' }) }],
    ['a session without X-Requested-With', { ...SESSION, headers: fields({ 'x-owner': 'user' }) }],
  ])('a create with %s is refused at the edge with 401', (_what, request) => {
    for (const answerOf of [call, callWithoutIngest]) {
      const answer = create(request, answerOf);
      expect(answer).toMatchObject({ statusCode: 401, origin: undefined });
      expect(JSON.parse(answer.body ?? '')).toEqual({
        error: 'unauthorized',
        message: NO_API_KEY,
        request_id: 'edge-1',
        docs: 'https://d111.cloudfront.net/docs/errors#unauthorized',
      });
      expect(answer.headers['x-request-id']).toEqual({ value: 'edge-1' });
    }
  });

  it('a large body with a session never goes to the ingest, and is refused with a hint at the uploads', () => {
    for (const length of ['6000000', '16000000']) {
      const answer = create({
        ...SESSION,
        headers: { ...SESSION.headers, 'content-length': { value: length } },
      });
      expect(answer).toMatchObject({ statusCode: 413, origin: undefined });
      expect(JSON.parse(answer.body ?? '').message).toContain('/api/v1/uploads');
    }
    expect(create(SESSION).origin).toBeUndefined();
  });

  it.each(['/api/v1/signatures/', '/api/v1//signatures', '/api//v1/signatures//'])(
    'a create by the path %s, which the gateway takes for the same, needs a key and goes to the ingest too',
    (path) => {
      expect(call(path, { method: 'POST' })).toMatchObject({ statusCode: 401, origin: undefined });
      const headers = fields({ ...WITH_KEY, 'content-length': '14000000' });
      expect(call(path, { method: 'POST', headers })).toMatchObject({
        uri: '/api/v1/signatures',
        origin: 'ingest',
      });
    },
  );

  it('calls other than a create pass without a key, for the functions to answer', () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect(call('/api/v1/signatures', { method }).statusCode).toBeUndefined();
    expect(call('/api/signing/v1/sign', { method: 'POST' }).statusCode).toBeUndefined();
  });
});

describe('the origin of a create call with an API key', () => {
  const post = (length: number | string | undefined, uri = '/api/v1/signatures', method = 'POST') => ({
    uri,
    request: {
      method,
      headers: fields({ ...WITH_KEY, ...(length !== undefined && { 'content-length': String(length) }) }),
    },
  });
  const MiB = 1024 * 1024;

  it.each([
    ['a small body', 20_000, undefined],
    ['the largest body that the gateway accepts', 5.5 * MiB, undefined],
    ['one byte more', 5.5 * MiB + 1, 'ingest'],
    ['a document of 10 MB', 14_000_000, 'ingest'],
    ['a body without a length', undefined, 'ingest'],
    ['a body with a malformed length', 'many', 'ingest'],
  ])('the origin for %s (%s) is %s', (_, length, origin) => {
    const { uri, request } = post(length);
    const answer = call(uri, request);
    expect(answer.origin).toBe(origin);
    expect(answer.headers['x-viewer-address']).toEqual({ value: '203.0.113.9' });
  });

  it('the gateway is the origin of every other call', () => {
    for (const { uri, request } of [
      post(undefined, '/api/v1/signatures', 'GET'),
      post(undefined, '/api/v1/webhook-endpoints'),
      post(5.5 * MiB, '/api/v1/uploads'),
    ])
      expect(call(uri, request)).toMatchObject({ origin: undefined, uri });
  });

  it.each([
    ['/api/v1/uploads', 'POST'],
    ['/api/v1/signatures', 'PUT'],
    ['/api/signing/v1/sign', 'POST'],
  ])('a body that no function can take is refused at the edge: %s %s', (path, method) => {
    const { uri, request } = post(5.5 * MiB + 1, path, method);
    for (const answerOf of [call, callWithoutIngest]) {
      const answer = answerOf(uri, request);
      expect(answer).toMatchObject({ statusCode: 413, origin: undefined });
      expect(JSON.parse(answer.body ?? '')).toMatchObject({ error: 'document_too_large' });
    }
  });

  it('a body larger than any valid request is refused before it is sent', () => {
    const { uri, request } = post(15 * MiB + 1);
    const answer = call(uri, request);
    expect(answer).toMatchObject({ statusCode: 413, origin: undefined });
    expect(JSON.parse(answer.body ?? '')).toMatchObject({ error: 'document_too_large' });
  });

  it('a large body is refused without an ingest, with a hint at the upload endpoint', () => {
    const { uri, request } = post(5.5 * MiB + 1);
    const answer = callWithoutIngest(uri, request);
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(answer.body ?? '').message).toContain('/api/v1/uploads');
    expect(callWithoutIngest(uri, post(5.5 * MiB).request)).toMatchObject({ uri, origin: undefined });
    expect(callWithoutIngest(uri, post(undefined).request)).toMatchObject({ uri, origin: undefined });
  });
});
