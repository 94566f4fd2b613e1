/** The DynamoDB engine: dynoxide as a child process, or the endpoint in DYNAMODB_ENDPOINT. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CannotStart } from '../../cannot-start.ts';
import { freePort } from '../../listen.ts';
import { ServiceError } from '../service.ts';
import { type EngineAnswer, EngineClient } from './engine-client.ts';
import { namespaceOf, withTablePrefix } from './table-prefix.ts';

export interface Engine {
  send(operation: string, body: string | Uint8Array): Promise<EngineAnswer>;
  stop(): Promise<void>;
}

const START_WITHIN_MS = 10_000;

export async function startEngine(dataDir: string, log: (line: string) => void): Promise<Engine> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (!given) return startChild(dataDir, log);
  const send: Engine['send'] = async (operation, body) => {
    const answer = await fetch(given, {
      method: 'POST',
      headers: headersOf(operation),
      body: Buffer.from(body),
    });
    return { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) };
  };
  return {
    send: withTablePrefix(orUnreachable(send), namespaceOf(dataDir)),
    stop: async () => {},
  };
}

/**
 * The shell starts a watcher in the background and then becomes the engine. When this process dies, the pipe on
 * descriptor 3 closes without a line, and the watcher kills the engine. Detached, so Ctrl-C reaches only this process.
 */
const SUPERVISED = '{ read -r _ <&3 || kill -9 $$; } & exec "$0" "$@" 3<&-';

/** Another process may take the free port first: then tries the next one. */
async function startChild(dataDir: string, log: (line: string) => void): Promise<Engine> {
  const deadline = Date.now() + START_WITHIN_MS;
  for (;;) {
    const port = await freePort();
    const child = spawnEngine(port, dataDir);
    const client = new EngineClient(port);
    const engine: Engine = {
      send: orUnreachable((operation, body) => client.send(headersOf(operation), body)),
      stop: () => {
        client.close();
        return stopChild(child);
      },
    };
    if (await isReady(child, engine, deadline)) {
      reportUnexpectedExit(child, log);
      return engine;
    }
    if (!child.output().includes('already in use') || Date.now() > deadline) {
      child.process.kill('SIGKILL');
      throw new Error(`The DynamoDB engine did not start within 10 seconds: ${child.output()}`);
    }
  }
}

interface Child {
  process: ChildProcess;
  exited: Promise<string>;
  output(): string;
  /** Set when this process stops the engine on purpose. */
  stopping: boolean;
}

function spawnEngine(port: number, dataDir: string): Child {
  const args = ['serve', '--port', String(port), '--db-path', join(dataDir, 'dynamodb.sqlite')];
  const child = spawn('/bin/sh', ['-c', SUPERVISED, engineBinary(), ...args], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-2000);
  });
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      releaseWatcher(child);
      resolve(String(signal ?? code));
    });
  });
  return { process: child, exited, output: () => stderr.trim(), stopping: false };
}

/** Waits for the engine's own log line first: an answer on the port may come from another engine. */
async function isReady(child: Child, engine: Engine, deadline: number): Promise<boolean> {
  while (Date.now() < deadline && child.process.exitCode === null && child.process.signalCode === null) {
    if (child.output().includes('listening on')) {
      const answered = await engine.send('ListTables', '{}').catch(() => undefined);
      if (answered?.status === 200) return true;
    }
    await wait(2);
  }
  return false;
}

function reportUnexpectedExit(child: Child, log: (line: string) => void): void {
  child.exited.then((how) => {
    if (!child.stopping) log(`The DynamoDB engine exited (${how}): ${child.output()}`);
  });
}

async function stopChild(child: Child): Promise<void> {
  child.stopping = true;
  child.process.kill('SIGTERM');
  const killTimer = setTimeout(() => child.process.kill('SIGKILL'), 3000);
  await child.exited;
  clearTimeout(killTimer);
}

function releaseWatcher(child: ChildProcess): void {
  const pipe = child.stdio[3];
  if (pipe && 'end' in pipe) pipe.end('done\n');
}

function engineBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/dynoxide`);
  } catch {
    throw new CannotStart(
      `The DynamoDB engine for ${process.platform} ${process.arch} (${name}) is not installed. This command installs it, if there ` +
        'is one: npm install --no-save dynoxide@1.2.1\n' +
        'Or use another DynamoDB: DYNAMODB_ENDPOINT=http://127.0.0.1:8000 npm start',
    );
  }
}

const headersOf = (operation: string) => ({
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': `DynamoDB_20120810.${operation}`,
  // The engine needs a signature but does not check it; the caller's was checked before.
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
});

const orUnreachable =
  (send: Engine['send']): Engine['send'] =>
  async (operation, body) => {
    try {
      return await send(operation, body);
    } catch (error) {
      const { message } =
        error instanceof Error && error.cause instanceof Error ? error.cause : Object(error);
      throw new ServiceError('InternalServerError', `The DynamoDB engine cannot be reached: ${message}`, 500);
    }
  };
