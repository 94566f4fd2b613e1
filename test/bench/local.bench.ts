import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '../../local/listen.ts';

/**
 * Measures the local cloud: start-up time, latency of the health endpoint, DynamoDB calls a second from a function (of
 * the sample product in the local cloud's tests), and memory.
 */

const HEALTH_CALLS = 500;
const CALL_COUNT = 800;
const CONCURRENCY = 16;

interface Run {
  child: ChildProcess;
  baseUrl: string;
  seconds: number;
}

async function start(cwd: string, dir: string, command: string, ...args: string[]): Promise<Run> {
  const startedAt = performance.now();
  const port = String(await freePort());
  const child = spawn(command, [...args, '--port', port, '--dir', dir], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes('Ready in')) break;
  }
  child.stdout.resume();
  if (!output.includes('Ready in')) throw new Error('The local cloud did not start.');
  return { child, baseUrl: `http://localhost:${port}`, seconds: (performance.now() - startedAt) / 1000 };
}

async function stop({ child }: Run): Promise<void> {
  const ended = once(child, 'close');
  for (const pid of tree(child.pid ?? 0)) {
    const isCloud = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('local/main.ts\0');
    if (isCloud) process.kill(pid, 'SIGINT');
  }
  await ended;
}

/** Returns a process and all its descendants. */
function tree(root: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const descendants = (parent: number): number[] =>
    rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...descendants(pid)] : []));
  return [root, ...descendants(root)];
}

/** The memory of the processes, with shared pages counted once (PSS). */
function megabytes(root: number): number {
  const sizes = tree(root).map((pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

async function healthTimes(baseUrl: string): Promise<number[]> {
  const times: number[] = [];
  for (let call = 0; call < HEALTH_CALLS; call += 1) {
    const startedAt = performance.now();
    await (await fetch(`${baseUrl}/api/health`)).arrayBuffer();
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b);
}

const percentile = (sorted: number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;

async function perSecond(baseUrl: string, call: string): Promise<number> {
  const of = { call, count: CALL_COUNT, atOnce: CONCURRENCY };
  const body = JSON.stringify({ call: 'repeat', of });
  const answer = await fetch(`${baseUrl}/v1/store`, { method: 'POST', body });
  if (!answer.ok) throw new Error(`${call} failed: ${await answer.text()}`);
  const { milliseconds } = (await answer.json()) as { milliseconds: number };
  return (CALL_COUNT / milliseconds) * 1000;
}

const folder = mkdtempSync(join(tmpdir(), 'local-bench-'));
const rows: [string, string][] = [];

const fresh = await start('.', join(folder, 'product'), 'npm', 'start', '--silent', '--');
rows.push(['ready, the first time (npm start)', `${fresh.seconds.toFixed(1)} s`]);
await stop(fresh);
const again = await start('.', join(folder, 'product'), 'npm', 'start', '--silent', '--');
rows.push(['ready, with its data', `${again.seconds.toFixed(1)} s`]);
rows.push(['memory at rest, all processes', `${megabytes(again.child.pid ?? 0).toFixed(0)} MB`]);
await healthTimes(again.baseUrl);
const warm = await healthTimes(again.baseUrl);
rows.push(['GET /api/health, p50', `${percentile(warm, 0.5).toFixed(1)} ms`]);
rows.push(['GET /api/health, p99', `${percentile(warm, 0.99).toFixed(1)} ms`]);
rows.push(['memory after 1,000 calls', `${megabytes(again.child.pid ?? 0).toFixed(0)} MB`]);
await stop(again);

const notes = await start(
  'test/fixtures/local-stack',
  join(folder, 'notes'),
  process.execPath,
  resolve('local/main.ts'),
);
for (const [call, what] of [
  ['put', 'PutItem'],
  ['get', 'GetItem'],
  ['transact', 'TransactWriteItems of 3 items'],
] as const) {
  rows.push([
    `${what} in a function, ${CONCURRENCY} at once`,
    `${(await perSecond(notes.baseUrl, call)).toFixed(0)} /s`,
  ]);
}
await stop(notes);
rmSync(folder, { recursive: true });

console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}\n`);
console.log('| | |\n|---|---|');
for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
