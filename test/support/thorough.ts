/** `npm run nightly` sets this: repeated tests then run all of their rounds, which would make CI too long. */
export const IS_THOROUGH = process.env.THOROUGH === '1';

/** The number of rounds of a race: a fifth of them by day. */
export const rounds = (all: number): number => (IS_THOROUGH ? all : Math.ceil(all / 5));

/** Cases of a table that cost much: by day every so many of them. */
export const someOf = <T>(all: readonly T[], every: number): readonly T[] =>
  all.filter((_, place) => IS_THOROUGH || place % every === 0);

const effectsAt = (place: number): readonly ('kill' | 'kill-after')[] => {
  if (IS_THOROUGH) return ['kill', 'kill-after'];
  if (place % 2 === 1) return [];
  return [place % 4 === 0 ? 'kill' : 'kill-after'];
};

/** Both ways to die at each of these calls; by day one of them at every other call, in turn. */
export function deathsAt(calls: readonly { service: string; operation: string }[]) {
  const counts = new Map<string, number>();
  return calls.flatMap(({ service, operation }, place) => {
    const after = (counts.get(`${service}.${operation}`) ?? 0) + 1;
    counts.set(`${service}.${operation}`, after);
    return effectsAt(place).map((effect) => ({ service, operation, after, effect }));
  });
}
