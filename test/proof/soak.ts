import { markdownTable } from '../../docs/cost/markdown-table.ts';
import { MINUTE, sleep } from '../../shared/runtime/time.ts';
import { megabytes, openFiles } from '../support/process-tree.ts';
import { Random } from '../support/random.ts';
import { during } from './at-once.ts';
import { assertSound } from './checker.ts';
import { collect } from './collect.ts';
import { ENDINGS, GaveUp, Life } from './life.ts';
import { settle, untilAtRest } from './settle.ts';
import { percentile, Timings } from './timings.ts';
import { inWorld, type World } from './world.ts';

/** Mixed load for an hour: memory, times and open files stay as they are. */

export interface SoakSize {
  minutes: number;
  /** The share that the second half may grow by: more than noise would be a leak. */
  mostGrowth: number;
}

const LIVES_AT_ONCE = 2;
const MOST_SIGNERS = 3;
const PATH = '/api/v1/signatures';
/** One a minute, and enough for a line. */
const FEWEST_SAMPLES = 4;

interface Sample {
  minute: number;
  memory: number;
  files: number;
  create: number;
  get: number;
  list: number;
}

type Measure = Exclude<keyof Sample, 'minute'>;
const MEASURES: readonly [Measure, string][] = [
  ['memory', 'memory, MB'],
  ['files', 'open files'],
  ['create', 'create p50, ms'],
  ['get', 'get p50, ms'],
  ['list', 'list p50, ms'],
];

/** By least squares: the value at the begin and at the end of these samples. */
function linearFit(samples: readonly (readonly [x: number, y: number])[]): [number, number] {
  const mean = (values: number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
  const [x, y] = [mean(samples.map(([each]) => each)), mean(samples.map(([, each]) => each))];
  const spread = samples.reduce((sum, [each]) => sum + (each - x) ** 2, 0);
  const slope = spread === 0 ? 0 : samples.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / spread;
  const at = (place: number) => y + slope * (place - x);
  return [at(samples[0]?.[0] ?? 0), at(samples.at(-1)?.[0] ?? 0)];
}

function sample(world: World, minute: number, timings: Timings): Sample {
  const p50 = (step: string) => percentile(timings.take(step), 0.5);
  world.service.cloud.services.clearCalls();
  return {
    minute,
    memory: megabytes(process.pid),
    files: openFiles(process.pid),
    create: p50('create'),
    get: p50('get'),
    list: p50('list'),
  };
}

/** Returns the calls that were refused. The hour goes on after one, and fails at its end. */
async function mixedLoad(world: World, minutes: number, seed: number, timings: Timings): Promise<string[]> {
  const random = new Random(seed);
  const refused: string[] = [];
  let lives = 0;
  await during(minutes * 60, LIVES_AT_ONCE, async () => {
    lives += 1;
    const plan = {
      title: `Soak ${lives}`,
      signers: 1 + random.below(MOST_SIGNERS),
      ending: random.of(ENDINGS),
    };
    await new Life(world, plan, { timings }).live().catch((error) => {
      if (!(error instanceof GaveUp)) throw error;
      refused.push(`${new Date().toISOString()} ${error.message}`);
      console.error(refused.at(-1));
    });
    const { id } = world.creates.at(-1) ?? {};
    if (id) await timings.of('get', () => world.client.get(`${PATH}/${id}`));
    await timings.of('list', () => world.client.get(PATH));
  });
  return refused;
}

async function samplesOf(world: World, minutes: number, timings: Timings): Promise<Sample[]> {
  const samples: Sample[] = [];
  const count = Math.max(FEWEST_SAMPLES, Math.round(minutes));
  for (let nth = 1; nth <= count; nth += 1) {
    await sleep((minutes * MINUTE) / count);
    samples.push(sample(world, (nth * minutes) / count, timings));
  }
  return samples;
}

function report(samples: Sample[], mostGrowth: number): { text: string; grown: string[] } {
  const secondHalf = samples.slice(samples.length / 2);
  const fits = MEASURES.map(([measure, name]) => {
    const known = secondHalf.filter((each) => Number.isFinite(each[measure]));
    const [from, to] = linearFit(known.map((each) => [each.minute, each[measure]]));
    return { name, from, to, growth: to / from - 1 };
  });
  return {
    text: markdownTable(
      ['', 'fit at half time', 'fit at the end', 'growth'],
      fits.map(({ name, from, to, growth }) => [
        name,
        from.toFixed(0),
        to.toFixed(0),
        `${(growth * 100).toFixed(1)} %`,
      ]),
    ),
    grown: fits.filter(({ growth }) => growth > mostGrowth).map(({ name }) => name),
  };
}

export const soak = (size: SoakSize, seed: number): Promise<string> =>
  inWorld((world) => soakIn(world, size, seed));

async function soakIn(world: World, { minutes, mostGrowth }: SoakSize, seed: number): Promise<string> {
  const timings = new Timings();
  const [samples, refused] = await Promise.all([
    samplesOf(world, minutes, timings),
    mixedLoad(world, minutes, seed, timings),
  ]);
  const { text, grown } = report(samples, mostGrowth);
  console.log(text);
  await untilAtRest(world);
  await settle(world);
  const seen = await collect(world);
  assertSound(seen);
  if (refused.length > 0) throw new Error(`${refused.length} calls were refused: ${refused[0]}.`);
  if (grown.length > 0)
    throw new Error(`These grew by more than ${mostGrowth * 100} %: ${grown.join(', ')}.`);
  return [
    `${minutes} minutes, ${LIVES_AT_ONCE} lives at once, ${seen.requests.length} requests. A straight line through the samples of the second half, by least squares, of service, clients and receivers together:`,
    text,
    'The checker found nothing lost, doubled or stuck.',
  ].join('\n\n');
}
