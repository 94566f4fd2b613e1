import middy, { type MiddlewareObj } from '@middy/core';
import { executionModeStandard } from '@middy/core/executionModeStandard';
import { executionModeStreamifyResponse } from '@middy/core/executionModeStreamifyResponse';
import type { Context } from 'aws-lambda';
import { ApiError } from '../contract/api-error.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { docsOf } from '../contract/errors.ts';
import { errorFields, log, withLogFields } from '../runtime/log.ts';
import { after, secondsUntil, systemNow } from '../runtime/time.ts';
import { isOverload } from '../store/overload.ts';
import { type Call, type FileReply, type HttpEvent, type HttpResult, JsonReply, type Reply } from './call.ts';
import { OriginSecret, visitorOf } from './trusted-edge.ts';
import { ignoredHeader, textOf, validate } from './validation.ts';

export const requestIdOf = (event: HttpEvent, context: Context) =>
  event.requestContext?.requestId ?? context.awsRequestId;

const retryAfter = ({ retryAt }: ApiError): Record<string, string> =>
  retryAt ? { 'Retry-After': String(secondsUntil(retryAt, systemNow())) } : {};

/** Longer than the retries that have just failed. */
const OVERLOAD_PAUSE_MS = 5_000;

/** An error in the form of the contract. */
export function refusal(error: ApiError, requestId: string, docsBaseUrl: string | undefined): HttpResult {
  const { code, status, message, fields } = error;
  const docs = docsBaseUrl !== undefined && { docs: docsOf(docsBaseUrl, code) };
  return {
    statusCode: status,
    headers: { 'Content-Type': 'application/json', ...retryAfter(error) },
    body: JSON.stringify({ error: code, message, ...fields, request_id: requestId, ...docs }),
  };
}

function errorResult(error: unknown, requestId: string, docsBaseUrl: string | undefined): HttpResult {
  if (error instanceof ApiError) {
    log.info('Request refused', { error: error.code });
    return refusal(error, requestId, docsBaseUrl);
  }
  log.error('Request failed', errorFields(error));
  if (isOverload(error)) {
    const retryAt = after(systemNow(), OVERLOAD_PAUSE_MS);
    return refusal(new ApiError('service_unavailable', undefined, { retryAt }), requestId, docsBaseUrl);
  }
  const message = `The service failed. Please try again; if it fails again, report the request id ${requestId}.`;
  return refusal(new ApiError('internal_error', message), requestId, docsBaseUrl);
}

type Middleware = MiddlewareObj<HttpEvent, HttpResult>;
type MiddyRequest = Parameters<NonNullable<Middleware['after']>>[0];

/** Converts anything thrown to an error of the contract. */
const errorResponses = (docsBaseUrl: string | undefined): Middleware => ({
  onError: (request) => {
    const requestId = requestIdOf(request.event, request.context);
    request.response = withLogFields(logFieldsOf(request.event), () =>
      errorResult(request.error, requestId, docsBaseUrl),
    );
  },
});

/** Adds the request id to every response and forbids caching. */
const responseHeaders = (): Middleware => {
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

const requestLog = (endpoint: Endpoint): Middleware => {
  const started = new WeakMap<HttpEvent, number>();
  const finish = ({ event, response }: MiddyRequest) =>
    withLogFields(logFieldsOf(event), () =>
      log.info('Request completed', {
        status: response?.statusCode,
        duration_ms: Math.round(performance.now() - (started.get(event) ?? performance.now())),
      }),
    );
  return {
    before: ({ event, context }) => {
      started.set(event, performance.now());
      Object.assign(logFieldsOf(event), { endpoint: endpoint.name, request_id: requestIdOf(event, context) });
    },
    after: finish,
    onError: finish,
  };
};

function resultOf(
  { status, answer }: Endpoint,
  headers: Record<string, string>,
  reply: FileReply | JsonReply,
): HttpResult {
  return {
    statusCode: reply.status ?? status,
    headers: {
      'Content-Type': typeof answer === 'string' ? answer : 'application/json',
      ...headers,
      ...reply.headers,
    },
    body: reply instanceof JsonReply ? reply.body : reply.stream,
  };
}

interface Parts<E extends Endpoint, Caller> {
  identify: (event: HttpEvent) => Promise<Caller>;
  /** Reads a body that is not in the event itself. */
  readBody?: (event: HttpEvent) => Promise<string>;
  /** The address of the service, if errors lead to its documentation. */
  docsBaseUrl?: string;
  /** Headers of every good answer. */
  headers?: Record<string, string>;
  handle: (call: Call<E, Caller>) => Promise<Reply<E>>;
}

/** One for all endpoints of a function, so that they read it once. */
const originSecret = new OriginSecret();

/** Creates the Lambda handler of an endpoint: it checks the origin secret, the caller and the input, and maps errors. */
export function serve<E extends Endpoint, Caller>(
  endpoint: E,
  { identify, readBody, headers = {}, docsBaseUrl, handle }: Parts<E, Caller>,
) {
  const streams = typeof endpoint.answer === 'string';
  const respond = async (event: HttpEvent): Promise<HttpResult> => {
    await originSecret.assertThroughEdge(event);
    const caller = await identify(event);
    const rawBody = readBody ? await readBody(event) : textOf(event);
    const { ignored, ...input } = validate(endpoint, event, rawBody);
    const call = {
      caller,
      ...input,
      rawBody,
      visitor: visitorOf(event),
      now: systemNow(),
      json: (json, headers) => new JsonReply(JSON.stringify(json), headers),
      text: (text, headers) => new JsonReply(text, headers),
      notModified: () => new JsonReply('', {}, 304),
    } as Call<E, Caller>;
    return resultOf(endpoint, { ...headers, ...ignoredHeader(ignored) }, await handle(call));
  };
  // Middy runs `after` and `onError` in reverse order: errors become responses first, then get headers, then are logged.
  return middy<HttpEvent, HttpResult>({
    executionMode: streams ? executionModeStreamifyResponse : executionModeStandard,
    // Middy would otherwise answer just before the time limit, and the unfinished call would go on when the environment
    // serves another one.
    timeoutEarlyInMillis: 0,
  })
    .use(requestLog(endpoint))
    .use(responseHeaders())
    .use(errorResponses(docsBaseUrl))
    .handler((event: HttpEvent) => withLogFields(logFieldsOf(event), () => respond(event)));
}
