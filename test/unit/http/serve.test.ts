import { Readable } from 'node:stream';
import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { jest } from '@jest/globals';
import { ServiceException } from '@smithy/core/client';
import * as z from 'zod';
import { ApiError } from '../../../shared/contract/api-error.ts';
import { endpoint } from '../../../shared/contract/endpoint.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';
import type { Call } from '../../../shared/http/call.ts';
import { serve } from '../../../shared/http/serve.ts';
import { addLogFields } from '../../../shared/runtime/log.ts';
import { withRawMember } from '../../../shared/runtime/raw-json.ts';
import { Contended } from '../../../shared/store/overload.ts';
import { ConditionFailed, WriteCollision } from '../../../shared/store/table.ts';
import { captureLog } from '../../support/captured-log.ts';
import {
  CONTEXT,
  call,
  callStreaming,
  functionEnvironment,
  httpEvent,
  jsonBody,
  streamingRuntime,
} from '../../support/http-call.ts';
import { loadOnce } from '../../support/load-once.ts';
import { NOON } from '../../support/requests.ts';
import { virtualTime } from '../../support/virtual-time.ts';

const answerNote = endpoint({
  name: 'answer-note',
  area: 'api',
  method: 'POST',
  path: '/api/v1/notes',
  access: 'api_key',
  summary: 'Only for this test',
  body: z.object({ text: z.string().trim().optional() }),
  bodyOptional: true,
  status: 201,
  answer: z.object({ ok: z.boolean(), facts: z.record(z.string(), z.unknown()).optional() }),
});
const getFile = endpoint({
  name: 'get-file',
  area: 'api',
  method: 'GET',
  path: '/api/v1/file',
  access: 'api_key',
  summary: 'Only for this test',
  status: 200,
  answer: 'application/pdf',
});
const identify = async () => 'the caller';
const ok = async ({ json }: Call<typeof answerNote, unknown>) => json({ ok: true });

