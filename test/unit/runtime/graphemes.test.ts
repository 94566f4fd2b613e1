import { graphemesOf, wholeStart } from '../../../shared/runtime/graphemes.ts';

describe('whole characters', () => {
  it.each([
    ['Anna', ['A', 'n', 'n', 'a']],
    ['e\u0301a', ['e\u0301', 'a']],
    ['👩‍👩‍👧🇫🇮', ['👩‍👩‍👧', '🇫🇮']],
    ['\r\n', ['\r\n']],
    ['', []],
  ])('%j has its characters', (text, graphemes) => {
    expect(graphemesOf(text)).toEqual(graphemes);
  });

  it('a chain without end is cut into its code points', () => {
    const chain = '👩‍'.repeat(5_000);
    expect(graphemesOf(chain)).toEqual([...chain]);
  });

  it.each([
    ['Anna', 2, 'An'],
    ['Anna', 4, 'Anna'],
    ['a👩‍💻b', 5, 'a'],
    ['a👩‍💻b', 6, 'a👩‍💻'],
    ['👩‍💻', 1, ''],
  ])('the start of %j within %i units ends with a whole character', (text, units, start) => {
    expect(wholeStart(text, units)).toBe(start);
  });
});
