/** @behaviour s3.missing-objects */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, request as send } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { marshall } from '@aws-sdk/util-dynamodb';
import { hashApiKey, newApiKey } from '../../../shared/accounts/api-key.ts';
import { CLIENT_SETTINGS } from '../../../shared/runtime/clients.ts';
import { listenHere, originOf } from '../../support/loopback.ts';

const API_KEY = newApiKey('live');
const STORED_KEY = {
  ...hashApiKey(API_KEY),
  mode: 'live',
  ownerId: 'owner',
  ownerType: 'organization',
  ownerName: 'Acme',
  subscription: 'active',
  archive: false,
  reminders: false,
};

/** Runs the ingest as its container does, with a table of one API key, and S3 and Lambda that accept everything. */
const spool = mkdtempSync(join(tmpdir(), 'spool-'));
const staged = new Set<string>();
let storingMs = 0;
let aws: Server;
let ingest: ChildProcess;
let port: number;

async function freePort(): Promise<number> {
  const server = createServer();
  const found = await listenHere(server);
  server.close();
  return found;
}

beforeAll(async () => {
  aws = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    await request.resume().toArray();
    if (request.method === 'PUT') {
      await wait(storingMs);
      staged.add(path);
    }
    if (request.method === 'DELETE') staged.delete(path);
    if (request.headers['x-amz-target'] === 'DynamoDB_20120810.GetItem')
      response.end(JSON.stringify({ Item: marshall(STORED_KEY) }));
    else if (path.includes('/invocations'))
      response.end(JSON.stringify({ statusCode: 200, headers: {}, body: '{"id":"1"}' }));
    else response.end();
  });
  await listenHere(aws);
  port = await freePort();
  ingest = spawn(process.execPath, ['functions/ingest/main.ts'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      STAGING_BUCKET: 'staging',
      CREATE_FUNCTION_NAME: 'create',
      TABLE_NAME: 'table',
      BASE_URL: 'https://sign.example.com',
      SPOOL_FOLDER: spool,
      AWS_ENDPOINT_URL: originOf(aws),
      AWS_REGION: 'eu-north-1',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (ingest.stdout) await once(ingest.stdout, 'data');
});

afterAll(() => {
  ingest.kill('SIGKILL');
  aws.close();
  rmSync(spool, { recursive: true });
});

const post = (megabytes: number) =>
  new Promise<number | undefined>((done, failed) => {
    // Without an agent the connection is not kept alive, which the server would wait for when it exits.
    const headers = { authorization: `Bearer ${API_KEY}` };
    const options = { port, method: 'POST', path: '/api/v1/signatures', agent: false, headers };
    const call = send(options, (answer) => {
      answer.resume();
      done(answer.statusCode);
    });
    call.on('error', failed);
    const block = Buffer.alloc(1024 * 1024, 'x');
    const write = (left: number): void => {
      if (left === 0) call.end();
      else call.write(block, () => write(left - 1));
    };
    write(megabytes);
  });

/** Peak memory of the process in megabytes. */
const peakMb = () =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${ingest.pid}/status`, 'utf8'))?.[1]) / 1024;

describe('the ingest’s process', () => {
  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux(
    'the ingest fits eight concurrent bodies of 14 MB into its container, with little more memory than for one',
    async () => {
      expect(await post(14)).toBe(200);
      const one = peakMb();
      expect(await Promise.all(Array.from({ length: 8 }, () => post(14)))).toEqual(Array(8).fill(200));
      expect(peakMb()).toBeLessThan(300);
      expect(peakMb() - one).toBeLessThan(8 * 14);
      expect(staged).toEqual(new Set());
    },
  );

  it('the ingest stores a body for longer than other AWS calls may take', async () => {
    storingMs = CLIENT_SETTINGS.requestHandler.requestTimeout + 1_000;
    expect(await post(1)).toBe(200);
    storingMs = 0;
    expect(staged).toEqual(new Set());
  });

  it('the ingest answers malformed HTTP with an error in the service’s format', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.end('nonsense\r\n\r\n');
    const answer = Buffer.concat(await socket.toArray()).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({
      error: 'invalid_request',
      message: expect.any(String),
      docs: 'https://sign.example.com/docs/errors#invalid_request',
    });
  });

  it('the ingest finishes running requests before it exits on SIGTERM', async () => {
    const last = post(14);
    while (readdirSync(spool).length === 0) await new Promise((next) => setImmediate(next));
    ingest.kill('SIGTERM');
    const [code] = await once(ingest, 'exit');
    expect(await last).toBe(200);
    expect(code).toBe(0);
  });
});
