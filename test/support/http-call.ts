import { PassThrough, type Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { mockClient } from 'aws-sdk-client-mock';
import type { HttpEvent } from '../../shared/http/call.ts';

const ORIGIN_SECRET = 'origin-secret';

/** Sets the environment and secrets that HTTP functions read; call it before creating one. */
export function functionEnvironment(): void {
  Object.assign(process.env, {
    BASE_URL: 'https://sign.example.com',
    TABLE_NAME: 'table',
    ORIGIN_SECRET_ARN: 'origin',
    SIGNING_SECRETS_ARN: 'signing',
  });
  const secrets = mockClient(SecretsManagerClient);
  secrets.on(GetSecretValueCommand, { SecretId: 'origin' }).resolves({ SecretString: ORIGIN_SECRET });
  secrets
    .on(GetSecretValueCommand, { SecretId: 'signing' })
    .resolves({ SecretString: '{"root":"the-root"}' });
}

interface Given {
  headers?: Record<string, string>;
  body?: string | null;
  pathParameters?: Record<string, string>;
  query?: Record<string, string[]>;
  isBase64Encoded?: boolean;
  requestId?: string | undefined;
}

/** An API Gateway event as CloudFront forwards it. */
export function httpEvent(given: Given = {}): HttpEvent {
  const { headers = {}, body = null, pathParameters = null, query = null, isBase64Encoded = false } = given;
  const requestId = 'requestId' in given ? given.requestId : 'request-1';
  return {
    headers: { 'X-Origin-Secret': ORIGIN_SECRET, ...headers },
    body,
    isBase64Encoded,
    pathParameters,
    multiValueQueryStringParameters: query,
    ...(requestId !== undefined && { requestContext: { requestId } }),
  } as unknown as HttpEvent;
}

/** A JSON body with its Content-Type. */
export const jsonBody = (value: unknown): Given => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

export const CONTEXT = { awsRequestId: 'aws-request' } as Context;

interface Answer {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

type Handler = (event: HttpEvent, context: Context) => Promise<unknown>;
export const call = async (handler: unknown, event: HttpEvent, context = CONTEXT): Promise<Answer> =>
  (await (handler as Handler)(event, context)) as Answer;

/** The part of the Lambda runtime that streaming functions use. */
export function streamingRuntime(): void {
  Object.assign(globalThis, {
    awslambda: {
      streamifyResponse: (handler: unknown) => handler,
      HttpResponseStream: {
        from: (stream: Writable, prelude: object) => Object.assign(stream, { prelude }),
      },
    },
  });
}

type Streaming = (event: HttpEvent, stream: Writable, context: Context) => Promise<void>;
export async function callStreaming(handler: unknown, event: HttpEvent): Promise<Answer> {
  const stream = new PassThrough();
  const [body] = await Promise.all([buffer(stream), (handler as Streaming)(event, stream, CONTEXT)]);
  return { ...(stream as unknown as { prelude: Omit<Answer, 'body'> }).prelude, body: body.toString() };
}
