import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { markdownTable } from '../../docs/cost/markdown-table.ts';
import { makePdfOfSize } from '../support/pdf.ts';
import { megabytes, processorSeconds } from '../support/process-tree.ts';
import { npmStart, type Run, stopRun } from './support/npm-start.ts';
import { circumstances, commitOf, median, writeSection } from './support/report.ts';
import {
  callsByFunction,
  forgetCalls,
  type LifeTimes,
  openService,
  runLife,
  type ServiceClient,
  untilQueuesEmpty,
} from './support/service-client.ts';

/**
 * Measures whole lives of requests against `npm start`: created, read and signed by three signers, sealed, downloaded.
 *
 *   npm run bench:lives                                  this checkout
 *   npm run bench:lives -- --against ../other            it and another checkout, turn and turn about, with ratios
 *   npm run bench:lives -- --dir .local --pid PID        a service that runs already
 *
 * `--rounds N --lives N`: so many rounds, each of so many lives of one client and then of four. `--rest SECONDS`: the memory
 * after so long without a call, too. `--write` puts the result into docs/performance.md.
 */

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    dir: { type: 'string' },
    pid: { type: 'string' },
    rounds: { type: 'string', default: '4' },
    lives: { type: 'string', default: '20' },
    rest: { type: 'string', default: '0' },
    write: { type: 'boolean', default: false },
  },
});
const ROUNDS = Number(values.rounds);
const LIVES = Number(values.lives);
const REST_MS = Number(values.rest) * 1_000;
const CLIENTS = [1, 4];
const WARM_UP_LIVES = 4;
const PDF_BYTES = 100 * 1024;

interface Subject {
  name: string;
  pid: number;
  service: ServiceClient;
  samples: Map<number, Sample[]>;
  stop(): Promise<void>;
}

/** One turn: some lives by some clients. */
interface Sample {
  times: LifeTimes[];
  seconds: number;
  processor: number;
  calls: Record<string, number>;
}

const pdf = (await makePdfOfSize(PDF_BYTES)).toString('base64');
let lives = 0;

