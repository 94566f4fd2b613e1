import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { makePlan } from '../../../local/assembly/make-plan.ts';
import type { OriginPlan } from '../../../local/assembly/plan.ts';
import { LocalClock } from '../../../local/clock.ts';
import { edgeListener } from '../../../local/edge/edge.ts';
import { bucketOrigin, httpOrigin, type Origin } from '../../../local/edge/origins.ts';
import { type LoopbackServer, listen } from '../../../local/listen.ts';
import type { PolicyStatement } from '../../../local/ports.ts';

/** A distribution with a bucket of files and two HTTP origins that return the request they received. */

const VIEWER_REQUEST = `
import cf from 'cloudfront';
function handler(event) {
  const request = event.request;
  if (request.uri === '/gone') return { statusCode: 410, headers: { 'x-why': { value: 'moved' } }, body: 'gone' };
  if (request.uri === '/fails') throw new Error('as asked');
  request.headers['x-viewer'] = { value: event.viewer.ip };
  if (request.headers['x-large']) cf.selectRequestOriginById('large');
  return request;
}`;

const NO_CACHE = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
const ALL_BUT_HOST = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
const ALL = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];
const FunctionAssociations = [{ EventType: 'viewer-request', FunctionARN: { Ref: 'OnRequest' } }];
const cloudFunction = (name: string, code: string) => ({
  Type: 'AWS::CloudFront::Function',
  Properties: { Name: name, FunctionCode: code, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } },
});
const httpPart = (id: string) => ({
  Id: id,
  DomainName: `${id}.example.com`,
  OriginPath: '/v1',
  OriginCustomHeaders: [{ HeaderName: 'x-secret', HeaderValue: 'of the origin' }],
  CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginReadTimeout: 1 },
});

const plan = makePlan(
  {
    name: 'Edge',
    assets: new Map(),
    template: {
      Resources: {
        OnRequest: cloudFunction('on-request', VIEWER_REQUEST),
        Files: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'files' } },
        FilesPolicy: {
          Type: 'AWS::S3::BucketPolicy',
          Properties: {
            Bucket: { Ref: 'Files' },
            PolicyDocument: {
              Statement: [
                {
                  Effect: 'Allow',
                  Principal: { Service: 'cloudfront.amazonaws.com' },
                  Action: 's3:GetObject',
                  Resource: 'arn:aws:s3:::files/*',
                },
              ],
            },
          },
        },
        Headers: {
          Type: 'AWS::CloudFront::ResponseHeadersPolicy',
          Properties: {
            ResponseHeadersPolicyConfig: {
              Name: 'headers',
              SecurityHeadersConfig: { ContentTypeOptions: { Override: true } },
              CustomHeadersConfig: {
                Items: [
                  { Header: 'X-Forced', Value: 'policy', Override: true },
                  { Header: 'X-Default', Value: 'policy', Override: false },
                ],
              },
              RemoveHeadersConfig: { Items: [{ Header: 'X-Internal' }] },
            },
          },
        },
        Distribution: {
          Type: 'AWS::CloudFront::Distribution',
          Properties: {
            DistributionConfig: {
              Enabled: true,
              Origins: [
                {
                  Id: 'files',
                  DomainName: { 'Fn::GetAtt': ['Files', 'RegionalDomainName'] },
                  OriginAccessControlId: 'own',
                },
                httpPart('api'),
                httpPart('large'),
              ],
              DefaultCacheBehavior: {
                TargetOriginId: 'files',
                CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
                Compress: true,
              },
              CacheBehaviors: [
                {
                  PathPattern: '/api/bare/*',
                  TargetOriginId: 'api',
                  CachePolicyId: NO_CACHE,
                },
                {
                  PathPattern: 'api/*',
                  TargetOriginId: 'api',
                  AllowedMethods: ALL,
                  CachePolicyId: NO_CACHE,
                  OriginRequestPolicyId: ALL_BUT_HOST,
                  ResponseHeadersPolicyId: { Ref: 'Headers' },
                  FunctionAssociations,
                },
                {
                  PathPattern: '/gone',
                  TargetOriginId: 'api',
                  CachePolicyId: NO_CACHE,
                  FunctionAssociations,
                },
                {
                  PathPattern: '/fails',
                  TargetOriginId: 'api',
                  CachePolicyId: NO_CACHE,
                  FunctionAssociations,
                },
              ],
            },
          },
        },
      },
    },
  },
  { region: 'eu-north-1', account: '111122223333', queueUrl: (name) => name },
);