let lines: Record<string, unknown>[];
beforeAll(() => {
  functionEnvironment();
  streamingRuntime();
});
beforeEach(() => {
  lines = captureLog();
  virtualTime(NOON);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('a call that takes too long is left to the time limit, which ends all that it does', async () => {
  jest.useRealTimers();
  // Middy takes a promise of jest's context for an answer, and waits for none.
  loadOnce<NodeJS.Process>('node:process').env.ORIGIN_SECRET_ARN = 'origin';
  const { serve: serveByNode } = loadOnce<{ serve: typeof serve }>(
    new URL('../../../shared/http/serve.ts', import.meta.url),
  );
  const { promise, resolve } = Promise.withResolvers<void>();
  const handler = serveByNode(answerNote, { identify, handle: (input) => promise.then(() => ok(input)) });
  const context = { ...CONTEXT, getRemainingTimeInMillis: () => 6 };
  const answer = call(handler, httpEvent(), context);
  setTimeout(resolve, 50);
  expect((await answer).statusCode).toBe(201);
});

describe('answers', () => {
  it('a JSON answer has the endpoint’s status and the request id, and is not cached', async () => {
    expect(await call(serve(answerNote, { identify, handle: ok }), httpEvent())).toEqual({
      statusCode: 201,
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': 'request-1',
        'Cache-Control': 'no-store',
      },
      body: '{"ok":true}',
    });
  });

  it('an answer’s own headers override the endpoint’s, which override the defaults', async () => {
    const handler = serve(answerNote, {
      identify,
      headers: { 'Referrer-Policy': 'no-referrer', 'X-More': 'of the endpoint' },
      handle: async ({ json }) => json({ ok: true }, { 'Cache-Control': 'private', 'X-More': 'its own' }),
    });
    expect(await call(handler, httpEvent())).toMatchObject({
      headers: {
        'Content-Type': 'application/json',
        'X-Request-Id': 'request-1',
        'Cache-Control': 'private',
        'Referrer-Policy': 'no-referrer',
        'X-More': 'its own',
      },
    });
  });

  it('an answer that is JSON text already is sent verbatim', async () => {
    const handler = serve(answerNote, {
      identify,
      handle: async ({ text }) => text(withRawMember({ ok: true }, 'facts', '{"n": 1.0}')),
    });
    expect(await call(handler, httpEvent())).toMatchObject({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json' },
      body: '{"ok":true,"facts":{"n": 1.0}}',
    });
  });

  it('a streamed answer is a PDF', async () => {
    const handler = serve(getFile, {
      identify,
      handle: async () => ({ stream: Readable.from(['%PDF', '-1.7']), headers: { ETag: '"e"' } }),
    });
    expect(await callStreaming(handler, httpEvent())).toEqual({
      statusCode: 200,
      headers: {
        'Content-Type': 'application/pdf',
        'X-Request-Id': 'request-1',
        'Cache-Control': 'no-store',
        ETag: '"e"',
      },
      body: '%PDF-1.7',
    });
  });

  it('without a gateway request id the answer has Lambda’s', async () => {
    const handler = serve(answerNote, { identify, handle: ok });
    const { headers } = await call(handler, httpEvent({ requestId: undefined }));
    expect(headers['X-Request-Id']).toBe('aws-request');
  });
});

describe('handlers', () => {
  /** The inputs that the handler gets for an event. */
  async function given(event = httpEvent(), readBody?: () => Promise<string>) {
    const calls: unknown[] = [];
    const handler = serve(answerNote, {
      identify,
      ...(readBody && { readBody }),
      handle: async (input) => {
        calls.push(input);
        return input.json({ ok: true });
      },
    });
    await call(handler, event);
    return calls;
  }

  it('a handler gets the caller, the parsed body, the raw body, the visitor and the time', async () => {
    const event = httpEvent({
      ...jsonBody({ text: ' hello ' }),
      headers: {
        'content-type': 'application/json',
        'X-Viewer-Address': '203.0.113.7',
        'User-Agent': 'a browser',
      },
    });
    expect(await given(event)).toEqual([
      {
        caller: 'the caller',
        params: undefined,
        query: undefined,
        headers: undefined,
        body: { text: 'hello' },
        rawBody: '{"text":" hello "}',
        visitor: { ipAddress: '203.0.113.7', userAgent: 'a browser' },
        now: NOON,
        json: expect.any(Function),
        text: expect.any(Function),
        notModified: expect.any(Function),
      },
    ]);
  });

  it('an endpoint can read its body from elsewhere', async () => {
    const event = httpEvent({ headers: { 'Content-Type': 'application/json' }, body: '{"text":"event"}' });
    const [input] = await given(event, async () => '{"text":"elsewhere"}');
    expect(input).toMatchObject({ body: { text: 'elsewhere' }, rawBody: '{"text":"elsewhere"}' });
  });

  it('a handler does not run on invalid input', async () => {
    expect(await given(httpEvent(jsonBody({ text: 7 })))).toEqual([]);
  });
});

describe('calls around the distribution', () => {
  it.each([undefined, '', 'a guess'])(
    'a call without the origin secret is refused before the caller is identified: %j',
    async (secret) => {
      const event = httpEvent({ headers: { 'X-Origin-Secret': secret ?? '' } });
      if (secret === undefined) delete event.headers['X-Origin-Secret'];
      let asked = 0;
      const handler = serve(answerNote, {
        identify: async () => {
          asked += 1;
        },
        handle: ok,
      });
      const { statusCode, body } = await call(handler, event);
      expect(statusCode).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ error: 'forbidden' });
      expect(asked).toBe(0);
    },
  );
});

describe('errors of the contract', () => {
  const refusing = (error: Error) =>
    serve(answerNote, {
      identify: async () => {
        throw error;
      },
      handle: ok,
    });

  it('an API error is answered with its status, code, message and fields', async () => {
    const error = new ApiError('wrong_code', 'Wrong.', { fields: { attempts_left: 3 } });
    const { statusCode, headers, body } = await call(refusing(error), httpEvent());
    expect(statusCode).toBe(401);
    expect(headers).toEqual({
      'Content-Type': 'application/json',
      'X-Request-Id': 'request-1',
      'Cache-Control': 'no-store',
    });
    expect(JSON.parse(body)).toEqual({
      error: 'wrong_code',
      message: 'Wrong.',
      attempts_left: 3,
      request_id: 'request-1',
    });
  });

  it('an error with a retry time has Retry-After in whole seconds, rounded up', async () => {
    const error = new ApiError('locked', undefined, { retryAt: '2026-11-21T12:00:10.001Z' });
    expect((await call(refusing(error), httpEvent())).headers['Retry-After']).toBe('11');
  });

  it('an error of a streaming endpoint is answered as JSON', async () => {
    const handler = serve(getFile, {
      identify,
      handle: async () => {
        throw new ApiError('not_found');
      },
    });
    const { statusCode, headers, body } = await callStreaming(handler, httpEvent());
    expect([statusCode, headers['Content-Type']]).toEqual([404, 'application/json']);
    expect(JSON.parse(body)).toMatchObject({ error: 'not_found' });
  });

  it('an API error is logged by its code at level info', async () => {
    await call(refusing(new ApiError('not_found')), httpEvent());
    expect(lines).toMatchObject([
      { level: 'info', error: 'not_found', endpoint: 'answer-note', request_id: 'request-1' },
      { level: 'info', status: 404 },
    ]);
  });
});

