import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import {
  type Edit,
  extendedArray,
  removeEntry,
  setEntry,
  sourceText,
  splice,
  withEdits,
  writtenBytes,
} from '../../../shared/sealing/pdf/edit.ts';
import { Parser } from '../../../shared/sealing/pdf/parser.ts';
import { PdfArray, PdfDict } from '../../../shared/sealing/pdf/values.ts';

/** The value that stands after some other bytes, as in a file. */
const valueIn = (text: string) =>
  new Parser(Buffer.from(`before ${text} after`, 'latin1'), 'before '.length, new Budget(inflate)).value();

function dict(text: string): PdfDict {
  const value = valueIn(text);
  if (value instanceof PdfDict) return value;
  throw new Error('not a dictionary');
}

function array(text: string): PdfArray {
  const value = valueIn(text);
  if (value instanceof PdfArray) return value;
  throw new Error('not an array');
}

const textOf = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString('latin1');
const edited = (of: PdfDict, edits: readonly Edit[]) => textOf(withEdits(of, edits));

describe('part of a source', () => {
  const source = Buffer.from('0123456789', 'latin1');

  it('keeps its bytes but for the edits, in whatever order they were made', () => {
    const edits = [
      { from: 6, to: 7, text: 'six' },
      { from: 2, to: 4, text: '' },
      { from: 8, to: 8, text: '\xfc' },
    ];
    expect(textOf(splice(source, 1, 9, edits))).toBe('145six7\xfc8');
    expect(textOf(splice(source, 1, 9, []))).toBe('12345678');
  });

  it.each([
    [499, 999],
    [500, 1],
  ])('with %d edits has %d pieces: a function takes only so many', (count, pieces) => {
    const edits = Array.from({ length: count }, () => ({ from: 5, to: 5, text: '-' }));
    const chunks = splice(source, 0, 10, edits);
    expect(chunks).toHaveLength(pieces);
    expect(textOf(chunks)).toBe(`01234${'-'.repeat(count)}56789`);
  });
});

describe('an entry of a dictionary', () => {
  it('is added at the end', () => {
    expect(edited(dict('<</A 1>>'), setEntry(dict('<</A 1>>'), 'B', '2'))).toBe('<</A 1\n/B 2>>');
  });

  it('is replaced, whatever stands beside it', () => {
    const old = dict('<</A(one)/B [1 2]/C 3>>');
    expect(edited(old, setEntry(old, 'B', '7'))).toBe('<</A(one)/B  7/C 3>>');
  });

  it('setting a duplicate key keeps one entry, at the place that counted', () => {
    const old = dict('<</A 1 /B 2 /A 3 /#41 4>>');
    const written = edited(old, setEntry(old, 'A', '5'));
    expect(written.replaceAll(/ +/g, ' ')).toBe('<< /B 2 /#41 5>>');
  });

  it('is removed, each time it is there', () => {
    const old = dict('<</A 1/B 2/A 3>>');
    expect(edited(old, removeEntry(old, 'A'))).toBe('<< /B 2 >>');
    expect(removeEntry(old, 'C')).toEqual([]);
  });
});

it('an array gets more items at its end', () => {
  expect(extendedArray(array('[1 (\xe9)]'), '2 0 R')).toBe('[1 (\xe9)\n2 0 R]');
  expect(extendedArray(null, '2 0 R')).toBe('[2 0 R]');
});

it('part of a value is the text that stands there', () => {
  const value = array('[1 (\xe9) <</A 1>>]');
  const [, second] = value.items;
  expect(second && sourceText(value, second.from, second.to)).toBe('(\xe9)');
});

it('the bytes of values are those of dictionaries and arrays', () => {
  expect(writtenBytes([dict('<</A 1>>'), array('[1 2]'), 7, null, valueIn('(long text)')])).toBe(8 + 5);
  expect(writtenBytes([])).toBe(0);
});