const FILES: Record<string, { body: Uint8Array; contentType: string; cacheControl?: string }> = {
  'index.html': { body: Buffer.from('<p>front</p>'), contentType: 'text/html', cacheControl: 'no-cache' },
  'long.txt': { body: Buffer.from('word '.repeat(1000)), contentType: 'text/plain' },
  'long.png': { body: Buffer.alloc(5000), contentType: 'image/png' },
  'två ord.txt': { body: Buffer.from('named'), contentType: 'text/plain' },
};

const readObject = async (_bucket: string, key: string) => FILES[key];
const READER = { account: '111122223333', distributionId: 'E1' };

/** Returns the request it received, or does what the path says. */
const originNamed = (name: string) => async (request: IncomingMessage, response: ServerResponse) => {
  const action = request.url?.split('/').at(-1);
  if (action === 'never') return;
  if (action === 'breaks') {
    response.writeHead(200, { 'content-length': 100 });
    response.write('half');
    setTimeout(() => response.destroy(), 20);
    return;
  }
  response.setHeader('X-Internal', 'i-123');
  response.setHeader('X-Forced', 'origin');
  response.setHeader('X-Default', 'origin');
  response.setHeader('Set-Cookie', ['a=1', '__Host-b=2; Path=/; Secure; HttpOnly']);
  const { method, url, headers } = request;
  response.end(JSON.stringify({ name, method, url, headers, body: await text(request) }));
};

const clock = new LocalClock();
let edge: LoopbackServer;
const servers: LoopbackServer[] = [];

beforeAll(async () => {
  const [distribution] = plan.distributions;
  const bucket = plan.buckets.get('files');
  if (!distribution || !bucket) throw new Error('The plan is incomplete.');
  const originOf = (id: string) => distribution.origins.find((origin) => origin.id === id) as OriginPlan;
  const origins = new Map<string, Origin>();
  for (const id of ['api', 'large']) {
    const server = await listen(originNamed(id), 0);
    servers.push(server);
    origins.set(id, httpOrigin(originOf(id), server.port));
  }
  origins.set('files', bucketOrigin(originOf('files'), bucket, { readObject }, READER));
  edge = await listen(
    edgeListener(distribution, origins, (id) => originOf(id).headers, clock),
    0,
  );
});

afterAll(async () => {
  for (const server of [edge, ...servers]) await server.stop();
});

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
  isComplete: boolean;
}

