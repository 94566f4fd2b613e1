import middy, { type MiddlewareObj } from '@middy/core';
import { executionModeStandard } from '@middy/core/executionModeStandard';
import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
import type { Context } from 'aws-lambda';
import type { Endpoint } from '../contract/endpoint.ts';
import { Refusal } from '../requests/lifecycle.ts';
import { errorFields, log, withLogFields } from '../runtime/log.ts';
import { secondsUntil, systemNow } from '../runtime/time.ts';
import { ApiError, retryAfter } from './api-error.ts';
import type { Call, HttpEvent, HttpResult, Reply } from './call.ts';
import { assertThroughEdge, visitorOf } from './trusted-edge.ts';
import { textOf, validate } from './validation.ts';

const requestIdOf = (event: HttpEvent, context: Context) =>
  event.requestContext?.requestId ?? context.awsRequestId;

function ofRefusal({ code, retryAt, fields }: Refusal): ApiError {
  const headers = retryAt ? retryAfter(secondsUntil(retryAt, systemNow())) : {};
  return new ApiError(code, undefined, { headers, fields });
}

function errorResult(error: unknown, requestId: string): HttpResult {
  const known = error instanceof Refusal ? ofRefusal(error) : error;
  if (known instanceof ApiError) {
    log.info('Refused', { error: known.code });
    return {
      statusCode: known.status,
      headers: { 'Content-Type': 'application/json', ...known.headers },
      body: JSON.stringify({ error: known.code, message: known.message, ...known.fields }),
    };
  }
  log.error('Failed', errorFields(error));
  const message = `The service failed. Please try again; if it goes on, tell us the request id ${requestId}.`;
  return {
    statusCode: 500,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ error: 'internal_error', message }),
  };
}

type Middleware = MiddlewareObj<HttpEvent, HttpResult>;
type MiddyRequest = Parameters<NonNullable<Middleware['after']>>[0];

/** Turns whatever was thrown into the contract's error. */
const errorAnswers = (): Middleware => ({
  onError: (request) => {
    const requestId = requestIdOf(request.event, request.context);
    request.response = withLogFields(logFieldsOf(request.event), () => errorResult(request.error, requestId));
  },
});

/** Every answer, good or bad, carries the request id and is kept by no cache. */
const answerHeaders = (): Middleware => {
  const add = ({ event, context, response }: MiddyRequest) => {
    if (!response) return;
    response.headers = {
      'X-Request-Id': requestIdOf(event, context),
      'Cache-Control': 'no-store',
      ...response.headers,
    };
  };
  return { after: add, onError: add };
};

const callFields = new WeakMap<HttpEvent, Record<string, unknown>>();

function logFieldsOf(event: HttpEvent): Record<string, unknown> {
  const fields = callFields.get(event) ?? {};
  callFields.set(event, fields);
  return fields;
}

const callLog = (endpoint: Endpoint): Middleware => {
  const started = new WeakMap<HttpEvent, number>();
  const done = ({ event, response }: MiddyRequest) =>
    withLogFields(logFieldsOf(event), () =>
      log.info('Answered', {
        status: response?.statusCode,
        duration_ms: Math.round(performance.now() - (started.get(event) ?? performance.now())),
      }),
    );
  return {
    before: ({ event, context }) => {
      started.set(event, performance.now());
      Object.assign(logFieldsOf(event), { endpoint: endpoint.name, request_id: requestIdOf(event, context) });
    },
    after: done,
    onError: done,
  };
};

function resultOf(endpoint: Endpoint, reply: Reply): HttpResult {
  const statusCode = reply.status ?? endpoint.status;
  if ('stream' in reply)
    return {
      statusCode,
      headers: { 'Content-Type': 'application/pdf', ...reply.headers },
      body: reply.stream,
    };
  const headers = { 'Content-Type': 'application/json', ...reply.headers };
  return { statusCode, headers, body: 'text' in reply ? reply.text : JSON.stringify(reply.json) };
}

interface Parts<E extends Endpoint, Caller> {
  /** Who calls; throws where that cannot be said. */
  identify: (event: HttpEvent) => Promise<Caller>;
  /** The body's text, where it does not simply stand in the event. */
  readBody?: (event: HttpEvent, caller: Caller) => Promise<string>;
  handle: (call: Call<E, Caller>) => Promise<Reply>;
}

/** A Lambda handler for an endpoint of the contract: the edge's secret, the caller, the checked input, the answer or the error. */
export function serve<E extends Endpoint, Caller>(
  endpoint: E,
  { identify, readBody, handle }: Parts<E, Caller>,
) {
  const streams = typeof endpoint.answer === 'string';
  const answer = async (event: HttpEvent, context: Context): Promise<HttpResult> => {
    await assertThroughEdge(event);
    const caller = await identify(event);
    const rawBody = readBody ? await readBody(event, caller) : textOf(event);
    const input = validate(endpoint, event, rawBody);
    const call = {
      caller,
      ...input,
      rawBody,
      visitor: visitorOf(event),
      requestId: requestIdOf(event, context),
      now: systemNow(),
    } as Call<E, Caller>;
    return resultOf(endpoint, await handle(call));
  };
  // Middy runs what is done after a handler in reverse: the error becomes an answer first, then it is completed and logged.
  return middy<HttpEvent, HttpResult>({
    executionMode: streams ? executionModeStreamifyResponse : executionModeStandard,
  })
    .use(callLog(endpoint))
    .use(answerHeaders())
    .use(errorAnswers())
    .handler((event: HttpEvent, context: Context) =>
      withLogFields(logFieldsOf(event), () => answer(event, context)),
    );
}
