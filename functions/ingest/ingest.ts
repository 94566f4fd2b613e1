import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ApiError } from '../../shared/contract/api-error.ts';
import { DOCUMENT_LIMIT, docsOf, type ErrorCode } from '../../shared/contract/errors.ts';
import { VIEWER_ADDRESS_HEADER } from '../../shared/http/trusted-edge.ts';
import { errorFields, log } from '../../shared/runtime/log.ts';
import { networkHash } from '../../shared/runtime/network.ts';
import { repeat } from '../../shared/runtime/repeat.ts';
import { SECOND } from '../../shared/runtime/time.ts';
import { isOverload } from '../../shared/store/overload.ts';

/**
 * The entrance for bodies that are too large for the gateway, only from callers with an API key, so that nothing is stored for a
 * stranger. It stores the body as it is in the staging bucket, calls create-signature with a reference to it, and returns the answer.
 */
interface IngestParts {
  s3: S3Client;
  lambda: LambdaClient;
  bucket: string;
  functionName: string;
  /** The address of the service, whose documentation errors lead to. */
  baseUrl: string;
  /** Throws an ApiError unless this Authorization header has a valid API key. */
  authenticate(authorization: string | undefined): Promise<unknown>;
  /** A body is collected in this folder first, so that an interrupted upload leaves nothing in the bucket. */
  spool: string;
}

/** Fits a PDF of 10 MiB as base64 with line breaks, and the rest of a request. */
export const MAX_BYTES = 15 * 1024 * 1024;
/**
 * Bodies at a time, so that one client cannot fill the task's disk and connections. Counted by network: with IPv6,
 * anyone has billions of addresses.
 */
export const MAX_BODIES_PER_NETWORK = 8;
/** Enough for a body of the maximum size over a slow connection. */
export const BODY_TIME = 120 * SECOND;
/** A little longer than the function's time limit. */
export const FUNCTION_TIME = 35 * SECOND;
const PATH = '/api/v1/signatures';
/**
 * For a body of the maximum size, while others use the task's quarter of a processor. CloudFront waits for 60 seconds, also
 * for the function: only an attempt that failed soon is repeated.
 */
const STAGING_TIME = 20 * SECOND;
const REPEATED_WITHIN = 5 * SECOND;

/** Node's codes for a client that went away, before the body was read or while it was. */
const INTERRUPTED: readonly unknown[] = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'];

interface FunctionAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
}

export function makeIngest(parts: IngestParts) {
  const underWay = new Map<string, number>();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/health') return send(response, { statusCode: 200, body: 'ok' });
    const requestId = randomUUID();
    const started = performance.now();
    const answer = await answerTo(parts, request, requestId, underWay).catch((error: unknown) =>
      failure(error, requestId, parts.baseUrl),
    );
    log.info('Request completed', {
      request_id: requestId,
      status: answer.statusCode,
      duration_ms: Math.round(performance.now() - started),
    });
    // The rest of a refused body is not read, so the connection must close.
    if (!request.complete) response.setHeader('Connection', 'close');
    send(response, answer);
  };
}

async function answerTo(
  parts: IngestParts,
  request: IncomingMessage,
  requestId: string,
  underWay: Map<string, number>,
): Promise<FunctionAnswer> {
  if (request.method !== 'POST' || request.url?.split('?')[0] !== PATH) throw refusal('not_found');
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw refusal('document_too_large');
  const network = networkHash(request.headersDistinct[VIEWER_ADDRESS_HEADER]?.at(-1) ?? null);
  const others = underWay.get(network) ?? 0;
  if (others >= MAX_BODIES_PER_NETWORK) throw refusal('too_many_requests');
  underWay.set(network, others + 1);
  try {
    return await takeBody(parts, request, requestId);
  } finally {
    const left = (underWay.get(network) ?? 0) - 1;
    if (left > 0) underWay.set(network, left);
    else underWay.delete(network);
  }
}

async function takeBody(
  parts: IngestParts,
  request: IncomingMessage,
  requestId: string,
): Promise<FunctionAnswer> {
  try {
    await parts.authenticate(request.headers.authorization);
  } catch (error) {
    // Reads the body first: a client that is still sending may not see the answer.
    await receive(request, new Writable({ write: (_chunk, _encoding, done) => done() }));
    throw error;
  }
  const file = join(parts.spool, `${requestId}.body`);
  const key = `ingest/${requestId}`;
  try {
    await stage(parts, key, file, await receive(request, createWriteStream(file)));
  } finally {
    await rm(file, { force: true });
  }
  try {
    return await callFunction(parts, request, requestId, key);
  } finally {
    await unstage(parts, key);
  }
}

