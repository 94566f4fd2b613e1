import { deflateSync } from 'node:zlib';
import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { decodeStructure } from '../../../shared/sealing/pdf/filters.ts';
import { Parser } from '../../../shared/sealing/pdf/parser.ts';
import { PdfDict } from '../../../shared/sealing/pdf/values.ts';

/** These rows, each behind the number of its PNG filter, as a structure stream holds them. */
function decoded(columns: number, ...rows: number[][]): number[] {
  const budget = new Budget(inflate);
  const text = `<</Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns ${columns}>>>>`;
  const dict = new Parser(Buffer.from(text), 0, budget).value();
  if (!(dict instanceof PdfDict)) throw new Error('no dictionary');
  return [...decodeStructure(deflateSync(Buffer.from(rows.flat())), dict, budget)];
}

describe('a row of a structure stream', () => {
  const FIRST = [50, 52, 20, 30, 76];
  const SECOND = [60, 100, 0, 7, 80];

  it.each([
    ['not at all', [0, 60, 100, 0, 7, 80]],
    ['from the byte before', [1, 60, 40, 156, 7, 73]],
    ['from the byte above', [2, 10, 48, 236, 233, 4]],
    ['from the mean of both', [3, 35, 44, 196, 248, 39]],
    ['from the nearest of three, the byte before and then that above first', [4, 10, 40, 204, 7, 4]],
  ])('a row of a structure stream is predicted %s', (_, row) => {
    expect(decoded(5, [0, ...FIRST], row)).toEqual([...FIRST, ...SECOND]);
  });

  it('the first row and column are predicted from zeros', () => {
    for (const [filter, row] of [
      [1, [9, 1]],
      [2, [9, 10]],
      [3, [9, 6]],
      [4, [9, 1]],
    ] as const)
      expect(decoded(2, [filter, ...row])).toEqual([9, 10]);
  });

  it('the last row of a structure stream may be incomplete', () => {
    expect(decoded(3, [0, 1, 2, 3], [2, 4])).toEqual([1, 2, 3, 5]);
    expect(decoded(3, [0, 1, 2, 3], [2])).toEqual([1, 2, 3]);
    expect(decoded(3)).toEqual([]);
  });

  it('a row of a structure stream has at most 100,000 bytes', () => {
    expect(decoded(100_000, [0, 1, 2])).toEqual([1, 2]);
    expect(() => decoded(100_001, [0, 1, 2])).toThrow('impossible predictor');
  });

  it('a row with an unknown PNG filter is refused', () => {
    expect(() => decoded(2, [5, 1, 2])).toThrow('unknown PNG filter');
  });
});
