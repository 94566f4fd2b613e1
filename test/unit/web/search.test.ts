import {
  groupByPage,
  MAX_MATCHES,
  matchesIn,
  searchPages,
  searchPattern,
} from '../../../web/signing/document/search.ts';

function found(text: string, query: string): string[] {
  const pattern = searchPattern(query);
  return pattern ? matchesIn(text, pattern, 1).map(({ start, end }) => text.slice(start, end)) : [];
}

it.each([
  ['in any case', 'The Rent', 'the rent', ['The Rent']],
  ['with letters beyond ASCII', 'Mietvertrag für ÖSTERREICH', 'österreich', ['ÖSTERREICH']],
  ['whose accents are characters of their own', 'Ka\u0308ytto\u0308', 'käyttö', ['Ka\u0308ytto\u0308']],
  ['when accents are typed as characters of their own', 'Käyttö', 'ka\u0308ytto\u0308', ['Käyttö']],
  ['over the end of a line', 'the second\nday', 'second day', ['second\nday']],
  ['over wide gaps', 'second  \n day', 'second day', ['second  \n day']],
  ['that are hyphenated at the end of a line', 'Kaltmie-\nte', 'Kaltmiete', ['Kaltmie-\nte']],
  ['with soft hyphens', 'Kalt\u00admiete', 'kaltmiete', ['Kalt\u00admiete']],
  ['each time', 'rent, rent and rental', 'rent', ['rent', 'rent', 'rent']],
  [
    'with characters that mean something in patterns',
    'a (b) [c] $5.00 50/50 x-y',
    '(b) [c] $5.00',
    ['(b) [c] $5.00'],
  ],
  ['with a hyphen of their own', 'Lohn- und x-y', 'x-y', ['x-y']],
])('a search finds words %s', (_, text, query, expected) => {
  expect(found(text, query)).toEqual(expected);
});

it.each(['', ' ', 'a', ' a '])('a search for %p does not start: it would find everything', (query) => {
  expect(searchPattern(query)).toBeNull();
});

it('a dot finds a dot, not any character', () => {
  expect(found('1,00 and 1.00', '1.00')).toEqual(['1.00']);
});

describe('a search of all pages', () => {
  const pattern = /rent/giu;
  const texts = ['rent', 'nothing', 'the rent of the rent'];
  const textOf = async (page: number) => texts[page - 1] ?? '';

  it('a search of all pages names the page of each match', async () => {
    const matches = await searchPages(3, textOf, pattern, () => true);
    expect(matches?.map(({ page, start }) => [page, start])).toEqual([
      [1, 0],
      [3, 4],
      [3, 16],
    ]);
    expect([...groupByPage(matches ?? [])].map(([page, { length }]) => [page, length])).toEqual([
      [1, 1],
      [3, 2],
    ]);
  });

  it('a search of all pages ends without matches once another one has begun', async () => {
    expect(await searchPages(3, textOf, pattern, () => false)).toBeNull();
  });

  it('a page may have more matches than a call takes arguments', async () => {
    const matches = await searchPages(
      1,
      async () => 'rent '.repeat(300_000),
      pattern,
      () => true,
    );
    expect(matches).toHaveLength(MAX_MATCHES);
  });

  it('a search of all pages stops at the largest number of matches', async () => {
    const matches = await searchPages(
      9,
      async () => 'rent '.repeat(MAX_MATCHES),
      pattern,
      () => true,
    );
    expect(matches).toHaveLength(MAX_MATCHES);
  });
});
