import { request as send } from 'node:http';
import { Notes } from './notes.ts';

const MB = 1024 * 1024;
let notes: Notes;

beforeAll(async () => {
  notes = await Notes.start();
});
afterAll(() => notes.stop());

describe('the event of a function', () => {
  /** @behaviour api-gateway.proxy-event */
  it('an event has all values of headers and query, the last of each, and the path parameters', async () => {
    const response = await notes.fetch('/notes/a%2Fb?tag=x&tag=y&one=1', {
      headers: [
        ['x-many', '1'],
        ['x-many', '2'],
        ['user-agent', 'A test'],
      ],
    });
    const { event } = (await response.json()) as { event: Record<string, never> };
    expect(event).toMatchObject({
      resource: '/notes/{id}',
      httpMethod: 'GET',
      pathParameters: { id: 'a/b' },
      queryStringParameters: { tag: 'y', one: '1' },
      multiValueQueryStringParameters: { tag: ['x', 'y'], one: ['1'] },
      stageVariables: null,
      body: null,
      isBase64Encoded: false,
      requestContext: {
        stage: 'v1',
        resourcePath: '/notes/{id}',
        httpMethod: 'GET',
        identity: { sourceIp: '127.0.0.1', userAgent: 'A test' },
        requestId: response.headers.get('x-amzn-requestid'),
      },
    });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('an event without query, path parameters and body has null there', async () => {
    const { event } = await notes.json('/echo');
    expect(event).toMatchObject({
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: null,
      body: null,
    });
  });

  it('the event of a greedy resource has the rest of the path', async () => {
    const { event } = await notes.json('/files/a/b/c.txt');
    expect(event.pathParameters).toEqual({ path: 'a/b/c.txt' });
  });

  /** @behaviour api-gateway.bodies */
  it('an event has its body as text', async () => {
    const { event } = await notes.json('/echo', { method: 'POST', body: 'hyvää' });
    expect([event.body, event.isBase64Encoded]).toEqual(['hyvää', false]);
  });

  it('an event has the client’s address at the end of its X-Forwarded-For', async () => {
    const { event } = await notes.json('/echo', { headers: { 'x-forwarded-for': '6.6.6.6' } });
    expect(event.headers['x-forwarded-for']).toBe('6.6.6.6, 127.0.0.1');
  });
});

describe('answers of the gateway itself', () => {
  const answer = async (path: string, init?: RequestInit) => {
    const response = await notes.fetch(path, init);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };

  it('an unknown path or method is answered with the gateway response of the stack', async () => {
    expect(await answer('/nothing')).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect(await answer('/behave', { method: 'DELETE' })).toMatchObject({ status: 404 });
  });

  it('an unknown stage is answered with the default of AWS', async () => {
    const response = await fetch(`${notes.cloud.baseUrl}/v2/echo`);
    expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
  });

  it('a mock integration answers without a function', async () => {
    const { status, headers, body } = await answer('/notes/1', { method: 'PUT' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET']);
    expect(body).toEqual({ error: 'method_not_allowed', id: headers.get('x-amzn-requestid') });
  });

  /** @behaviour api-gateway.mock-types */
  it('a mock integration takes only bodies of the types that it has templates for', async () => {
    const put = async (type: string) => {
      const init = { method: 'PUT', headers: { 'content-type': type }, body: '{}' };
      const { status, body } = await answer('/notes/1', init);
      return [status, body.message];
    };
    expect(await put('Application/JSON; charset=utf-8')).toEqual([405, undefined]);
    expect(await put('text/plain')).toEqual([415, 'Unsupported Media Type']);
  });

  it.each(['throw', 'malformed', 'exit', 'reject', 'hang', 'spin', 'big'])(
    'a function that does %s is answered with 502',
    async (what) => {
      expect(await answer(`/behave?do=${what}`)).toMatchObject({
        status: 502,
        body: { message: 'Internal server error' },
      });
    },
  );

  /** @behaviour api-gateway.time-out */
  it('a function slower than the integration time-out is answered with 504', async () => {
    expect(await answer('/slow')).toMatchObject({
      status: 504,
      body: { message: 'Endpoint request timed out' },
    });
  });

  /** @behaviour api-gateway.gateway-responses */
  it('an event over 6 MB is answered with 413', async () => {
    const fits = await notes.json('/echo', { method: 'POST', body: 'x'.repeat(5 * MB) });
    expect(fits.bodyLength).toBe(5 * MB);
    expect(await answer('/echo', { method: 'POST', body: 'x'.repeat(7 * MB) })).toMatchObject({
      status: 413,
      body: { message: 'Request Too Long' },
    });
  });

  /** @behaviour api-gateway.longest-body */
  it('a body over 10 MB is answered with 413 in plain text', async () => {
    const response = await notes.fetch('/echo', { method: 'POST', body: 'x'.repeat(10 * MB + 1) });
    expect([response.status, await response.text()]).toEqual([
      413,
      'HTTP content length exceeded 10485760 bytes.',
    ]);
  });

  it('a chunked body over 10 MB is answered with 413', async () => {
    const status = await new Promise((resolve, reject) => {
      const request = send(`${notes.cloud.baseUrl}/v1/echo`, { method: 'POST' }, (response) =>
        resolve(response.resume().statusCode),
      );
      request.on('error', reject);
      for (let megabyte = 0; megabyte < 11; megabyte += 1) request.write(Buffer.alloc(MB, 'x'));
      request.end();
    });
    expect(status).toBe(413);
  });

  /** @behaviour api-gateway.headers */
  it('headers over 10,240 bytes together are answered with 431 in plain text', async () => {
    const withHeaders = (bytes: number) =>
      notes.fetch('/echo', { headers: { 'x-one': 'x'.repeat(bytes / 2), 'x-two': 'x'.repeat(bytes / 2) } });
    expect((await withHeaders(9_000)).status).toBe(200);
    const refused = await withHeaders(10_240);
    expect([refused.status, await refused.text()]).toEqual([431, 'HTTP header is larger than 10240 bytes.']);
  });

  it('a throttled call is answered with 429 and the gateway response of the stack', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => answer('/rare')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(2);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.body).toEqual({ error: 'throttled', message: 'Too Many Requests' });
    notes.cloud.clock.advance(2_000);
    expect((await answer('/rare')).status).toBe(200);
  });
});

describe('a streamed answer', () => {
  it('a streamed answer has its status, headers and cookies, and may exceed the limit of a buffered one', async () => {
    const response = await notes.fetch(`/stream?pieces=12&size=${MB}`);
    expect([response.status, response.headers.get('x-own')]).toEqual([201, 'yes']);
    expect(response.headers.getSetCookie()).toEqual(['c=1']);
    expect((await response.text()).length).toBe(12 * MB);
  });

  it('a function that fails before its first chunk is answered with 502', async () => {
    expect((await notes.fetch('/stream?fail=before')).status).toBe(502);
  });

  it('a streamed answer with a header that HTTP does not allow is answered with 502', async () => {
    expect((await notes.fetch(`/stream?header=${encodeURIComponent('one\ntwo')}`)).status).toBe(502);
    expect((await notes.fetch('/stream')).status).toBe(201);
  });

  /** @behaviour api-gateway.streaming */
  it('a streamed answer breaks off if the function fails in the middle', async () => {
    const response = await notes.fetch('/stream?fail=between');
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow();
  });

  /** @behaviour api-gateway.stream-time */
  it('a streamed answer breaks off at the integration time-out, though chunks keep coming', async () => {
    const response = await notes.fetch('/short-stream?pieces=20&pause=100');
    expect(response.status).toBe(201);
    await expect(response.text()).rejects.toThrow();
    const whole = await notes.fetch('/stream?pieces=10&pause=100');
    expect((await whole.text()).length).toBe(100);
  });
});

describe('malformed requests', () => {
  /** Sends the path unchanged. */
  const statusOf = (path: string, headers: Record<string, string> = {}): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(notes.cloud.baseUrl);
      const request = send({ host: '127.0.0.1', port, path, headers }, (response) =>
        resolve(response.resume().statusCode),
      );
      request.on('error', reject).end();
    });

  it.each([
    ['//', 403],
    ['http://[bad/', 403],
    ['/v1/%zz', 404],
    ['/v1/notes/%zz', 200],
    ['/v1/echo?%zz=%E0&__proto__=1', 200],
  ])('the malformed path %s has an answer of its own', async (path, status) => {
    expect(await statusOf(path)).toBe(status);
  });

  it('headers may have names with a meaning in JavaScript', async () => {
    const named = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    expect(await statusOf('/v1/echo', named)).toBe(200);
    expect(await statusOf('/v1/echo')).toBe(200);
  });

  it('a request cannot set its own protocol, trace id or host', async () => {
    const headers = { 'x-forwarded-proto': 'ftp', 'X-AMZN-TRACE-ID': 'forged' };
    const { event } = await notes.json('/echo', { headers });
    const names = Object.keys(event.headers).filter((name) =>
      /^(x-forwarded-proto|x-amzn-trace-id)$/i.test(name),
    );
    expect(names).toEqual(['X-Forwarded-Proto', 'X-Amzn-Trace-Id']);
    expect(event.headers['X-Forwarded-Proto']).toBe('https');
  });
});