const failing = (error: Error) =>
  serve(answerNote, {
    identify,
    handle: async () => {
      throw error;
    },
  });

describe('unexpected errors', () => {
  const broken = () => failing(new TypeError('the password is hunter2'));

  it('an unexpected error is answered with the request id and no detail', async () => {
    const { statusCode, headers, body } = await call(broken(), httpEvent());
    expect(statusCode).toBe(500);
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'X-Request-Id': 'request-1' });
    expect(JSON.parse(body)).toEqual({
      error: 'internal_error',
      message: expect.stringContaining('request-1'),
      request_id: 'request-1',
    });
    expect(body).not.toContain('hunter2');
  });

  it('an unexpected error is logged with its stack', async () => {
    await call(broken(), httpEvent());
    expect(lines[0]).toMatchObject({
      level: 'error',
      error_name: 'TypeError',
      error_message: 'the password is hunter2',
      stack: expect.stringContaining('TypeError'),
      request_id: 'request-1',
    });
  });
});

describe('overload', () => {
  const metadata = { $fault: 'client' as const, $metadata: {}, message: 'slow down' };
  const cancelled = (...codes: string[]) =>
    new TransactionCanceledException({ ...metadata, CancellationReasons: codes.map((Code) => ({ Code })) });

  it.each([
    ['DynamoDB has no capacity', new ProvisionedThroughputExceededException(metadata)],
    ['DynamoDB has no capacity for a transaction', cancelled('None', 'ThrottlingError')],
    ['S3 asks for a pause', new ServiceException({ ...metadata, name: 'SlowDown' })],
    ['others hold the item', new WriteCollision()],
    [
      'others changed the item at each attempt',
      new Contended('others wrote', { cause: new WriteCollision() }),
    ],
  ])('if %s, the caller is asked to come back in five seconds', async (_what, error) => {
    const { statusCode, headers, body } = await call(failing(error), httpEvent());
    expect(statusCode).toBe(503);
    expect(headers).toMatchObject({ 'Retry-After': '5', 'X-Request-Id': 'request-1' });
    expect(JSON.parse(body)).toEqual({
      error: 'service_unavailable',
      message: ERRORS.service_unavailable[1],
      request_id: 'request-1',
    });
    expect(lines[0]).toMatchObject({ level: 'error', error_name: error.name });
  });

  it.each([
    ['a condition that nothing expected to fail', new ConditionFailed(undefined)],
    ['a transaction that was refused for another reason', cancelled('ValidationError')],
    ['a permission that is missing', new ServiceException({ ...metadata, name: 'AccessDeniedException' })],
  ])('%s is no overload', async (_what, error) => {
    expect((await call(failing(error), httpEvent())).statusCode).toBe(500);
  });
});

describe('the request log', () => {
  it('a completed request is logged with endpoint, owner, status and duration', async () => {
    const handler = serve(answerNote, {
      identify: async () => {
        addLogFields({ owner_id: 'owner-1' });
        jest.advanceTimersByTime(41);
      },
      handle: ok,
    });
    await call(handler, httpEvent());
    expect(lines).toMatchObject([
      {
        level: 'info',
        endpoint: 'answer-note',
        request_id: 'request-1',
        owner_id: 'owner-1',
        status: 201,
        duration_ms: 41,
      },
    ]);
  });

  it('concurrent calls do not share log fields', async () => {
    const first = Promise.withResolvers<void>();
    const handler = serve(answerNote, {
      identify: async (event) => {
        addLogFields({ owner_id: `owner of ${event.requestContext.requestId}` });
        if (event.requestContext.requestId === 'a') await first.promise;
      },
      handle: ok,
    });
    const one = call(handler, httpEvent({ requestId: 'a' }));
    await call(handler, httpEvent({ requestId: 'b' }));
    first.resolve();
    await one;
    expect(lines.map(({ request_id, owner_id }) => [request_id, owner_id])).toEqual([
      ['b', 'owner of b'],
      ['a', 'owner of a'],
    ]);
  });
});
