import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

interface EdgeRequest {
  uri: string;
  method: string;
  querystring: Record<string, { value: string }>;
  headers: Record<string, { value: string }>;
}
type Handler = (event: {
  viewer: { ip: string };
  request: EdgeRequest;
}) => EdgeRequest & { statusCode?: number };

const source = readFileSync(new URL('../../../infra/edge/viewer-request.js', import.meta.url), 'utf8');
const handler = runInNewContext(`${source}\nhandler`) as Handler;

const call = (uri: string, request: Partial<EdgeRequest> = {}) =>
  handler({
    viewer: { ip: '203.0.113.9' },
    request: { uri, method: 'GET', querystring: {}, headers: {}, ...request },
  });

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

  it.each(['/', '/index.html', '/sign', '/sign/', `/sign/${TOKEN}/more`, '/admin', '/assets/page-1a2b.js'])(
    'answers %s with 404 by itself',
    (uri) => {
      expect(call(uri)).toMatchObject({
        statusCode: 404,
        headers: { 'cache-control': { value: 'no-store' } },
      });
    },
  );

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
