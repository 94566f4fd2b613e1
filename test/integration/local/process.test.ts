import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { until } from '../../support/until.ts';
import { project } from './notes.ts';

/** `node local/main.ts` as people run it, in the folder of the note-keeping product. */

const main = resolve('local/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'process-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Run {
  child: ChildProcess;
  said: { out: string; err: string };
  ended: Promise<unknown>;
}

function start(...args: string[]): Run {
  const child = spawn(process.execPath, [main, ...args], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  return { child, said, ended: once(child, 'close') };
}

async function startReady(...args: string[]): Promise<Run> {
  const run = start(...args);
  await until(
    () => {
      if (run.child.exitCode !== null) throw new Error(`It ended: ${run.said.err}`);
      return run.said.out.includes('Ready in');
    },
    'the start',
    30,
  );
  return run;
}

/** Two ports side by side that are free. */
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

/** Every process that descends from this one. */
function descendants(pid: number): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([id = 0, ppid]) => (ppid === parent ? [id, ...below(id)] : []));
  return below(pid);
}

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

describe('the local cloud as a process', () => {
  const dir = join(folder, 'data');
  const invokeLater = (FunctionName: string, event: object, systemClockOffset: number) => {
    const { endpoint_url: endpoint, region, ...keys } = runFile(dir);
    const credentials = { accessKeyId: keys.access_key_id, secretAccessKey: keys.secret_access_key };
    return new LambdaClient({ endpoint, region, credentials, systemClockOffset }).send(
      new InvokeCommand({ FunctionName, InvocationType: 'Event', Payload: JSON.stringify(event) }),
    );
  };
  let port: number;
  let run: Run;

  beforeAll(async () => {
    port = await freePorts();
    run = await startReady('--port', String(port), '--dir', dir);
  }, 60_000);

  it('says where everything is, and nothing else', () => {
    expect(run.said.out).toMatch(new RegExp(`Service +http://localhost:${port}\\n`));
    expect(run.said.out).toMatch(new RegExp(`Inbox +http://localhost:${port + 1}\\n`));
    expect(run.said.err).toBe('');
    expect(runFile(dir)).toMatchObject({
      base_url: `http://localhost:${port}`,
      control_url: `http://localhost:${port + 1}`,
    });
    expect(statSync(join(dir, 'run.json')).mode & 0o077).toBe(0);
  });

  it.each([
    ['the same folder', () => ['--port', '1024', '--dir', dir], () => `The folder ${dir} is in use`],
    [
      'the same port',
      () => ['--port', String(port), '--dir', join(folder, 'other')],
      () => `Port ${port} is in use.`,
    ],
  ])('refuses a second start on %s with one sentence', async (_what, args, sentence) => {
    const second = start(...args());
    await second.ended;
    expect(second.child.exitCode).toBe(1);
    expect(second.said.err).toContain(sentence());
    expect(second.said.err.trim().split('\n')).toHaveLength(1);
    expect(second.said.out).toBe('');
  });

  it('loses nothing when it is killed: items, messages in flight, events that wait, the clock', async () => {
    const base = `http://localhost:${port}`;
    const control = `http://localhost:${port + 1}`;
    await fetch(`${control}/clock`, { method: 'POST', body: '{"advance_seconds": 3600}' });
    await call(base, { call: 'put', id: 'kept' });
    await call(base, { call: 'send', body: 'late over a kill' });
    await invokeLater('notes-task', { name: 'over a kill', failures: 1 }, 3_600_000);
    const counted = (name: string, times: string) =>
      until(async () => {
        const { Item } = await call(base, { call: 'get', id: name });
        return Item?.times?.N === times;
      }, `${name} to be counted ${times} times`);
    await counted('message late over a kill', '1');
    await counted('task over a kill', '1');
    await until(() => run.said.err.includes('Attempt 1 fails'), 'the first failure');
    const children = descendants(run.child.pid ?? 0);
    expect(children.length).toBeGreaterThan(0);

    run.child.kill('SIGKILL');
    await run.ended;
    await until(() => !children.some(isAlive), 'its children to end');

    run = await startReady('--port', String(port), '--dir', dir);
    expect((await call(base, { call: 'get', id: 'kept' })).Item).toEqual({ pk: { S: 'kept' } });
    const clock = (await (await fetch(`${control}/clock`)).json()) as { offset_seconds: number };
    expect(clock.offset_seconds).toBe(3600);
    await fetch(`${control}/clock`, { method: 'POST', body: '{"advance_seconds": 61}' });
    await counted('message late over a kill', '2');
    await counted('task over a kill', '2');
  }, 60_000);

  it('ends at Ctrl-C and leaves no process and no run file behind', async () => {
    const children = descendants(run.child.pid ?? 0);
    run.child.kill('SIGINT');
    await run.ended;
    expect(run.child.exitCode).toBe(0);
    await until(() => !children.some(isAlive), 'its children to end', 2);
    expect(() => runFile(dir)).toThrow();
    expect(run.said.err).toBe('');
  });

  it('begins with nothing when it is told to', async () => {
    run = await startReady('--port', String(port), '--dir', dir, '--fresh');
    const { Item } = await call(`http://localhost:${port}`, { call: 'get', id: 'kept' });
    expect(Item).toBeUndefined();
    run.child.kill('SIGTERM');
    await run.ended;
    expect(run.child.exitCode).toBe(0);
  }, 60_000);
});

describe('what it cannot do', () => {
  it.each([
    [['--colour', 'blue'], "Unknown option '--colour'"],
    [['--port', 'eighty'], 'The port must be a whole number from 1 to 65534, not eighty.'],
    [['--port', '0'], 'not 0.'],
    [['-c', 'novalue'], '-c takes KEY=VALUE, not novalue.'],
    [['extra'], 'extra'],
  ])('is said in one line for %j, with exit code 2', async (args, sentence) => {
    const run = start(...args);
    await run.ended;
    expect(run.child.exitCode).toBe(2);
    expect(run.said.err).toContain(sentence);
    expect(run.said.err.trim().split('\n')).toHaveLength(1);
  });

  it('is named, with the construct, for a resource that it does not know', async () => {
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
    expect(run.said.err.trim()).toBe(
      'Notes/Stranger (AWS::Neptune::DBCluster): resources of this type are not implemented by the local cloud.',
    );
  }, 60_000);

  it('is told in the app’s own words where the app fails', async () => {
    const run = start('-c', 'throws=on', '--dir', join(folder, 'throws'));
    await run.ended;
    expect(run.child.exitCode).toBe(1);
    expect(run.said.err).toMatch(/^The stack could not be synthesized:\n/);
    expect(run.said.err).toContain('The app has a fault of its own.');
  }, 60_000);
});
