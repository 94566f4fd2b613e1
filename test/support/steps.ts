import { jest } from '@jest/globals';
import fc from 'fast-check';
import type { Fate, Meeting } from './meeting.ts';

/** Functions at the same time, after a pause. */
interface Step<A> {
  pause: number;
  functions: ({ action: A } & Fate)[];
}

interface Sizes {
  pauses: readonly number[];
  /** About as many as a function makes. */
  halfCalls: number;
  most: number;
}

/** Draws what happens in a row of steps. */
export const stepsOf = <A>(
  action: fc.Arbitrary<A>,
  { pauses, halfCalls, most }: Sizes,
): fc.Arbitrary<Step<A>[]> => {
  const sometimes = (freq: number) =>
    fc.option(fc.integer({ min: 1, max: halfCalls }), { nil: undefined, freq });
  const beginning = fc.record({ action, diesAfter: sometimes(2), sleepsAfter: sometimes(2) });
  const functions = fc.array(beginning, { minLength: 1, maxLength: 4 });
  return fc.array(fc.record({ pause: fc.constantFrom(...pauses), functions }), {
    minLength: 1,
    maxLength: most,
  });
};

/**
 * Plays the steps, and returns how many functions died. One that falls asleep wakes up when those of the next step have
 * ended; meanwhile the clock stands still, since no function lives for long.
 */
export async function play<A>(
  steps: readonly Step<A>[],
  meeting: Meeting,
  act: (action: A) => Promise<unknown>,
): Promise<number> {
  const ends: Promise<boolean>[] = [];
  let sleepers: ReturnType<Meeting['run']>[] = [];
  const wakeUp = async () => {
    for (const { wake } of sleepers) wake();
    await Promise.all(sleepers.map(({ ended }) => ended));
  };
  for (const { pause, functions } of steps) {
    if (sleepers.length === 0) jest.setSystemTime(Date.now() + pause);
    const running = functions.map(({ action, ...fate }) => meeting.run(fate, () => act(action)));
    ends.push(...running.map(({ ended }) => ended));
    const asleep = running.map((each) =>
      Promise.race([each.ended.then(() => []), each.asleep.then(() => [each])]),
    );
    const fallenAsleep = (await Promise.all(asleep)).flat();
    await wakeUp();
    sleepers = fallenAsleep;
  }
  await wakeUp();
  return (await Promise.all(ends)).filter((survived) => !survived).length;
}
