import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { megabytes } from '../support/process-tree.ts';
import { npmStart, startRun, stopRun } from './support/npm-start.ts';

/**
 * Measures the local cloud: start-up time, latency of the health endpoint, DynamoDB calls a second from a function (of
 * the sample product in the local cloud's tests), and memory.
 */

const HEALTH_CALLS = 500;
const CALL_COUNT = 800;
const CONCURRENCY = 16;

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

const fresh = await npmStart('.', join(folder, 'product'));
rows.push(['ready, the first time (npm start)', `${fresh.seconds.toFixed(1)} s`]);
await stopRun(fresh);
const again = await npmStart('.', join(folder, 'product'));
rows.push(['ready, with its data', `${again.seconds.toFixed(1)} s`]);
rows.push(['memory at rest, all processes', `${megabytes(again.child.pid ?? 0).toFixed(0)} MB`]);
await healthTimes(again.baseUrl);
const warm = await healthTimes(again.baseUrl);
rows.push(['GET /api/health, p50', `${percentile(warm, 0.5).toFixed(1)} ms`]);
rows.push(['GET /api/health, p99', `${percentile(warm, 0.99).toFixed(1)} ms`]);
rows.push(['memory after 1,000 calls', `${megabytes(again.child.pid ?? 0).toFixed(0)} MB`]);
await stopRun(again);

const notes = await startRun(
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
await stopRun(notes);
rmSync(folder, { recursive: true });

console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}\n`);
console.log('| | |\n|---|---|');
for (const [name, value] of rows) console.log(`| ${name} | ${value} |`);
