/** `npm run nightly` sets this: repeated tests then run all of their rounds, which would make CI too long. */
export const IS_THOROUGH = process.env.THOROUGH === '1';

/** The number of rounds of a race: a fifth of them by day. */
export const rounds = (all: number): number => (IS_THOROUGH ? all : Math.ceil(all / 5));

/** Cases of a table that cost much: by day every so many of them. */
export const someOf = <T>(all: readonly T[], every: number): readonly T[] =>
  all.filter((_, place) => IS_THOROUGH || place % every === 0);

/** Both ways to die at each call; by day one of them at every other call, in turn. */
export const deathsAt = (call: number): readonly ('kill' | 'kill-after')[] => {
  if (IS_THOROUGH) return ['kill', 'kill-after'];
  if (call % 2 === 1) return [];
  return [call % 4 === 0 ? 'kill' : 'kill-after'];
};
