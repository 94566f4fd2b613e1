import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '../../docs/cost/markdown-table.ts';
import { API, JOBS, SIGNING } from '../../infra/functions.ts';
import { circumstances, commitOf, median, targetLines, writeSection } from './support/report.ts';

/**
 * Measures the size of each function's bundle and the time a new process takes to import it, which is the main part of
 * a cold start that the code controls. Writes docs/performance.md.
 *
 * `--against ../other`: that checkout's functions, too, turn and turn about.
 */

const { values } = parseArgs({ options: { against: { type: 'string' } } });
const ROUNDS = 7;
const MEGABYTE = 1_048_576;
const MAX_IMPORT_MS = 150;

interface Sample {
  wall: number;
  processor: number;
}

/** Bundles read their settings while loading; any value will do, but for the level of seals. */
const settingsIn = (bundle: string): Record<string, string> =>
  Object.fromEntries(
    [...readFileSync(bundle, 'utf8').matchAll(/\("([A-Z]+(?:_[A-Z]+)+)"\)/g)].map(([, name]) => [
      name,
      name === 'SEAL_LEVEL' ? 'B-T' : 'set',
    ]),
  );

const IMPORT = `
globalThis.awslambda = { streamifyResponse: (handler) => handler };
const before = process.cpuUsage();
const start = performance.now();
await import(process.argv[1]);
const wall = performance.now() - start;
const { user, system } = process.cpuUsage(before);
process.stdout.write(JSON.stringify({ wall, processor: (user + system) / 1_000 }));
`;

function load(bundle: string): Sample {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', IMPORT, bundle],
    { env: { AWS_REGION: 'eu-west-1', ...settingsIn(bundle) }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${bundle} does not load: ${stderr}`);
  return JSON.parse(stdout) as Sample;
}

/** Bundles the functions of a checkout by its own code. */
function bundle(checkout: string, out: string): string {
  const code = `await (await import(process.argv[1])).bundleFunctions(process.argv[2]);`;
  const module = join(resolve(checkout), 'infra/bundles.ts');
  execFileSync(process.execPath, ['--input-type=module', '--eval', code, module, out], { cwd: checkout });
  return out;
}

const bundleIn = (bundles: string, name: string) => join(bundles, name, 'index.mjs');

/** Compares the imports of functions that both have. */
function comparison(pairs: { own: number; other: number }[]): string {
  const [own, other] = [pairs.map((pair) => pair.own), pairs.map((pair) => pair.other)];
  const line = (what: string, of: (walls: number[]) => number) =>
    `${what} ${ms(of(own))} here and ${ms(of(other))} there (${(of(own) / of(other)).toFixed(2)})`;
  return `of the ${pairs.length} API functions that both have: ${line('median import', median)}, ${line('longest', (walls) => Math.max(...walls))}`;
}

const ms = (value: number) => `${Math.round(value)} ms`;

const folder = mkdtempSync(join(tmpdir(), 'bundles-'));
try {
  const bundles = bundle('.', join(folder, 'own'));
  const otherBundles = values.against && bundle(values.against, join(folder, 'other'));
  const http = Object.keys({ ...API, ...SIGNING });
  const names = [...http, ...Object.keys(JOBS)];
  const bundleOf = (name: string) => bundleIn(bundles, name);
  const samples = new Map<string, Sample[]>(names.map((name) => [name, []]));
  const others = new Map<string, Sample[]>();
  // Interleaved, so that other load on the machine affects all of them equally.
  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of names) {
      samples.get(name)?.push(load(bundleOf(name)));
      const other = otherBundles && bundleIn(otherBundles, name);
      if (other && existsSync(other)) others.set(name, [...(others.get(name) ?? []), load(other)]);
    }

  const rows = names.map((name) => ({
    name,
    size: readFileSync(bundleOf(name)).length,
    wall: median((samples.get(name) ?? []).map(({ wall }) => wall)),
    processor: median((samples.get(name) ?? []).map(({ processor }) => processor)),
  }));
  const api = rows.filter(({ name }) => http.includes(name));
  const pairs = api.flatMap(({ name, wall: own }) => {
    const walls = others.get(name)?.map(({ wall }) => wall);
    return walls ? [{ own, other: median(walls) }] : [];
  });
  const largest = (some: typeof rows) => some.toSorted((a, b) => b.size - a.size)[0];
  const slowest = (some: typeof rows) => some.toSorted((a, b) => b.wall - a.wall)[0];
  const [big, slow, seal] = [largest(api), slowest(api), rows.find(({ name }) => name === 'seal')];
  if (!big || !slow || !seal) throw new Error('There are no functions.');
  const mb = (size: number) => `${(size / MEGABYTE).toFixed(2)} MB`;
  const targets: [string, boolean][] = [
    [`API functions at most 1 MB each (${big.name}: ${mb(big.size)})`, big.size <= MEGABYTE],
    [`the seal function at most 1.5 MB (${mb(seal.size)})`, seal.size <= 1.5 * MEGABYTE],
    [
      `API functions imported in at most ${MAX_IMPORT_MS} ms each (${slow.name}: ${ms(slow.wall)})`,
      slow.wall <= MAX_IMPORT_MS,
    ],
  ];
  const text = [
    `\`npm run bench:bundles\`, ${circumstances()}. Median of ${ROUNDS} imports, each in a fresh process; processor time does not depend on other load, and counts all threads.`,
    markdownTable(
      ['function', 'size', 'import', 'processor time'],
      rows.map(({ name, size, wall, processor }) => [`\`${name}\``, mb(size), ms(wall), ms(processor)]),
    ),
    targetLines(targets),
    ...(values.against
      ? [`Against \`${commitOf(values.against)}\`, turn and turn about, ${comparison(pairs)}.`]
      : []),
  ].join('\n\n');
  console.log(text);
  writeSection('Bundles', text);
  process.exitCode = targets.every(([, met]) => met) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
