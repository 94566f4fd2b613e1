import type { ApiPlan, MethodPlan, StagePlan } from '../../../local/assembly/plan.ts';
import { LocalClock } from '../../../local/clock.ts';
import { proxyEvent, type StageRequest } from '../../../local/gateway/event.ts';
import { fillTemplate, gatewayResponse, PROBLEMS } from '../../../local/gateway/gateway-responses.ts';
import { readProxyResult, readStreamHead } from '../../../local/gateway/proxy-result.ts';
import { Routes } from '../../../local/gateway/routes.ts';
import { admissionTo } from '../../../local/gateway/throttle.ts';
import { matchesWildcards } from '../../../local/wildcards.ts';

const method = (httpMethod: string, resourcePath: string): MethodPlan => ({
  httpMethod,
  resourcePath,
  resourceId: `id of ${resourcePath}`,
  integration: { type: 'MOCK', takes: [], statusCode: 405, headers: {}, templates: {} },
});
const api = (...methods: MethodPlan[]): ApiPlan => ({
  id: 'abc',
  resourcePaths: new Map(methods.map(({ resourcePath }) => [resourcePath, resourcePath])),
  methods,
  gatewayResponses: new Map(),
  stages: new Map(),
});
const stage = (more: Partial<StagePlan> = {}): StagePlan => ({
  name: 'v1',
  throttle: undefined,
  methodThrottles: new Map(),
  ...more,
});

/** @behaviour api-gateway.routes */
describe('routes', () => {
  const routes = new Routes(
    api(
      method('GET', '/'),
      method('GET', '/notes'),
      method('GET', '/notes/own'),
      method('GET', '/notes/{id}'),
      method('DELETE', '/notes/{id}'),
      method('ANY', '/notes/{id}/pages/{page}'),
      method('GET', '/files/{path+}'),
      method('POST', '/files/old/{id}'),
    ),
  );
  it.each([
    ['GET', '/', '/', {}],
    ['GET', '/notes', '/notes', {}],
    ['GET', '/notes/', '/notes', {}],
    ['GET', '/notes/own', '/notes/own', {}],
    ['GET', '/notes/7', '/notes/{id}', { id: '7' }],
    ['GET', '/notes/a%20b%2Fc', '/notes/{id}', { id: 'a b/c' }],
    ['GET', '/notes/%zz', '/notes/{id}', { id: '%zz' }],
    ['PATCH', '/notes/7/pages/2', '/notes/{id}/pages/{page}', { id: '7', page: '2' }],
    ['GET', '/files/a/b/c', '/files/{path+}', { path: 'a/b/c' }],
    ['POST', '/files/old/7', '/files/old/{id}', { id: '7' }],
    // One that lacks the method or the rest of the path yields to a less specific one.
    ['DELETE', '/notes/own', '/notes/{id}', { id: 'own' }],
    ['GET', '/files/old', '/files/{path+}', { path: 'old' }],
    ['GET', '/files/old/7', '/files/{path+}', { path: 'old/7' }],
    ['GET', '/files/old/7/8', '/files/{path+}', { path: 'old/7/8' }],
  ])('%s %s matches the resource %s', (verb, path, resourcePath, pathParameters) => {
    expect(routes.match(verb, path)).toMatchObject({ method: { resourcePath }, pathParameters });
  });

  it.each([
    ['POST', '/notes'],
    ['GET', '/notes/7/pages'],
    ['GET', '/files'],
    ['GET', '/other'],
  ])('%s %s matches no method', (verb, path) => {
    expect(routes.match(verb, path)).toBeUndefined();
  });
});

describe('the event of a proxy integration', () => {
  const request = (more: Partial<StageRequest> = {}): StageRequest => ({
    requestId: '11111111-2222-3333-4444-555555555555',
    receivedAt: Date.parse('2026-05-01T12:00:00Z'),
    httpMethod: 'GET',
    path: '/notes/7',
    query: new URLSearchParams(),
    rawHeaders: [],
    sourceIp: '192.0.2.1',
    body: Buffer.alloc(0),
    ...more,
  });
  const event = (more: Partial<StageRequest>) => {
    const one = method('GET', '/notes/{id}');
    const route = { method: one, pathParameters: { id: '7' } };
    return proxyEvent(request(more), route, api(one), stage(), {
      account: '1',
      region: 'eu-north-1',
    });
  };

  it('an event has the headers of the client in its spelling, without those of the connection', () => {
    const { headers, multiValueHeaders } = event({
      rawHeaders: [
        'X-One',
        '1',
        'x-one',
        '2',
        'Connection',
        'close',
        'Content-Length',
        '5',
        'Host',
        'elsewhere',
        'Content-MD5',
        '1B2M2Y8AsgTpgAmY7PhCfg==',
        'Expect',
        '100-continue',
      ],
    });
    expect(multiValueHeaders).toMatchObject({
      'X-One': ['1', '2'],
      Host: ['abc.execute-api.eu-north-1.amazonaws.com'],
    });
    expect(headers).toMatchObject({
      'X-One': '2',
      'X-Forwarded-For': '192.0.2.1',
      'X-Forwarded-Proto': 'https',
    });
    for (const name of ['Connection', 'Content-Length', 'Content-MD5', 'Expect'])
      expect(Object.keys(headers)).not.toContain(name);
  });

  it('an event has the stage, path and time of the request', () => {
    expect(event({})).toMatchObject({
      requestContext: {
        path: '/v1/notes/7',
        resourcePath: '/notes/{id}',
        requestTime: '01/May/2026:12:00:00 +0000',
        requestTimeEpoch: 1777636800000,
        identity: { sourceIp: '192.0.2.1', userAgent: null },
      },
    });
  });

  it('an event has its body as text', () => {
    expect(event({ body: Buffer.from('ä') })).toMatchObject({ body: 'ä', isBase64Encoded: false });
  });
});

