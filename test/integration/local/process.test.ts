import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Credentials } from '../../../local/ports.ts';
import { processTree } from '../../support/process-tree.ts';
import { until } from '../../support/until.ts';
import { PROJECT } from './notes.ts';

/** Runs `node local/main.ts` as a child process in the folder of the test stack. */

const MAIN = resolve('local/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'process-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Run {
  child: ChildProcess;
  output: { out: string; err: string };
  ended: Promise<unknown>;
}

function start(...args: string[]): Run {
  const child = spawn(process.execPath, [MAIN, ...args], { cwd: PROJECT, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  return { child, output, ended: once(child, 'close') };
}

async function startReady(...args: string[]): Promise<Run> {
  const run = start(...args);
  await until(
    () => {
      if (run.child.exitCode !== null) throw new Error(`The local cloud exited: ${run.output.err}`);
      return run.output.out.includes('Ready in');
    },
    'the start',
    30,
  );
  return run;
}

/** Finds two consecutive free ports. */
async function freePorts(): Promise<number> {
  const free = async (port: number) => {
    const server = createServer().listen(port, '127.0.0.1');
    const outcome = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    return outcome;
  };
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 30_000);
    if ((await free(port)) && (await free(port + 1))) return port;
  }
}

const runFile = (dir: string) => JSON.parse(readFileSync(join(dir, 'run.json'), 'utf8'));

/** The ids of all child processes, theirs included. */
const descendants = (pid: number) => processTree(pid).slice(1);

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const call = async (base: string, input: object) =>
  (await fetch(`${base}/v1/store`, { method: 'POST', body: JSON.stringify(input) })).json();

describe('a run of the local cloud', () => {
  const dir = join(folder, 'data');
  const invokeLater = (FunctionName: string, event: object, systemClockOffset: number) => {
    const { endpoint_url: endpoint, region, ...keys } = runFile(dir);
    const credentials = { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key };
    return new LambdaClient({ endpoint, region, credentials, systemClockOffset }).send(
      new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(event) }),
    );
  };
  const itemBy = async (credentials: Credentials, id: string, systemClockOffset: number) => {
    const { endpoint_url: endpoint, region, outputs } = runFile(dir);
    const { Item } = await new DynamoDBClient({ endpoint, region, credentials, systemClockOffset }).send(
      new GetItemCommand({ TableName: outputs.TableName, Key: { pk: { S: id } } }),
    );
    return Item;
  };
  let port: number;
  let run: Run;

  beforeAll(async () => {
    port = await freePorts();
    run = await startReady('--port', String(port), '--dir', dir);
  });

  it('the start prints the addresses and no errors', () => {
    expect(run.output.out).toMatch(new RegExp(`Service +http://localhost:${port}\\n`));
    expect(run.output.out).toMatch(new RegExp(`Inbox +http://localhost:${port + 1}\\n`));
    expect(run.output.err).toBe('');
    const steps =
      /^Loading\nSynthesizing the stack\nStarting the services\nCreating the resources\nStarting functions/;
    expect(run.output.out).toMatch(steps);
    expect(runFile(dir)).toMatchObject({
      base_url: `http://localhost:${port}`,
      control_url: `http://localhost:${port + 1}`,
    });
    expect(statSync(join(dir, 'run.json')).mode & 0o077).toBe(0);
  });

  it.each([
    [
      'the same folder',
      () => ['--port', '1024', '--dir', dir],
      () => `The folder ${dir} is in use by another local cloud`,
    ],
    [
      'the same port',
      () => ['--port', String(port), '--dir', join(folder, 'other')],
      () => `Port ${port} is in use.`,
    ],
  ])('a second start on %s is refused with one sentence', async (_what, args, sentence) => {
    const second = start(...args());
    await second.ended;
    expect(second.child.exitCode).toBe(1);
    expect(second.output.err).toContain(sentence());
    expect(second.output.err.trim().split('\n')).toHaveLength(1);
    expect(second.output.out).toBe('Loading\n');
  });

  it('items, messages in flight, queued events, the clock and what a function signed survive a kill', async () => {
    const base = `http://localhost:${port}`;
    const control = `http://localhost:${port + 1}`;
    await fetch(`${control}/clock`, { method: 'POST', body: '{"advance_seconds": 3600}' });
    await call(base, { call: 'put', id: 'kept' });
    const credentials = await call(base, { call: 'credentials' });
    await call(base, { call: 'send', body: 'late over a kill' });
    await invokeLater('notes-task', { name: 'over a kill', failures: 1 }, 3_600_000);
    const counted = (name: string, times: string) =>
      until(async () => {
        const { Item } = await call(base, { call: 'get', id: name });
        return Item?.times?.N === times;
      }, `${name} to be counted ${times} times`);
    await counted('message late over a kill', '1');
    await counted('task over a kill', '1');
    await until(() => run.output.err.includes('Attempt 1 fails'), 'the first failure');
    const children = descendants(run.child.pid ?? 0);
    expect(children.length).toBeGreaterThan(0);

    run.child.kill('SIGKILL');
    await run.ended;
    await until(() => !children.some(isAlive), 'the child processes to end');

    run = await startReady('--port', String(port), '--dir', dir);
    // The function that has these credentials was not called yet.
    expect(await itemBy(credentials, 'kept', 3_600_000)).toEqual({ pk: { S: 'kept' } });
    expect((await call(base, { call: 'get', id: 'kept' })).Item).toEqual({ pk: { S: 'kept' } });
    const clock = (await (await fetch(`${control}/clock`)).json()) as { offset_seconds: number };
    expect(clock.offset_seconds).toBe(3600);
    await fetch(`${control}/clock`, { method: 'POST', body: '{"advance_seconds": 61}' });
    await counted('message late over a kill', '2');
    await counted('task over a kill', '2');
  });

  it('Ctrl-C ends the local cloud with all its processes and removes the run file', async () => {
    const children = descendants(run.child.pid ?? 0);
    run.child.kill('SIGINT');
    await run.ended;
    expect(run.child.exitCode).toBe(0);
    await until(() => !children.some(isAlive), 'the child processes to end', 2);
    expect(() => runFile(dir)).toThrow();
    expect(run.output.err).toBe('');
  });

  // At a terminal the setup command gets the signal, too, and may have ended before the local cloud hears of it.
  it.each(['kill -INT $PPID; exit 130', 'exit 130', 'kill -INT $$'])(
    'Ctrl-C during the setup stops the local cloud as it does later: the end of the setup command is no fault: %s',
    async (setup) => {
      const interrupted = start('--port', String(port), '--dir', dir, '--setup', setup);
      await interrupted.ended;
      expect([interrupted.child.exitCode, interrupted.output.err]).toEqual([0, '']);
      expect(() => runFile(dir)).toThrow();
    },
  );

  it('--fresh deletes all data, and keeps the file whose lock keeps others out of the folder', async () => {
    const locked = join(dir, 'engine.sqlite');
    // With a second name, the file’s inode is not given to another one.
    linkSync(locked, join(folder, 'locked'));
    run = await startReady('--port', String(port), '--dir', dir, '--fresh');
    const { Item } = await call(`http://localhost:${port}`, { call: 'get', id: 'kept' });
    expect(Item).toBeUndefined();
    const clock = await (await fetch(`http://localhost:${port + 1}/clock`)).json();
    expect(clock).toMatchObject({ offset_seconds: 0 });
    expect(statSync(locked).ino).toBe(statSync(join(folder, 'locked')).ino);
    run.child.kill('SIGTERM');
    await run.ended;
    expect(run.child.exitCode).toBe(0);
  });
});

