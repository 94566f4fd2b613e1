import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * The unit `binary` of `fc.string`, for its draws are the same: any character but half of one. That one would fill a table of a million
 * entries, which takes a second of processor time and stays in the worker.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES.count })
  .map((place) => String.fromCodePoint(place < SURROGATES.from ? place : place + SURROGATES.count), placeOf);

function placeOf(character: unknown): number {
  const code = typeof character === 'string' ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character)
    throw new Error('This is not one character.');
  return code < SURROGATES.from ? code : code - SURROGATES.count;
}