describe('the answer of a function', () => {
  const read = (answer: unknown) => readProxyResult(Buffer.from(JSON.stringify(answer)));

  it.each([
    null,
    'text',
    [],
    {},
    { statusCode: 'abc' },
    { statusCode: 99 },
    { statusCode: 200, body: { a: 1 } },
  ])('the answer %j of a function is malformed', (answer) => {
    expect(read(answer)).toBeUndefined();
  });

  it('a multi-value header of an answer overrides a single-value one', () => {
    const headers = { 'X-A': 1, 'set-cookie': 'lost' };
    expect(
      read({ statusCode: '201', headers, multiValueHeaders: { 'Set-Cookie': ['a', 'b'] } }),
    ).toMatchObject({
      status: 201,
      headers: [
        ['X-A', '1'],
        ['Set-Cookie', 'a'],
        ['Set-Cookie', 'b'],
      ],
    });
  });

  it.each(['WWW-Authenticate', 'date', 'Server', 'Connection', 'authorization', 'User-Agent', 'Content-MD5'])(
    'the header %s of an answer is renamed',
    (name) => {
      const remapped = [[`x-amzn-Remapped-${name}`, 'x']];
      expect(read({ statusCode: 401, headers: { [name]: 'x' } })?.headers).toEqual(remapped);
      expect(read({ statusCode: 401, multiValueHeaders: { [name]: ['x'] } })?.headers).toEqual(remapped);
      const streamed = readStreamHead(Buffer.from(JSON.stringify({ headers: { [name]: 'x' } })));
      expect(streamed?.headers).toEqual(remapped);
    },
  );

  /** @behaviour api-gateway.stream-length */
  it('the length that a streamed answer states is renamed', () => {
    const streamed = readStreamHead(Buffer.from(JSON.stringify({ headers: { 'Content-Length': '4' } })));
    expect(streamed?.headers).toEqual([['x-amzn-Remapped-Content-Length', '4']]);
  });

  /** @behaviour api-gateway.connection-headers */
  it('connection headers of an answer are removed', () => {
    const headers = {
      'transfer-encoding': 'chunked',
      Upgrade: 'x',
      TE: 'x',
      Via: 'x',
      Host: 'x',
      'X-A': '1',
    };
    expect(read({ statusCode: 200, headers })?.headers).toEqual([['X-A', '1']]);
  });
});

describe('gateway responses', () => {
  it('a gateway response is the stack’s response of its type, else of its class, else the default of AWS', () => {
    const plan = (statusCode: number | undefined, template: string) => ({
      statusCode,
      headers: { 'Retry-After': "'5'", 'X-Id': 'context.requestId' },
      templates: { 'application/json': template },
    });
    const plans = new Map([
      ['THROTTLED', plan(undefined, '{"slow":$context.error.messageString}')],
      ['DEFAULT_5XX', plan(500, '{"id":"$context.requestId","none":"$context.nothing"}')],
    ]);
    const answer = (problem: keyof typeof PROBLEMS) =>
      gatewayResponse(PROBLEMS[problem], plans, { requestId: 'r1' });
    expect(answer('throttled')).toMatchObject({ status: 429, body: '{"slow":"Too Many Requests"}' });
    expect(answer('timedOut')).toMatchObject({ status: 500, body: '{"id":"r1","none":""}' });
    expect(answer('timedOut').headers).toEqual(
      expect.arrayContaining([
        ['Retry-After', '5'],
        ['X-Id', 'r1'],
      ]),
    );
    expect(answer('tooLarge')).toMatchObject({ status: 413, body: '{"message":"Request Too Long"}' });
  });

  it('only complete variable names in a template are replaced', () => {
    expect(fillTemplate('$context.a.b-$context.a.', { a: '1', 'a.b': '2' })).toBe('2-1.');
  });
});

describe('throttling', () => {
  /** @behaviour api-gateway.throttling */
  it('each method has a token bucket with its own burst and rate', () => {
    const clock = new LocalClock();
    const admits = admissionTo(
      stage({
        throttle: { rate: 2, burst: 3 },
        methodThrottles: new Map([['* /rare', { rate: 1, burst: 1 }]]),
      }),
      clock,
    );
    const taken = (path: string, times: number) =>
      Array.from({ length: times }, () => admits('GET', path)).filter(Boolean).length;
    expect(taken('/notes', 10)).toBe(3);
    expect(taken('/other', 10)).toBe(3);
    expect(taken('/rare', 10)).toBe(1);
    clock.advance(1_000);
    expect(taken('/notes', 10)).toBe(2);
    expect(taken('/rare', 10)).toBe(1);
    clock.advance(3_600_000);
    expect(taken('/notes', 10)).toBe(3);
  });
});

describe('patterns', () => {
  it.each([
    ['/api/*', '/api/v1/x', true],
    ['/api/*', '/apix', false],
    ['*.js', '/a/b.js', true],
    ['*.js', '/a/bXjs', false],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['a+(b)', 'a+(b)', true],
  ])('the path pattern %s matches %s: %s', (pattern, path, expected) => {
    expect(matchesWildcards(pattern, path)).toBe(expected);
  });
});

describe('the clock', () => {
  it('a wait for a time ends when the clock moves past it, or when it is aborted', async () => {
    const clock = new LocalClock();
    const signal = new AbortController();
    const waits = Promise.all([
      clock.until(clock.now() + 1_000_000, new AbortController().signal),
      clock.until(clock.now() + 90 * 86_400_000, signal.signal),
    ]);
    clock.advance(1_000_000);
    signal.abort();
    await waits;
    expect(clock.offsetMs()).toBe(1_000_000);
  });
});