/** The SDK does not repeat the put of a stream, which it has read. */
async function stage({ s3, bucket }: IngestParts, key: string, file: string, bytes: number): Promise<void> {
  const repeatedUntil = performance.now() + REPEATED_WITHIN;
  const attempt = async () => {
    const Body = createReadStream(file);
    const put = { Bucket: bucket, Key: key, Body, ContentLength: bytes, ContentType: 'application/json' };
    try {
      await s3.send(new PutObjectCommand(put), { requestTimeout: STAGING_TIME });
    } finally {
      // A failed put leaves it open, and with it the removed file on the disk.
      Body.destroy();
    }
  };
  await repeat(attempt, () => performance.now() < repeatedUntil);
}

/** After a crash before this, the lifecycle rule of the bucket removes the object. */
async function unstage({ s3, bucket }: IngestParts, key: string): Promise<void> {
  try {
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  } catch (error) {
    log.warn('A staged body was not removed', errorFields(error));
  }
}

/** Writes the body to its target and returns its length. Only a few blocks are in memory at a time. */
async function receive(request: IncomingMessage, target: Writable): Promise<number> {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MAX_BYTES ? refusal('document_too_large') : null, chunk);
    },
  });
  try {
    await pipeline(request, count, target);
  } catch (error) {
    // The client is gone, so nobody reads this answer.
    throw INTERRUPTED.includes((error as NodeJS.ErrnoException).code) ? refusal('invalid_request') : error;
  }
  return bytes;
}

async function callFunction(
  { lambda, functionName }: IngestParts,
  request: IncomingMessage,
  requestId: string,
  key: string,
): Promise<FunctionAnswer> {
  const { Payload, FunctionError } = await lambda.send(
    new InvokeCommand({
      FunctionName: functionName,
      Payload: JSON.stringify(eventOf(request, requestId, key)),
    }),
  );
  const answer = JSON.parse(Buffer.from(Payload ?? []).toString('utf8') || 'null') as FunctionAnswer | null;
  if (FunctionError || !answer) throw new Error(`The function failed: ${FunctionError ?? 'no answer'}`);
  return answer;
}

/** The event that the gateway would have sent, without the body. */
function eventOf(request: IncomingMessage, requestId: string, key: string) {
  const multiValueHeaders = request.headersDistinct;
  return {
    resource: PATH,
    path: PATH,
    httpMethod: 'POST',
    headers: Object.fromEntries(
      Object.entries(multiValueHeaders).map(([name, values]) => [name, values?.at(-1)]),
    ),
    multiValueHeaders,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext: {
      requestId,
      resourcePath: PATH,
      path: PATH,
      httpMethod: 'POST',
      protocol: 'HTTP/1.1',
      identity: {},
    },
    body: null,
    isBase64Encoded: false,
    bodyReference: { key },
  };
}

/** Codes by the name of the error, for errors that are no overload. */
const KNOWN_ERRORS: Record<string, ErrorCode> = {
  ServiceUnavailable: 'service_unavailable',
  TimeoutError: 'timed_out',
};

function failure(error: unknown, requestId: string, baseUrl: string): FunctionAnswer {
  const { code, status, message } = error instanceof ApiError ? error : refusal(failureOf(error));
  if (!(error instanceof ApiError))
    log.error('Request failed', { request_id: requestId, ...errorFields(error) });
  // Of the body. The function answers 400 for the PDF in it.
  const statusCode = code === 'document_too_large' ? 413 : status;
  return {
    statusCode,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
      ...([429, 503].includes(statusCode) && { 'Retry-After': '2' }),
    },
    body: JSON.stringify({ ...errorOf(code, message, baseUrl), request_id: requestId }),
  };
}

function failureOf(error: unknown): ErrorCode {
  if (isOverload(error)) return 'service_unavailable';
  return KNOWN_ERRORS[error instanceof Error ? error.name : ''] ?? 'internal_error';
}

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is nothing at this path.',
  document_too_large: `The body is larger than any request can be. A PDF can have ${DOCUMENT_LIMIT}.`,
  internal_error: 'The service failed. Try again; if it fails again, report the X-Request-Id.',
  too_many_requests: 'Too many large bodies are being sent from this network at once.',
};
const refusal = (code: ErrorCode) => new ApiError(code, MESSAGES[code]);

const errorOf = (code: ErrorCode, message: string, baseUrl: string) => ({
  error: code,
  message,
  docs: docsOf(baseUrl, code),
});

/** A raw HTTP error for a connection that has not produced a request. */
export function plainError(statusCode: number, code: ErrorCode, baseUrl: string): string {
  const body = JSON.stringify(errorOf(code, refusal(code).message, baseUrl));
  return [
    `HTTP/1.1 ${statusCode} ${statusCode === 408 ? 'Request Timeout' : 'Bad Request'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

function send(response: ServerResponse, { statusCode, headers = {}, body = '' }: FunctionAnswer): void {
  response.writeHead(statusCode, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body);
}
