import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slowness } from '../support/cpu-time.ts';
import { hostilePdf } from './hostile-pdfs.ts';
import type { Reading } from './reader.ts';

/**
 * `node test/fuzz/main.ts [FILES] [FIRST]` makes so many hostile PDFs, beginning with the seed FIRST, has each read as
 * at intake, and prints what that cost as JSON. Fails if one crashes the reader or takes more than the service allows.
 */

/** Of processor time, on the machine that the limits of the tests are meant for. Measured warm: the least of three. */
const MAX_MILLISECONDS = Math.round(1_500 * Math.min(slowness(), slowness(), slowness()));
const MAX_MEGABYTES = 300;
const GROWN_MEGABYTES = 80;
/** Of time on the clock, so that a reader that others slow down is not taken for one that hangs. */
const HANGS_AFTER_MS = 600_000;

const [files = 300, first = 0] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const file = join(folder, 'hostile.pdf');
const tiny = Buffer.from('%PDF-1.7');

interface Result extends Reading {
  seed: number;
  bytes: number;
}

const startReader = () => fork(new URL('./reader.ts', import.meta.url), { execArgv: ['--expose-gc'] });

let reader = startReader();
let idleBytes = (await read(tiny)).peakBytes;

async function read(pdf: Uint8Array): Promise<Reading> {
  writeFileSync(file, pdf);
  reader.send(file);
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(HANGS_AFTER_MS)]);
  try {
    return await Promise.race([
      once(reader, 'message', { signal }).then(([reading]) => reading as Reading),
      once(reader, 'exit', { signal }).then(() => failure('crash')),
    ]);
  } catch {
    return failure('hang');
  } finally {
    ended.abort();
  }
}

const failure = (answer: string): Reading => ({ answer, milliseconds: HANGS_AFTER_MS, peakBytes: 0 });

async function restartReader(): Promise<void> {
  reader.kill('SIGKILL');
  reader = startReader();
  idleBytes = (await read(tiny)).peakBytes;
}

const answers: Record<string, number> = {};
const failed: Result[] = [];
const slowest: Result[] = [];
let peakMegabytes = 0;
for (let seed = first; seed < first + files; seed += 1) {
  const pdf = hostilePdf(seed);
  const result: Result = { seed, bytes: pdf.length, ...(await read(pdf)) };
  answers[result.answer] = (answers[result.answer] ?? 0) + 1;
  const megabytes = (result.peakBytes - idleBytes) / 1024 / 1024;
  peakMegabytes = Math.max(peakMegabytes, Math.round(megabytes));
  slowest.push(result);
  slowest.sort((a, b) => b.milliseconds - a.milliseconds).splice(10);
  if (result.milliseconds > MAX_MILLISECONDS || megabytes > MAX_MEGABYTES) failed.push(result);
  // The next file must not inherit a heap that has grown.
  if (result.peakBytes === 0 || megabytes > GROWN_MEGABYTES) await restartReader();
}
reader.kill();
rmSync(folder, { recursive: true });
console.log(
  JSON.stringify(
    { files, maxMilliseconds: MAX_MILLISECONDS, peakMegabytes, answers, failed, slowest },
    null,
    2,
  ),
);
process.exitCode = failed.length > 0 ? 1 : 0;
