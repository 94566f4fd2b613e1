/** `npm run nightly` sets this: repeated tests then run all of their rounds, which would make CI too long. */
const IS_THOROUGH = process.env.THOROUGH === '1';

/** The number of rounds of a race: a fifth of them by day. */
export const rounds = (all: number): number => (IS_THOROUGH ? all : Math.ceil(all / 5));

/** Cases that each cost a service of their own: the first of them by day. */
export const someOf = <T>(all: readonly T[], byDay: number): readonly T[] =>
  IS_THOROUGH ? all : all.slice(0, byDay);

/** Both ways to die at each call; by day one of them, in turn. */
export const deathsAt = (call: number): readonly ('kill' | 'kill-after')[] => {
  if (IS_THOROUGH) return ['kill', 'kill-after'];
  return [call % 2 === 0 ? 'kill' : 'kill-after'];
};