describe('errors at the start', () => {
  it.each([
    [['--colour', 'blue'], "Unknown option '--colour'. See npm start -- --help."],
    // As of an unset variable: its data would go into the folder of the project.
    [['--dir', '', '--port', 'eighty'], '--dir must name a folder.'],
    [['--port', 'eighty'], 'The port must be a whole number from 1 to 65534, not eighty.'],
    [['--port', '0'], 'not 0.'],
    [['-c', 'novalue'], '-c takes KEY=VALUE, not novalue.'],
    [['extra'], 'extra'],
  ])('the invalid options %j are one line and exit code 2', async (args, sentence) => {
    const run = start(...args);
    await run.ended;
    expect(run.child.exitCode).toBe(2);
    expect(run.output.err).toContain(sentence);
    expect(run.output.err.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['is a file', 'file'],
    ['is below a file', 'file/data'],
    ['holds a file that is no database', 'damaged'],
  ])('a data folder that %s is refused with one sentence', async (_what, name) => {
    writeFileSync(join(folder, 'file'), '');
    mkdirSync(join(folder, 'damaged'), { recursive: true });
    writeFileSync(join(folder, 'damaged', 'engine.sqlite'), 'no database'.repeat(100));
    const run = start('--dir', join(folder, name), '--port', String(await freePorts()));
    await run.ended;
    expect(run.child.exitCode).toBe(1);
    expect(run.output.err).toMatch(
      /^The data folder \/\S+ cannot be used: [^\n]+\. Name another with --dir\.\n$/,
    );
  });

  it('an unknown resource is reported with the path of its construct', async () => {
    const run = start(
      '-c',
      'unknown=on',
      '--dir',
      join(folder, 'unknown'),
      '--port',
      String(await freePorts()),
    );
    await run.ended;
    expect(run.child.exitCode).toBe(1);
    expect(run.output.err.trim()).toBe(
      'Notes/Unknown (AWS::Neptune::DBCluster): resources of this type are not implemented by the local cloud.',
    );
  });

  it.each([[['-c', 'throwsOnRequest=on']], [['--throws-on-request', 'on']], [['--throws-on-request=on']]])(
    'an error of the CDK app that got %j is shown as the app printed it',
    async (option) => {
      const run = start(...option, '--dir', join(folder, 'throws'), '--port', String(await freePorts()));
      await run.ended;
      expect(run.child.exitCode).toBe(1);
      expect(run.output.err).toMatch(/^Cannot synthesize the stack:\n/);
      expect(run.output.err).toContain('The app fails as asked.');
    },
  );
});
