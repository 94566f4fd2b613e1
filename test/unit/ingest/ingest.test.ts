import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { jest } from '@jest/globals';
import { ServiceException } from '@smithy/core/client';
import { mockClient } from 'aws-sdk-client-mock';
import { MAX_BODIES_PER_NETWORK, MAX_BYTES, makeIngest } from '../../../functions/ingest/ingest.ts';
import { ApiError } from '../../../shared/contract/api-error.ts';
import { listenHere } from '../../support/loopback.ts';
import { skipPauses } from '../../support/virtual-time.ts';

const MAX_MEGABYTES = MAX_BYTES / 1024 / 1024;
const s3 = mockClient(S3Client);
const lambda = mockClient(LambdaClient);
const spool = mkdtempSync(join(tmpdir(), 'spool-'));
let known: boolean;
/** Called when a caller is authenticated. */
let onAuthenticate: () => Promise<void>;
/** Stored objects: key and length. */
const stored = new Map<string, number>();
let server: Server;
let port: number;

const ANSWER = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json', 'X-Request-Id': 'r' },
  body: '{"id":"1"}',
};
const answering = (value: unknown, error?: string) =>
  lambda.on(InvokeCommand).resolves({
    Payload: Buffer.from(JSON.stringify(value)) as never,
    ...(error && { FunctionError: error }),
  });

/** An error of the AWS SDK. */
const named = (name: string) => new ServiceException({ name, $fault: 'server', $metadata: {} });

async function lengthOf(body: Readable): Promise<number> {
  let bytes = 0;
  for await (const chunk of body) bytes += (chunk as Buffer).length;
  return bytes;
}

beforeAll(async () => {
  server = createServer(
    makeIngest({
      s3: new S3Client({}),
      lambda: new LambdaClient({}),
      bucket: 'staging',
      functionName: 'create',
      baseUrl: 'https://sign.example.com',
      authenticate: async () => {
        await onAuthenticate();
        if (!known) throw new ApiError('unauthorized', 'The API key is unknown or was revoked.');
      },
      spool,
    }),
  );
  port = await listenHere(server);
});

afterAll(() => {
  server.close();
  rmSync(spool, { recursive: true });
});

beforeEach(() => {
  known = true;
  onAuthenticate = async () => undefined;
  stored.clear();
  s3.reset();
  lambda.reset();
  skipPauses();
  answering(ANSWER);
  s3.on(PutObjectCommand).callsFake(async ({ Key, Body }: { Key: string; Body: Readable }) => {
    stored.set(Key, await lengthOf(Body));
  });
});

afterEach(() => {
  jest.useRealTimers();
});

interface Got {
  status: number;
  headers: IncomingMessage['headers'];
  json: { error?: string; message?: string };
}

/** Posts this many megabytes, chunked unless there is a content length. */
const post = (megabytes: number, headers: Record<string, string> = {}, path = '/api/v1/signatures') =>
  new Promise<Got>((done, failed) => {
    const call = send({ port, method: 'POST', path, headers }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part as Buffer);
      done({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        json: JSON.parse(Buffer.concat(parts).toString()),
      });
    });
    // The server may refuse and close the connection during the upload.
    call.on('error', (error: NodeJS.ErrnoException) => {
      if (!['EPIPE', 'ECONNRESET'].includes(error.code ?? '')) failed(error);
    });
    for (let sent = 0; sent < megabytes; sent += 1) call.write(Buffer.alloc(1024 * 1024, 'x'));
    call.end();
  });

const event = () => {
  const { Payload } = lambda.commandCalls(InvokeCommand)[0]?.args[0].input ?? {};
  return JSON.parse(String(Payload)) as Record<string, unknown> & {
    headers: Record<string, string>;
    requestContext: { requestId: string };
  };
};

