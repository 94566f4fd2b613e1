import { times } from './at-once.ts';
import { assertSound } from './checker.ts';
import { collect } from './collect.ts';
import { Life } from './life.ts';
import { untilAtRest } from './settle.ts';
import { inWorld, type World } from './world.ts';

/** All signers of a request sign at the same moment, so that each may be the last: one seal. */

export interface ThousandSize {
  rounds: number;
}

const SIGNERS = 3;
const AT_ONCE = 4;
/** A service for so many rounds, so that its inbox stays small. */
const ROUNDS_A_WORLD = 200;

async function roundsIn(world: World, rounds: number): Promise<void> {
  await times(rounds, AT_ONCE, async (nth) => {
    const life = new Life(world, { title: `Round ${nth}`, signers: SIGNERS, ending: 'signed' });
    await life.signTogether(await life.create());
  });
  await untilAtRest(world);
  assertSound(await collect(world));
}

export async function thousand({ rounds }: ThousandSize): Promise<string> {
  for (let done = 0; done < rounds; done += ROUNDS_A_WORLD)
    await inWorld((world) => roundsIn(world, Math.min(ROUNDS_A_WORLD, rounds - done)));
  return `${rounds} requests, ${AT_ONCE} at a time, whose ${SIGNERS} signers signed at the same moment: each has one seal, one evidence file and its events once, by the checker.`;
}
