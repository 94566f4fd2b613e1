/** A place where the searched words are, in UTF-16 units of its page's text. */
export interface Match {
  readonly page: number;
  readonly start: number;
  readonly end: number;
}

/** More would take too long to mark, and nobody would look through them. */
export const MAX_MATCHES = 1_000;

/** A soft hyphen, or a hyphen at the end of a line. */
const BREAK = '(?:\\u00ad|[-\\u2010]\\n)?';

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');

/** Some programs write a letter and its accent as two characters. */
function letterPattern(letter: string): string {
  const parts = letter.normalize('NFD');
  return parts === letter ? escaped(letter) : `(?:${letter}|${parts})`;
}

/** Matches words in any case, across line ends, and hyphenated. */
export function searchPattern(query: string): RegExp | null {
  const words = query.normalize('NFC').trim().split(/\s+/);
  if (words.join('').length < 2) return null;
  const patterns = words.map((word) => [...word].map(letterPattern).join(BREAK));
  return new RegExp(patterns.join('\\s+'), 'giu');
}

export const matchesIn = (text: string, pattern: RegExp, page: number): Match[] =>
  [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    page,
    start: index,
    end: index + found.length,
  }));

/** Searches all pages, also those that are not shown yet. Null if another search has begun meanwhile. */
export async function searchPages(
  pageCount: number,
  textOf: (page: number) => Promise<string>,
  pattern: RegExp,
  isCurrent: () => boolean,
): Promise<Match[] | null> {
  const found: Match[] = [];
  for (let page = 1; page <= pageCount && found.length < MAX_MATCHES; page++) {
    for (const match of matchesIn(await textOf(page), pattern, page)) found.push(match);
    if (!isCurrent()) return null;
  }
  return found.slice(0, MAX_MATCHES);
}

export function groupByPage(matches: readonly Match[]): ReadonlyMap<number, readonly Match[]> {
  const pages = new Map<number, Match[]>();
  for (const match of matches) {
    const onPage = pages.get(match.page) ?? [];
    onPage.push(match);
    pages.set(match.page, onPage);
  }
  return pages;
}
