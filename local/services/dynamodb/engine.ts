import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../service.ts';

/** The process that keeps the tables: dynoxide, or whatever DYNAMODB_ENDPOINT names. */

export interface Engine {
  send(operation: string, body: string | Uint8Array): Promise<EngineAnswer>;
  stop(): Promise<void>;
}

const startWithinMs = 10_000;

export interface EngineAnswer {
  status: number;
  body: Buffer;
}

export async function startEngine(dataDir: string, log: (line: string) => void): Promise<Engine> {
  const given = process.env.DYNAMODB_ENDPOINT;
  return given ? connect(new URL(given), async () => {}) : startChild(dataDir, log);
}

/**
 * The shell leaves a watcher behind and becomes the engine. The watcher ends the engine when the pipe on descriptor 3
 * closes without a word, as it does when this process dies, however it dies. Detached, so that Ctrl-C reaches only us.
 */
const supervised = '{ read -r _ <&3 || kill -9 $$; } & exec "$0" "$@" 3<&-';

/** A port found free may be taken a moment later, by another start: then the next one is tried. */
async function startChild(dataDir: string, log: (line: string) => void): Promise<Engine> {
  const deadline = Date.now() + startWithinMs;
  for (;;) {
    const port = await freePort();
    const child = spawnEngine(port, dataDir);
    const engine = connect(new URL(`http://127.0.0.1:${port}`), () => end(child));
    if (await isReady(child, engine, deadline)) {
      reportEnd(child, log);
      return engine;
    }
    if (!child.complaints().includes('already in use') || Date.now() > deadline) {
      child.process.kill('SIGKILL');
      throw new Error(`The DynamoDB engine did not start within 10 seconds: ${child.complaints()}`);
    }
  }
}

interface Child {
  process: ChildProcess;
  exited: Promise<string>;
  complaints(): string;
  /** We ended it ourselves. */
  ending: boolean;
}

function spawnEngine(port: number, dataDir: string): Child {
  const args = ['serve', '--port', String(port), '--db-path', join(dataDir, 'dynamodb.sqlite')];
  const child = spawn('/bin/sh', ['-c', supervised, engineBinary(), ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said = (said + chunk).slice(-2000);
  });
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      letWatcherGo(child);
      resolve(String(signal ?? code));
    });
  });
  return { process: child, exited, complaints: () => said.trim(), ending: false };
}

/** It says so itself, before it is asked: an answer on the port alone might come from another engine. */
async function isReady(child: Child, engine: Engine, deadline: number): Promise<boolean> {
  while (Date.now() < deadline && child.process.exitCode === null && child.process.signalCode === null) {
    if (child.complaints().includes('listening on')) {
      const answered = await engine.send('ListTables', '{}').catch(() => undefined);
      if (answered?.status === 200) return true;
    }
    await wait(2);
  }
  return false;
}

function reportEnd(child: Child, log: (line: string) => void): void {
  child.exited.then((how) => {
    if (!child.ending) log(`The DynamoDB engine ended (${how}): ${child.complaints()}`);
  });
}

async function end(child: Child): Promise<void> {
  child.ending = true;
  child.process.kill('SIGTERM');
  const impatience = setTimeout(() => child.process.kill('SIGKILL'), 3000);
  await child.exited;
  clearTimeout(impatience);
}

function letWatcherGo(child: ChildProcess): void {
  const pipe = child.stdio[3];
  if (pipe && 'end' in pipe) pipe.end('done\n');
}

function engineBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/dynoxide`);
  } catch {
    throw new Error(
      `No DynamoDB engine for ${process.platform} ${process.arch}: install dynoxide (https://github.com/nubo-db/dynoxide), ` +
        'run `dynoxide serve --port 8000`, and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000',
    );
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function connect(endpoint: URL, stop: () => Promise<void>): Engine {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const send = (operation: string, body: string | Uint8Array) =>
    new Promise<EngineAnswer>((resolve, reject) => {
      const outgoing = request(endpoint, {
        agent,
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'content-length': Buffer.byteLength(body),
          'x-amz-target': `DynamoDB_20120810.${operation}`,
          // The engine checks no signature, but wants one; the caller's was checked before.
          'x-amz-date': '20260101T000000Z',
          authorization:
            'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
        },
      });
      outgoing.once('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk) => chunks.push(chunk));
        incoming.once('end', () =>
          resolve({ status: incoming.statusCode ?? 500, body: Buffer.concat(chunks) }),
        );
        incoming.once('error', reject);
      });
      outgoing.once('error', (error) =>
        reject(
          new ServiceError(
            'InternalServerError',
            `The DynamoDB engine cannot be reached: ${error.message}`,
            500,
          ),
        ),
      );
      outgoing.end(body);
    });
  return {
    send,
    stop: async () => {
      agent.destroy();
      await stop();
    },
  };
}
