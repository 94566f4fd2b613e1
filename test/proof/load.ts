import { markdownTable } from '../../docs/cost/markdown-table.ts';
import { megabytes, processorSeconds } from '../support/process-tree.ts';
import { during, times } from './at-once.ts';
import { assertSound } from './checker.ts';
import { collect } from './collect.ts';
import { Life } from './life.ts';
import { untilAtRest } from './settle.ts';
import { percentile, Timings } from './timings.ts';
import { inWorld, type World } from './world.ts';

/** Calls and whole lives, so many at once, where nothing fails: all must end as meant, with everything once. */

export interface LoadSize {
  /** Of each call at each number at once. */
  seconds: number;
  callsAtOnce: readonly number[];
  /** Number of lives, and of those at once. */
  lives: readonly [atOnce: number, lives: number][];
}

const PATH = '/api/v1/signatures';
const SIGNERS = 3;

const ms = (value: number) => `${Math.round(value)} ms`;

async function expectOk(call: Promise<{ status: number }>, what: string): Promise<void> {
  const { status } = await call;
  if (status !== 200) throw new Error(`${what} was answered ${status}.`);
}

async function loadCalls(world: World, { seconds, callsAtOnce }: LoadSize): Promise<string> {
  let created = 0;
  const create = async () => {
    created += 1;
    const life = new Life(world, { title: `Load ${created}`, signers: SIGNERS, ending: 'cancelled' });
    return life.create();
  };
  const { id } = await create();
  const calls: [string, () => Promise<void>][] = [
    ['create', async () => void (await create())],
    ['get', () => expectOk(world.client.get(`${PATH}/${id}`), 'A get')],
    ['list', () => expectOk(world.client.get(PATH), 'A list')],
  ];
  const rows: (string | number)[][] = [];
  for (const [name, call] of calls)
    for (const atOnce of callsAtOnce) {
      const timings = new Timings();
      await during(seconds, atOnce, () => timings.of(name, call));
      const [[, all] = ['', []]] = timings.entries();
      rows.push([name, atOnce, all.length, ms(percentile(all, 0.5)), ms(percentile(all, 0.99))]);
    }
  return markdownTable(['call', 'at once', 'calls', 'p50', 'p99'], rows);
}

/** Ends what the calls left open, as its sender would. */
async function cancelAll(world: World): Promise<void> {
  const open = world.creates.filter(({ ending }) => ending === 'cancelled');
  await times(open.length, 4, async (nth) => {
    const { title = '', id } = open[nth - 1] ?? {};
    if (id) await new Life(world, { title, signers: SIGNERS, ending: 'cancelled' }).cancel(id);
  });
}

async function loadLives(world: World, atOnce: number, lives: number) {
  const timings = new Timings();
  const start = performance.now();
  const before = processorSeconds(process.pid);
  await times(lives, atOnce, (nth) =>
    new Life(
      world,
      { title: `Life ${atOnce} ${nth}`, signers: SIGNERS, ending: 'signed' },
      { timings },
    ).live(),
  );
  await untilAtRest(world);
  const seconds = (performance.now() - start) / 1_000;
  const row = [
    atOnce,
    lives,
    (lives / seconds).toFixed(2),
    `${((processorSeconds(process.pid) - before) / lives).toFixed(2)} s`,
    `${Math.round(megabytes(process.pid))} MB`,
  ];
  const steps = timings
    .entries()
    .map(([step, all]) => [atOnce, step, ms(percentile(all, 0.5)), ms(percentile(all, 0.99))]);
  return { row, steps };
}

export const load = (size: LoadSize): Promise<string> => inWorld((world) => loadIn(world, size));

async function loadIn(world: World, size: LoadSize): Promise<string> {
  const calls = await loadCalls(world, size);
  await cancelAll(world);
  await untilAtRest(world);
  const rows: (string | number)[][] = [];
  const steps: (string | number)[][] = [];
  for (const [atOnce, lives] of size.lives) {
    const measured = await loadLives(world, atOnce, lives);
    rows.push(measured.row);
    steps.push(...measured.steps);
  }
  const seen = await collect(world);
  assertSound(seen);
  return [
    calls,
    markdownTable(
      ['lives at once', 'lives', 'lives a second', 'processor time a life', 'memory at the end'],
      rows,
    ),
    markdownTable(['lives at once', 'step', 'p50', 'p99'], steps),
    `A life is a create, ${SIGNERS} signers who open, enter the code, read and sign, the seal, both files and the webhooks at two receivers. Processor time and memory are those of service, local cloud, clients and receivers together; \`seal\` is from the last signature's answer to the webhook. The checker found nothing lost, doubled or stuck among ${seen.requests.length} requests, ${seen.mails.length} mails and ${seen.receivers.reduce((sum, { deliveries }) => sum + deliveries.length, 0)} deliveries.`,
  ].join('\n\n');
}