async function runLives(service: ServiceClient, clients: number, count: number): Promise<LifeTimes[]> {
  const times: LifeTimes[] = [];
  let left = count;
  const client = async () => {
    for (; left > 0; ) {
      left -= 1;
      lives += 1;
      times.push(await runLife(service, pdf, `life${lives}`));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

async function measure({ service, pid }: Subject, clients: number): Promise<Sample> {
  await untilQueuesEmpty(service);
  await forgetCalls(service);
  const before = processorSeconds(pid);
  const start = performance.now();
  const times = await runLives(service, clients, LIVES);
  const seconds = (performance.now() - start) / 1_000;
  await untilQueuesEmpty(service);
  const processor = processorSeconds(pid) - before;
  return { times, seconds, processor, calls: await callsByFunction(service) };
}

const folder = mkdtempSync(join(tmpdir(), 'lives-'));

function subjectOf(
  name: string,
  dir: string,
  pid: number,
  makesEvidence: boolean,
  stop: () => Promise<void>,
): Subject {
  const service = openService(dir, makesEvidence);
  return {
    name,
    pid,
    service,
    samples: new Map(CLIENTS.map((clients) => [clients, []])),
    stop: async () => {
      service.close();
      await stop();
    },
  };
}

async function startSubject(checkout: string): Promise<Subject> {
  const name = commitOf(checkout);
  // Both checkouts may be at one commit.
  const dir = mkdtempSync(join(folder, 'run-'));
  const run: Run = await npmStart(checkout, dir);
  const makesEvidence = existsSync(join(checkout, 'functions/api/get-evidence.ts'));
  return subjectOf(name, dir, run.child.pid ?? 0, makesEvidence, () => stopRun(run));
}

async function subjects(): Promise<Subject[]> {
  if (values.dir !== undefined) {
    if (values.pid === undefined) throw new Error('--dir needs the --pid of the service.');
    return [subjectOf('the running service', values.dir, Number(values.pid), true, async () => undefined)];
  }
  if (values.against !== undefined && !existsSync(join(values.against, 'node_modules')))
    throw new Error(`--against needs the folder of a checkout after npm ci; ${values.against} is none.`);
  const own = await startSubject('.');
  if (values.against === undefined) return [own];
  try {
    return [own, await startSubject(values.against)];
  } catch (error) {
    await own.stop();
    throw error;
  }
}

const SAMPLE_ROWS: [what: string, unit: string, value: (samples: Sample[]) => number][] = [
  ['create and send, p50', 'ms', (samples) => median(timesOf(samples, ({ create }) => [create]))],
  ['a signature, p50', 'ms', (samples) => median(timesOf(samples, ({ signatures }) => signatures))],
  [
    'a signer, from open to signed, p50',
    'ms',
    (samples) => median(timesOf(samples, ({ signers }) => signers)),
  ],
  [
    'last signature answered to sealed, p50',
    'ms',
    (samples) => median(timesOf(samples, ({ seal }) => [seal])),
  ],
  ['lives a second', '', (samples) => livesOf(samples) / sum(samples.map(({ seconds }) => seconds))],
  [
    'processor time a life',
    's',
    (samples) => sum(samples.map(({ processor }) => processor)) / livesOf(samples),
  ],
  [
    'AWS calls a life',
    '',
    (samples) => sum(samples.flatMap(({ calls }) => Object.values(calls))) / livesOf(samples),
  ],
];

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const livesOf = (samples: Sample[]) => sum(samples.map(({ times }) => times.length));
const timesOf = (samples: Sample[], of: (times: LifeTimes) => number[]) =>
  samples.flatMap(({ times }) => times.flatMap(of));

const shown = (value: number) => value.toLocaleString('en', { maximumSignificantDigits: 3 });

function row(what: string, unit: string, figures: number[]): string[] {
  const [own = Number.NaN, other] = figures;
  return [
    what,
    ...figures.map((figure) => `${shown(figure)}${unit && ` ${unit}`}`),
    ...(other === undefined ? [] : [other === 0 ? '' : (own / other).toFixed(2)]),
  ];
}

function table(all: Subject[], memory: number[][]): string {
  const rows = CLIENTS.flatMap((clients) =>
    SAMPLE_ROWS.map(([what, unit, value]) =>
      row(
        `${what}, ${clients} client${clients === 1 ? '' : 's'}`,
        unit,
        all.map(({ samples }) => value(samples.get(clients) ?? [])),
      ),
    ),
  );
  const [before = [], after = [], atRest] = memory;
  rows.push(row('memory before', 'MB', before), row(`memory after ${lives / all.length} lives`, 'MB', after));
  if (atRest) rows.push(row(`memory ${values.rest} s later`, 'MB', atRest));
  return markdownTable(['', ...all.map(({ name }) => name), ...(all.length > 1 ? ['ratio'] : [])], rows);
}

/** The part of a function's name that the stack chose. */
const shortName = (name: string) => name.replace(/^[^-]+-/, '');

function callsTable(all: Subject[]): string {
  const perLife = all.map(({ samples }) => {
    const taken = [...samples.values()].flat();
    const counts = new Map<string, number>();
    for (const { calls } of taken)
      for (const [name, count] of Object.entries(calls))
        counts.set(shortName(name), (counts.get(shortName(name)) ?? 0) + count / livesOf(taken));
    return counts;
  });
  const names = [...new Set(perLife.flatMap((counts) => [...counts.keys()]))].sort();
  return markdownTable(
    ['AWS calls a life', ...all.map(({ name }) => name), ...(all.length > 1 ? ['ratio'] : [])],
    names.map((name) =>
      row(
        `\`${name}\``,
        '',
        perLife.map((counts) => counts.get(name) ?? 0),
      ),
    ),
  );
}

const all = await subjects();
try {
  for (const { service } of all) await runLives(service, Math.max(...CLIENTS), WARM_UP_LIVES);
  const memory = [all.map(({ pid }) => megabytes(pid))];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const clients of CLIENTS)
      for (const subject of round % 2 === 0 ? all : all.toReversed())
        subject.samples.get(clients)?.push(await measure(subject, clients));
  memory.push(all.map(({ pid }) => megabytes(pid)));
  if (REST_MS > 0) {
    await wait(REST_MS);
    memory.push(all.map(({ pid }) => megabytes(pid)));
  }
  const text = [
    `\`npm run bench:lives\`, ${circumstances()}. A request with three signers and a PDF of 100 KB: ${ROUNDS} rounds of ${LIVES} lives by one client and ${LIVES} by four, clients and service on the same processors. Processor time is that of the service’s processes, until its queues are empty.`,
    table(all, memory),
    callsTable(all),
  ].join('\n\n');
  console.log(text);
  if (values.write) writeSection('Whole lives', text);
} finally {
  for (const { stop } of all) await stop();
  rmSync(folder, { recursive: true });
}
