import { mkdirSync, writeFileSync } from 'node:fs';
import { MINUTE, sleep } from '../../shared/runtime/time.ts';
import { Random } from '../support/random.ts';
import { assertSound } from './checker.ts';
import { countBy } from './checks/violation.ts';
import { collect } from './collect.ts';
import { happen, INCIDENTS } from './incidents.ts';
import { ENDINGS, Life, type LifePlan, TURNS } from './life.ts';
import { settle } from './settle.ts';
import type { Snapshot } from './snapshot.ts';
import { inWorld, KEPT, type World } from './world.ts';

/** Lives among faults. Once the faults end, every request must come to an end that its history justifies. */

export interface ChaosSize {
  seconds: number;
  livesAtOnce: number;
}

const MOST_SIGNERS = 3;
const PATIENCE = 40;
const MOST_PAUSE_MS = 400;

/** Most are meant to be signed, since that life is the longest. */
const MEANT = [...ENDINGS, 'signed', 'signed', 'signed'] as const;

const TAKEN = [...TURNS, null, null, null];

const planOf = (random: Random, nth: number): LifePlan => ({
  title: `Chaos ${nth}`,
  signers: 1 + random.below(MOST_SIGNERS),
  ending: random.of(MEANT),
  turn: random.of(TAKEN),
});

async function live(world: World, seed: number, livesAtOnce: number, isOver: () => boolean): Promise<void> {
  const random = new Random(seed);
  let started = 0;
  const people = async () => {
    while (!isOver()) {
      started += 1;
      await new Life(world, planOf(random, started), { patience: PATIENCE }).tryToLive();
    }
  };
  await Promise.all(Array.from({ length: livesAtOnce }, people));
}

async function disturb(world: World, seed: number, isOver: () => boolean): Promise<Map<string, number>> {
  const random = new Random(seed + 1);
  const happened: string[] = [];
  while (!isOver()) {
    const incident = random.of(INCIDENTS);
    world.interruptions += 1;
    happened.push(incident);
    await happen(incident, world, random);
    await sleep(random.below(MOST_PAUSE_MS));
  }
  world.service.cloud.services.clearFaults();
  return countBy(happened, (incident) => incident);
}

const listed = (counts: Map<string, number>) =>
  [...counts].map(([what, count]) => `${count} × ${what}`).join(', ');

/** A snapshot in which something is wrong is kept, to be looked at. */
export function proveSound(seen: Snapshot, seed: number): void {
  try {
    assertSound(seen);
  } catch (error) {
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(`${KEPT}/snapshot-${seed}.json`, JSON.stringify(seen, null, 1));
    throw error;
  }
}

export const chaos = (size: ChaosSize, seed: number): Promise<string> =>
  inWorld((world) => chaosIn(world, size, seed));

async function chaosIn(world: World, { seconds, livesAtOnce }: ChaosSize, seed: number): Promise<string> {
  const end = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() > end;
  const [happened] = await Promise.all([
    disturb(world, seed, isOver),
    live(world, seed, livesAtOnce, isOver),
  ]);
  const start = performance.now();
  await settle(world);
  const settled = (performance.now() - start) / MINUTE;
  const seen = await collect(world);
  proveSound(seen, seed);
  const ends = countBy(seen.requests, ({ state }) => state.status);
  const isRepeated = countBy(seen.mails, ({ to, subject }) => `${to} ${subject}`);
  return [
    `${seconds} s of ${livesAtOnce} lives at once, 1 to ${MOST_SIGNERS} signers each. What happened: ${listed(happened)}.`,
    `Of ${world.creates.length} creates ${world.creates.filter(({ id }) => id !== null).length} were answered. ${settled.toFixed(1)} minutes after the last fault, with the service's clock moved, every request had an end that its history justifies: ${listed(ends)}. ${[...isRepeated.values()].filter((count) => count > 1).length} of ${seen.mails.length} mails came again, codes included. The checker found nothing lost, doubled or stuck.`,
  ].join('\n\n');
}