/** Sends the path unchanged. */
async function call(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<Answer> {
  const request = send({ host: '127.0.0.1', port: edge.port, path, method, headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  const isComplete = await new Promise<boolean>((resolve) => {
    response.on('error', () => resolve(false));
    response.on('end', () => resolve(true));
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks),
    isComplete,
  };
}

/** Returns the request that the origin received. */
async function received(...request: Parameters<typeof call>) {
  return JSON.parse((await call(...request)).body.toString());
}

describe('a request to an origin', () => {
  it('a request to an origin has the path, host and custom headers of the origin, whatever the viewer sends', async () => {
    const seen = await received('/api/x%20y?a=1&a=%20', { 'x-secret': 'forged', host: 'localhost' });
    expect([seen.url, seen.headers.host, seen.headers['x-secret']]).toEqual([
      '/v1/api/x%20y?a=1&a=%20',
      'api.example.com',
      'of the origin',
    ]);
  });

  it('a request to an origin has the viewer’s headers and body, and its address at the end of X-Forwarded-For', async () => {
    const seen = await received(
      '/api/x',
      { authorization: 'Bearer k', cookie: 'a=1; b=2', 'x-forwarded-for': '6.6.6.6' },
      'POST',
      'the body',
    );
    expect(seen).toMatchObject({ method: 'POST', body: 'the body' });
    expect(seen.headers).toMatchObject({
      authorization: 'Bearer k',
      cookie: 'a=1; b=2',
      'x-forwarded-for': '6.6.6.6, 127.0.0.1',
    });
  });

  /** @behaviour cloudfront.behaviours */
  it('a request to an origin has only the path and its type where no policy forwards more', async () => {
    const seen = await received('/api/bare/x?lost=2', {
      authorization: 'Bearer k',
      cookie: 'lost=2',
      'content-type': 'text/plain',
      'user-agent': 'a browser',
    });
    expect(seen.url).toBe('/v1/api/bare/x');
    expect(seen.headers).toMatchObject({ 'content-type': 'text/plain', 'user-agent': 'Amazon CloudFront' });
    expect(seen.headers).not.toHaveProperty('authorization');
    expect(seen.headers).not.toHaveProperty('cookie');
  });

  it('a header of CloudFront’s own is never taken from the viewer', async () => {
    const seen = await received('/api/x', { 'cloudfront-viewer-address': '6.6.6.6:1' });
    expect(seen.headers['cloudfront-viewer-address']).toBeUndefined();
  });

  it('the first behaviour with a matching pattern applies, with its allowed methods', async () => {
    expect((await call('/api/x', {}, 'DELETE')).status).toBe(200);
    expect((await call('/api/bare/x', {}, 'DELETE')).status).toBe(403);
    expect((await call('/API/x')).headers['content-type']).toBe('application/xml');
  });
});

describe('a CloudFront function', () => {
  it('a CloudFront function overrides headers of the viewer', async () => {
    expect((await received('/api/x', { 'x-viewer': 'forged' })).headers['x-viewer']).toBe('127.0.0.1');
  });

  /** @behaviour cloudfront.functions */
  it('a CloudFront function selects the origin of its own request only', async () => {
    const requests = Array.from({ length: 20 }, (_, i) =>
      received('/api/x', i % 2 ? { 'x-large': '1' } : {}),
    );
    const names = (await Promise.all(requests)).map(({ name }) => name);
    expect(names).toEqual(names.map((_, i) => (i % 2 ? 'large' : 'api')));
  });

  it('a CloudFront function can answer without an origin', async () => {
    const { status, headers, body } = await call('/gone');
    expect([status, headers['x-why'], body.toString()]).toEqual([410, 'moved', 'gone']);
  });

  it('an early answer waits for the rest of the body, so that a client that is still sending sees it', async () => {
    const headers = { 'content-length': 4 };
    const request = send({ host: '127.0.0.1', port: edge.port, path: '/gone', method: 'POST', headers });
    const answer = once(request, 'response');
    request.write('ab');
    expect(await Promise.race([answer, wait(300, 'still reading')])).toBe('still reading');
    request.end('cd');
    const [response] = await answer;
    expect(response.statusCode).toBe(403);
    response.resume();
  });

  it('a CloudFront function that throws is answered with 503', async () => {
    expect((await call('/fails')).status).toBe(503);
  });
});

describe('an answer', () => {
  /** @behaviour cloudfront.header-policies */
  it('an answer has the headers of the policy, which override those of the origin only if it says so', async () => {
    const { headers } = await call('/api/x');
    expect(headers).toMatchObject({
      'x-forced': 'policy',
      'x-default': 'origin',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-internal']).toBeUndefined();
    expect((await call('/gone')).headers['x-default']).toBeUndefined();
  });

  it.each(['/api/x', '/index.html', '/fails', '/missing'])(
    'the Date of an answer is the time of the local clock: %s',
    async (path) => {
      clock.advance(3_600_000);
      const { headers } = await call(path);
      expect(Math.abs(Date.parse(String(headers.date)) - clock.now())).toBeLessThan(60_000);
    },
  );

  it('Safari gets its cookies without Secure, since it would drop them over HTTP, and origins get them as they were set', async () => {
    const webkit = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
    const safari = `${webkit} Version/18.5 Safari/605.1.15`;
    const cookiesOf = async (userAgent: string) =>
      (await call('/api/x', { 'user-agent': userAgent })).headers['set-cookie'];
    expect(await cookiesOf(safari)).toEqual(['a=1', 'http__Host-b=2; Path=/; HttpOnly']);
    const sent = { 'user-agent': safari, cookie: 'a=1; http__Host-b=2' };
    expect((await received('/api/x', sent)).headers.cookie).toBe('a=1; __Host-b=2');
    for (const other of [
      `${webkit} Chrome/142.0.0.0 Safari/537.36`,
      'Gecko/20100101 Firefox/145.0',
      'curl/8.5',
    ])
      expect(await cookiesOf(other)).toEqual(['a=1', '__Host-b=2; Path=/; Secure; HttpOnly']);
  });

  it('an origin that does not answer in time is answered with 504', async () => {
    expect((await call('/api/never')).status).toBe(504);
  });

  it('an answer breaks off if the answer of the origin does', async () => {
    const { body, isComplete } = await call('/api/breaks');
    expect([body.toString(), isComplete]).toEqual(['half', false]);
  });
});

describe('a private bucket', () => {
  it('a private bucket serves its objects with their headers', async () => {
    const { status, headers, body } = await call('/index.html');
    expect([status, headers['content-type'], headers['cache-control'], body.toString()]).toEqual([
      200,
      'text/html',
      'no-cache',
      '<p>front</p>',
    ]);
    expect((await call('/tv%C3%A5%20ord.txt')).body.toString()).toBe('named');
  });

  /** @behaviour cloudfront.origin-access */
  it('a missing object of a private bucket is answered with 403', async () => {
    expect((await call('/nothing')).status).toBe(403);
  });

  /** @behaviour cloudfront.origin-access */
  it.each<[string, { distribution?: string; files?: string; Action?: string }, number]>([
    ['this distribution', {}, 200],
    ['another distribution', { distribution: 'E2' }, 403],
    ['other files', { files: 'other/*' }, 403],
    ['another action', { Action: 's3:GetObjectVersion' }, 403],
  ])(
    'a private bucket whose policy lets in %s',
    async (_whom, { distribution = 'E1', files = '*', Action = 's3:GetObject' }, status) => {
      const letIn: PolicyStatement = {
        Effect: 'Allow',
        Principal: { Service: 'cloudfront.amazonaws.com' },
        Action,
        Resource: `arn:aws:s3:::files/${files}`,
        Condition: {
          StringEquals: { 'AWS:SourceArn': `arn:aws:cloudfront::111122223333:distribution/${distribution}` },
        },
      };
      const [bucket, [cdn]] = [plan.buckets.get('files'), plan.distributions];
      const plain = cdn?.origins.find(({ id }) => id === 'files');
      if (!bucket || !plain) throw new Error('The plan is incomplete.');
      const origin = bucketOrigin(plain, { ...bucket, policy: [letIn] }, { readObject }, READER);
      const request = {
        method: 'GET',
        path: '/index.html',
        query: '',
        fields: [],
        viewerIp: '',
        body: Readable.from([]),
      };
      expect((await origin(request)).status).toBe(status);
    },
  );

  it('a private bucket answers 304 for a matching ETag', async () => {
    const { etag = '' } = (await call('/long.txt')).headers;
    expect((await call('/long.txt', { 'if-none-match': etag })).status).toBe(304);
  });

  it('a long text is compressed if the viewer accepts it', async () => {
    const compressed = await call('/long.txt', { 'accept-encoding': 'gzip, br' });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(compressed.body)).toEqual(FILES['long.txt']?.body);
    for (const path of ['/long.png', '/index.html']) {
      expect(
        (await call(path, { 'accept-encoding': 'gzip, br' })).headers['content-encoding'],
      ).toBeUndefined();
    }
    expect((await call('/long.txt')).headers['content-encoding']).toBeUndefined();
  });
});

describe('malformed requests', () => {
  it.each(['//', '/%zz', '/api/%zz?%zz', '/?__proto__=1', '/api/../../x', 'http://[bad/'])(
    'the malformed path %s does not disturb later requests',
    async (path) => {
      expect((await call(path)).status).toBeGreaterThanOrEqual(200);
      expect((await received('/api/x')).headers['x-viewer']).toBe('127.0.0.1');
    },
  );

  it('a URL or headers over the limits of CloudFront are answered with 413', async () => {
    const longest = `/api/x?${'a'.repeat(8_192 - '/api/x?'.length)}`;
    expect((await call(longest)).status).toBe(200);
    expect((await call(`${longest}a`)).status).toBe(413);
    expect((await call('/api/x', { 'x-long': 'a'.repeat(20_000) })).status).toBe(200);
    expect((await call('/api/x', { 'x-long': 'a'.repeat(32_768) })).status).toBe(413);
  });

  /** @behaviour cloudfront.get-body */
  it('a GET with a body is refused, whether its length is told or not, and one with an empty body is not', async () => {
    expect((await call('/api/x', { 'content-length': '2' }, 'GET', '{}')).status).toBe(403);
    expect((await call('/api/x', { 'transfer-encoding': 'chunked' }, 'GET', '{}')).status).toBe(403);
    expect((await call('/api/x', { 'content-length': '0' })).status).toBe(200);
    expect((await call('/api/x', { 'content-length': '2' }, 'DELETE', '{}')).status).toBe(200);
  });

  it('query, headers and cookies may have names with a meaning in JavaScript', async () => {
    const seen = await received(
      '/api/x?__proto__=1&constructor=2',
      JSON.parse('{"__proto__": "x", "cookie": "__proto__=1"}'),
    );
    expect([seen.url, seen.headers.cookie]).toEqual(['/v1/api/x?__proto__=1&constructor=2', '__proto__=1']);
    expect((await received('/api/x')).headers['x-viewer']).toBe('127.0.0.1');
  });
});
