import type { Entry } from '../search-index.ts';

const MOST = 8;

const lower = (text: string) => text.toLowerCase();

/** The fit of a word: a word of the name before a part of one, names before text. 0: not at all. */
function scoreOf({ to, page, section, text }: Entry, word: string): number {
  const name = lower(section || page);
  if (name.split(/\s+/).includes(word)) return 8;
  if (name.startsWith(word)) return 5;
  if (name.includes(word)) return 3;
  if (lower(page).includes(word) || lower(to).includes(word)) return 2;
  return lower(text).includes(word) ? 1 : 0;
}

/** The entries in which every word occurs, the best first. */
export function found(entries: readonly Entry[], words: string): Entry[] {
  const wanted = lower(words).split(/\s+/).filter(Boolean);
  return entries
    .map((entry) => ({ entry, scores: wanted.map((word) => scoreOf(entry, word)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ entry, scores }) => ({ entry, score: scores.reduce((sum, score) => sum + score, 0) }))
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}
