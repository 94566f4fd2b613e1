import { runInNewContext } from 'node:vm';
import { viewerRequestCode } from '../../../infra/edge.ts';

interface EdgeRequest {
  uri: string;
  method: string;
  querystring: Record<string, { value: string }>;
  headers: Record<string, { value: string }>;
}
type Answer = EdgeRequest & { statusCode?: number; body?: string };
type Handler = (event: { viewer: { ip: string }; request: EdgeRequest }) => Answer;

/** The function as CloudFront runs it, with the origin that it chose. */
function edge(hasIngest: boolean) {
  const origins: string[] = [];
  const code = viewerRequestCode(hasIngest).replace("import cf from 'cloudfront';", '');
  const cf = { selectRequestOriginById: (id: string) => origins.push(id) };
  const handler = runInNewContext(`${code}\nhandler`, { cf }) as Handler;
  return (uri: string, request: Partial<EdgeRequest> = {}) => {
    origins.length = 0;
    const answer = handler({
      viewer: { ip: '203.0.113.9' },
      request: { uri, method: 'GET', querystring: {}, headers: {}, ...request },
    });
    return { ...answer, origin: origins[0] };
  };
}

const call = edge(true);
const callWithoutIngest = edge(false);
const TOKEN = 'Zx8-abc_DEF123456789012345678901234567890ab';

describe('the function at the edge', () => {
  it('gives every signing link the one page, without the token', () => {
    const request = call(`/sign/${TOKEN}`, { querystring: { token: { value: TOKEN } } });
    expect(request.uri).toBe('/sign/index.html');
    expect(JSON.stringify(request)).not.toContain(TOKEN);
  });

  it('gives the page for a link with a slash at its end', () => {
    expect(call(`/sign/${TOKEN}/`).uri).toBe('/sign/index.html');
  });

  it.each(['/sign/assets/page-1a2b.js', '/sign/assets/pdfjs-5/cmaps/H.bcmap'])(
    'leaves the file %s as it is',
    (uri) => {
      expect(call(uri)).toMatchObject({ uri });
    },
  );

  it.each([
    '/',
    '/index.html',
    '/sign',
    '/sign/',
    `/sign/${TOKEN}/more`,
    '/admin',
    '/ingest',
    '/assets/page-1a2b.js',
  ])('answers %s with 404 by itself', (uri) => {
    expect(call(uri)).toMatchObject({ statusCode: 404, headers: { 'cache-control': { value: 'no-store' } } });
  });

  it('tells the API the address that CloudFront saw, over whatever the client wrote there', () => {
    const forged = call('/api/signing/v1/sign', {
      headers: {
        'x-viewer-address': { value: '198.51.100.1' },
        'x-forwarded-for': { value: '198.51.100.2' },
      },
    });
    expect(forged.uri).toBe('/api/signing/v1/sign');
    expect(forged.headers['x-viewer-address']).toEqual({ value: '203.0.113.9' });
  });
});

describe('the way in for a body', () => {
  const post = (length: number | string | undefined, uri = '/api/v1/signatures', method = 'POST') => ({
    uri,
    request: { method, headers: length === undefined ? {} : { 'content-length': { value: String(length) } } },
  });
  const MiB = 1024 * 1024;

  it.each([
    ['a small one', 20_000, undefined],
    ['the largest that the gateway takes', 5.5 * MiB, undefined],
    ['one byte more', 5.5 * MiB + 1, 'ingest'],
    ['a document of 10 MB', 14_000_000, 'ingest'],
    ['one that does not say how long it is', undefined, 'ingest'],
    ['one whose length is no number', 'many', 'ingest'],
  ])('is for %s (%s): %s', (_, length, origin) => {
    const { uri, request } = post(length);
    const answer = call(uri, request);
    expect(answer.origin).toBe(origin);
    expect(answer.headers['x-viewer-address']).toEqual({ value: '203.0.113.9' });
  });

  it('is the gateway for everything but a creation', () => {
    for (const { uri, request } of [
      post(undefined, '/api/v1/signatures', 'GET'),
      post(undefined, '/api/v1/webhook-endpoints'),
      post(9 * MiB, '/api/v1/uploads'),
    ])
      expect(call(uri, request)).toMatchObject({ origin: undefined, uri });
  });

  it('is closed to what no request can be, before the body comes', () => {
    const { uri, request } = post(15 * MiB + 1);
    const answer = call(uri, request);
    expect(answer).toMatchObject({ statusCode: 413, origin: undefined });
    expect(JSON.parse(answer.body ?? '')).toMatchObject({ error: 'document_too_large' });
  });

  it('is the upload where there is no ingest, and the refusal says so', () => {
    const { uri, request } = post(5.5 * MiB + 1);
    const answer = callWithoutIngest(uri, request);
    expect(answer.statusCode).toBe(413);
    expect(JSON.parse(answer.body ?? '').message).toContain('/api/v1/uploads');
    expect(callWithoutIngest(uri, post(5.5 * MiB).request)).toMatchObject({ uri, origin: undefined });
    expect(callWithoutIngest(uri, post(undefined).request)).toMatchObject({ uri, origin: undefined });
  });
});