describe('the ingest', () => {
  it('the ingest stages a body of the maximum size, calls the function with a reference, returns its answer, and cleans up', async () => {
    const got = await post(MAX_MEGABYTES, { 'content-length': String(MAX_BYTES) });
    expect(got).toMatchObject({ status: 200, json: { id: '1' }, headers: { 'x-request-id': 'r' } });
    const [[key, bytes] = []] = stored;
    expect(bytes).toBe(MAX_BYTES);
    expect(event()).toMatchObject({ httpMethod: 'POST', body: null, bodyReference: { key } });
    expect(s3.commandCalls(DeleteObjectCommand)[0]?.args[0].input).toEqual({ Bucket: 'staging', Key: key });
    expect(readdirSync(spool)).toEqual([]);
  });

  it('the ingest accepts a chunked body of the maximum size', async () => {
    const got = await post(MAX_MEGABYTES);
    expect(got.status).toBe(200);
    expect([...stored.values()]).toEqual([MAX_BYTES]);
  });

  it('the ingest forwards every header, including the origin secret and the viewer’s address', async () => {
    await post(1, {
      authorization: 'Bearer esk_live_x',
      'x-origin-secret': 's',
      'x-viewer-address': '203.0.113.9',
      'idempotency-key': 'k',
    });
    expect(event().headers).toMatchObject({
      authorization: 'Bearer esk_live_x',
      'x-origin-secret': 's',
      'x-viewer-address': '203.0.113.9',
      'idempotency-key': 'k',
    });
    expect(event().requestContext.requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('the ingest stores nothing of a stranger, and reads the body so that the client sees the answer', async () => {
    known = false;
    const got = await post(14);
    expect(got).toMatchObject({
      status: 401,
      json: { error: 'unauthorized', message: 'The API key is unknown or was revoked.' },
    });
    expect(readdirSync(spool)).toEqual([]);
    expect([...s3.calls(), ...lambda.calls()]).toEqual([]);
  });

  it.each<[string, (host: number) => string, string]>([
    ['IPv4', () => '203.0.113.9', '203.0.113.10'],
    ['IPv6', (host) => `2001:db8:0:1::${host}`, '2001:db8:0:2::1'],
  ])('the ingest takes only so many bodies at a time from one network of %s', async (_, one, another) => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    let waiting = 0;
    onAuthenticate = () => {
      waiting += 1;
      return gate;
    };
    const from = (address: string) => post(1, { 'x-viewer-address': address });
    const first = Array.from({ length: MAX_BODIES_PER_NETWORK }, (_, host) => from(one(host)));
    await until(() => waiting === MAX_BODIES_PER_NETWORK);
    const refused = await post(0, { 'x-viewer-address': one(99) });
    expect(refused).toMatchObject({
      status: 429,
      json: { error: 'too_many_requests' },
      headers: { 'retry-after': '2' },
    });
    const other = from(another);
    await until(() => waiting === MAX_BODIES_PER_NETWORK + 1);
    open();
    for (const { status } of await Promise.all([...first, other])) expect(status).toBe(200);
    expect((await from(one(99))).status).toBe(200);
  });

  it('the ingest refuses a body by its content length before reading it', async () => {
    const got = await post(0, { 'content-length': String(MAX_BYTES + 1) });
    expect(got).toMatchObject({
      status: 413,
      json: { error: 'document_too_large' },
      headers: { connection: 'close' },
    });
    expect(s3.calls()).toEqual([]);
  });

  it('the ingest refuses a chunked body of 20 MB and stores nothing', async () => {
    const got = await post(20);
    expect(got).toMatchObject({ status: 413, json: { error: 'document_too_large' } });
    expect(s3.calls()).toEqual([]);
    expect(readdirSync(spool)).toEqual([]);
  });

  it('the ingest leaves nothing behind if the client disconnects during the upload, and logs no failure of its own', async () => {
    const logged = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    const call = send({
      port,
      method: 'POST',
      path: '/api/v1/signatures',
      headers: { 'content-length': '9000000' },
    });
    call.on('error', () => {});
    await new Promise<void>((done) => call.write(Buffer.alloc(1_000_000), () => done()));
    await until(() => readdirSync(spool).length === 1);
    call.destroy();
    const lines = () => logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    await until(() => lines().some(({ message }) => message === 'Request completed'));
    expect(lines().filter(({ level }) => level === 'error')).toEqual([]);
    logged.mockRestore();
    expect(readdirSync(spool)).toEqual([]);
    expect(s3.calls()).toEqual([]);
    expect(lambda.calls()).toEqual([]);
  });

  it.each([
    ['fails', () => answering({ errorMessage: 'Task timed out' }, 'Unhandled'), 500, 'internal_error'],
    [
      'is throttled',
      () => lambda.on(InvokeCommand).rejects(named('TooManyRequestsException')),
      503,
      'service_unavailable',
    ],
    ['does not answer', () => lambda.on(InvokeCommand).rejects(named('TimeoutError')), 504, 'timed_out'],
  ])(
    'the ingest returns the gateway’s error if the function %s, and cleans up',
    async (_, arrange, status, error) => {
      lambda.reset();
      arrange();
      const got = await post(1);
      expect(got).toMatchObject({ status, json: { error } });
      expect(got.json).toEqual({
        error,
        message: expect.any(String),
        request_id: got.headers['x-request-id'],
        docs: `https://sign.example.com/docs/errors#${error}`,
      });
      expect(s3.commandCalls(DeleteObjectCommand)).toHaveLength(1);
    },
  );

  it.each([
    ['SlowDown', 503, 'service_unavailable'],
    ['ServiceUnavailable', 503, 'service_unavailable'],
    ['TimeoutError', 504, 'timed_out'],
    ['InternalError', 500, 'internal_error'],
  ])('the ingest returns an error if the bucket fails again and again: %s', async (name, status, error) => {
    s3.on(PutObjectCommand).rejects(named(name));
    expect(await post(1)).toMatchObject({ status, json: { error } });
    expect(s3.commandCalls(PutObjectCommand)).toHaveLength(3);
    expect(lambda.calls()).toEqual([]);
    expect(readdirSync(spool)).toEqual([]);
  });

  it('a caller whose key the table has no capacity to read is asked to come back', async () => {
    onAuthenticate = async () => {
      throw named('ProvisionedThroughputExceededException');
    };
    expect(await post(1)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '2' },
      json: { error: 'service_unavailable' },
    });
    expect(s3.calls()).toEqual([]);
  });

  it('a body that the bucket does not take leaves no open file', async () => {
    const bodies: Readable[] = [];
    s3.on(PutObjectCommand).callsFake(({ Body }: { Body: Readable }) => {
      bodies.push(Body);
      throw named('SlowDown');
    });
    expect((await post(1)).status).toBe(503);
    await until(() => bodies.every(({ closed }) => closed));
    expect(bodies).toHaveLength(3);
  });

  it('a body that the bucket does not take at first is sent again from its beginning', async () => {
    const attempts: number[] = [];
    s3.on(PutObjectCommand).callsFake(async ({ Key, Body }: { Key: string; Body: Readable }) => {
      const bytes = await lengthOf(Body);
      if (attempts.push(bytes) < 3) throw named('SlowDown');
      stored.set(Key, bytes);
    });
    expect((await post(6)).status).toBe(200);
    expect(attempts).toEqual(Array(3).fill(6 * 1024 * 1024));
    expect([...stored.values()]).toEqual([6 * 1024 * 1024]);
    expect(readdirSync(spool)).toEqual([]);
  });

  it('the ingest succeeds even if the staged body cannot be removed', async () => {
    s3.on(DeleteObjectCommand).rejects(new Error('SlowDown'));
    expect((await post(1)).status).toBe(200);
  });

  it('the ingest serves only create-signature and its health check', async () => {
    expect(await post(1, {}, '/api/v1/uploads')).toMatchObject({ status: 404, json: { error: 'not_found' } });
    const read = await fetch(`http://127.0.0.1:${port}/api/v1/signatures`);
    expect([read.status, lambda.calls()]).toEqual([404, []]);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect(s3.calls()).toEqual([]);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((next) => setImmediate(next));
}
