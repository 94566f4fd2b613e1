import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { ERRORS, type ErrorCode } from '../../shared/contract/errors.ts';
import { errorFields, log } from '../../shared/runtime/log.ts';

/**
 * The way in for bodies that the gateway cannot take. It knows nothing of what it carries: it puts the body into the
 * staging bucket, calls the same function as the gateway with a reference to it, and hands the answer back.
 */
export interface IngestParts {
  s3: S3Client;
  lambda: LambdaClient;
  bucket: string;
  functionName: string;
  /** Where a body waits until it is whole: what breaks off on the way leaves nothing in the bucket. */
  spool: string;
}

/** A PDF of 10 MiB as base64 with line breaks, and room for all the rest of a request. */
export const MOST_BYTES = 15 * 1024 * 1024;
const PATH = '/api/v1/signatures';

class BodyTooLarge extends Error {}
class NotHere extends Error {}

interface FunctionAnswer {
  statusCode: number;
  headers?: Record<string, string>;
  body?: string;
}

export const makeIngest =
  (parts: IngestParts) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/health') return send(response, { statusCode: 200, body: 'ok' });
    const requestId = randomUUID();
    const started = performance.now();
    const answer = await answerTo(parts, request, requestId).catch((error: unknown) =>
      failure(error, requestId),
    );
    log.info('Answered', {
      request_id: requestId,
      status: answer.statusCode,
      duration_ms: Math.round(performance.now() - started),
    });
    // What is left of a refused body is not read: the connection ends with the answer.
    if (!request.complete) response.setHeader('Connection', 'close');
    send(response, answer);
  };

async function answerTo(
  parts: IngestParts,
  request: IncomingMessage,
  requestId: string,
): Promise<FunctionAnswer> {
  if (request.method !== 'POST' || request.url?.split('?')[0] !== PATH) throw new NotHere();
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw new BodyTooLarge();
  const file = join(parts.spool, `${requestId}.body`);
  const key = `ingest/${requestId}`;
  try {
    await stage(parts, key, file, await spoolBody(request, file));
  } finally {
    await rm(file, { force: true });
  }
  try {
    return await callFunction(parts, request, requestId, key);
  } finally {
    await unstage(parts, key);
  }
}

async function stage({ s3, bucket }: IngestParts, key: string, file: string, bytes: number): Promise<void> {
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: createReadStream(file),
      ContentLength: bytes,
      ContentType: 'application/json',
    }),
  );
}

/** One that stays, because this was not reached, goes with the bucket's lifecycle. */
async function unstage({ s3, bucket }: IngestParts, key: string): Promise<void> {
  try {
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  } catch (error) {
    log.warn('A staged body was not removed', errorFields(error));
  }
}

/** Writes the body to a file and gives its length. Memory holds a few blocks of it, whatever its size. */
async function spoolBody(request: IncomingMessage, file: string): Promise<number> {
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > MOST_BYTES ? new BodyTooLarge() : null, chunk);
    },
  });
  await pipeline(request, count, createWriteStream(file));
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

/** The event that the gateway would have sent, but for the body. */
function eventOf(request: IncomingMessage, requestId: string, key: string) {
  const multiValueHeaders: Record<string, string[]> = {};
  for (const [name, values] of Object.entries(request.headersDistinct))
    multiValueHeaders[name] = values ?? [];
  return {
    resource: PATH,
    path: PATH,
    httpMethod: 'POST',
    headers: Object.fromEntries(
      Object.entries(multiValueHeaders).map(([name, values]) => [name, values.at(-1)]),
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

/** By the error's name: what is told to the client. */
const KNOWN: Record<string, [status: number, code: ErrorCode]> = {
  TooManyRequestsException: [503, 'service_unavailable'],
  TimeoutError: [504, 'timed_out'],
};

function failure(error: unknown, requestId: string): FunctionAnswer {
  if (error instanceof BodyTooLarge) return refusal('document_too_large', 413, requestId);
  if (error instanceof NotHere) return refusal('not_found', 404, requestId);
  const brokenOff = error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  // Nobody is there to read it.
  if (brokenOff) return refusal('invalid_request', 400, requestId);
  log.error('Failed', { request_id: requestId, ...errorFields(error) });
  const [status, code] = KNOWN[error instanceof Error ? error.name : ''] ?? [500, 'internal_error' as const];
  return refusal(code, status, requestId);
}

const SENTENCES: Partial<Record<ErrorCode, string>> = {
  not_found: 'There is nothing at this path.',
  document_too_large: 'The body is larger than any request can be. A PDF can have 10 MB (10,485,760 bytes).',
  internal_error: 'The service failed. Try again, and name the X-Request-Id of this answer if it goes on.',
};
const bodyOf = (error: ErrorCode) => JSON.stringify({ error, message: SENTENCES[error] ?? ERRORS[error][1] });

const refusal = (error: ErrorCode, statusCode: number, requestId: string): FunctionAnswer => ({
  statusCode,
  headers: {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...(statusCode === 503 && { 'Retry-After': '2' }),
  },
  body: bodyOf(error),
});

/** An answer where there is no request to answer to, only a connection. */
export function plainError(statusCode: number, error: ErrorCode): string {
  const body = bodyOf(error);
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
