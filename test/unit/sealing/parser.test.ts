import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget, LIMITS } from '../../../shared/sealing/pdf/budget.ts';
import { Parser } from '../../../shared/sealing/pdf/parser.ts';
import { PdfRefusal } from '../../../shared/sealing/pdf/refusal.ts';
import {
  PdfArray,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
} from '../../../shared/sealing/pdf/values.ts';

const at = (text: string, position = 0): Parser =>
  new Parser(Buffer.from(text, 'latin1'), position, new Budget(inflate));

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

/** A value as plain data: names with their slash, strings as written, references as text. */
function plain(value: PdfObject): Plain {
  if (value instanceof PdfName) return `/${value.name}`;
  if (value instanceof PdfString) return Buffer.from(value.raw).toString('latin1');
  if (value instanceof PdfRef) return String(value);
  if (value instanceof PdfArray) return value.items.map((item) => plain(item.value));
  if (value instanceof PdfDict)
    return Object.fromEntries(value.entries.map(({ key, value: inner }) => [key, plain(inner)]));
  if (value instanceof PdfStream) throw new Error('a parser reads no stream');
  return value;
}

/** A value, which `skip` passes too, or refuses for the same reason. */
function read(text: string): Plain {
  const [reading, skipping] = [at(text), at(text)];
  const skipped = codeOf(() => skipping.skip());
  const code = codeOf(() => reading.value());
  expect(skipped).toBe(code);
  if (code === 'ok') expect(skipping.position).toBe(reading.position);
  return plain(at(text).value());
}

function unclearIn(text: string): string | null {
  const parser = at(text);
  parser.value();
  return parser.unclear;
}

function codeOf(read: () => unknown): string {
  try {
    read();
    return 'ok';
  } catch (error) {
    return error instanceof PdfRefusal ? error.code : String(error);
  }
}

describe('a value', () => {
  it.each<[string, Plain]>([
    ['true', true],
    ['false', false],
    ['null', null],
    ['0', 0],
    ['007', 7],
    ['-1', -1],
    ['+1', 1],
    ['[1.]', [1]],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['12345678901', 12345678901],
    ['/Name', '/Name'],
    ['/', '/'],
    ['/#41b#2f#4A', '/Ab/J'],
    ['/A(b)', '/A'],
    ['/A%b', '/A'],
    ['/A\0b', '/A'],
    ['(a (b) c) d', '(a (b) c)'],
    ['(a \\) b)', '(a \\) b)'],
    ['(a \\( b)', '(a \\( b)'],
    ['(a \\\\)', '(a \\\\)'],
    ['()', '()'],
    ['<>', '<>'],
    ['<4 1\n4>', '<4 1\n4>'],
    ['<aF09>', '<aF09>'],
    ['[]', []],
    ['[ 1 2]', [1, 2]],
    ['[/A/B(c)<41>[1]<<>>]', ['/A', '/B', '(c)', '<41>', [1], {}]],
    ['<<>>', {}],
    ['<< /A 1 /B[2]/C<</D(e)>> >>', { A: 1, B: [2], C: { D: '(e)' } }],
    ['<</A/B/C null>>', { A: '/B', C: null }],
    ['% a comment\n 7', 7],
    ['% one\r% two\r\n\t\f\0 7', 7],
    ['12 0 R', '12 0 R'],
    ['12 65535 R', '12 65535 R'],
    ['12 %\n 0\r\n%\r R', '12 0 R'],
    ['[1 2 0 R 3]', [1, '2 0 R', 3]],
    ['[1 2 3 0 R]', [1, 2, '3 0 R']],
    ['[1 0 R/A 2 0 R]', ['1 0 R', '/A', '2 0 R']],
    ['[1 0]', [1, 0]],
    ['[-1 0]', [-1, 0]],
    ['1 0 obj', 1],
    ['1 -0 R', 1],
    ['59endobj', 59],
    ['-5.9endobj', -5.9],
  ])('is read: %j', (text, value) => {
    expect(read(text)).toEqual(value);
    expect(unclearIn(text)).toBeNull();
  });

  it.each([
    '',
    ' ',
    '% a comment alone',
    'word',
    'True',
    'nullx',
    'R',
    'endobj',
    ')',
    '>',
    ']',
    '}',
    '{1}',
    '(a',
    '(a (b)',
    '(a\\)',
    '<4',
    '<4x>',
    '<4%\n1>',
    '[1',
    '[1>>',
    '[1 0 Rx]',
    '[1. 0 R]',
    '[+1 0 R]',
    '[1 0.0 R]',
    '<<',
    '<</A',
    '<</A>>',
    '<</A 1',
    '<</A 1>',
    '<</A 1> >',
    '<<1 2>>',
    '<</A 1 2>>',
    '<</A 1 B 2>>',
    '/a#',
    '/a#4',
    '/a#4g',
    '/a#g4',
    `1${'x'.repeat(128)}`,
  ])('is refused as damaged: %j', (text) => {
    expect(codeOf(() => read(text))).toBe('pdf_damaged');
  });

  it.each([
    '1-2',
    '1e2',
    '1E2',
    '1e',
    '36.0e1',
    '1.5-2',
    '0.-5',
    '1.2.3',
    '--5',
    '+-5',
    '-',
    '+',
    '.',
    '-.',
    '1x',
    '1R',
    '[3 0R]',
    '[3 0.R]',
    '[(a) 1null 3 0 R]',
    '[59endobj]',
    '<</A 59endobj>>',
    '5endobjx',
    '7\x80',
  ])('has a number that programs read differently: %j', (text) => {
    expect(unclearIn(text)).toBe('a number is not a plain one');
  });

  it('has no number where programs read different ones', () => {
    for (const text of ['1-2', '1e2', '2.x']) expect(read(text)).toBeNaN();
  });

  it.each(['/A#00', '/A#00B', '/#00', '/A\x80', '/A\xffB', '<</A#00 1>>', '[/A\x80]'])(
    'has a name that ends sooner in some programs: %j',
    (text) => {
      expect(unclearIn(text)).toBe('a name holds a byte that ends it in some programs');
    },
  );

  it.each([
    [`/${'n'.repeat(254)}`, `/${'n'.repeat(255)}`],
    [`<</${'#6e'.repeat(84)} 1>>`, `<</${'#6e'.repeat(85)} 1>>`],
    [`[${'0'.repeat(254)}1]`, `[${'0'.repeat(255)}1]`],
    [`[${'0'.repeat(254)}1 0 R]`, `[${'0'.repeat(255)}1 0 R]`],
  ])('has a name or number that PDFium reads whole, or cuts off', (whole, cut) => {
    expect(unclearIn(whole)).toBeNull();
    expect(unclearIn(cut)).toBe('a name or number is so long that some programs cut it off');
  });

  it.each<[string, boolean]>([
    ['2.0', true],
    ['-2.', true],
    ['2.5', false],
    ['2', false],
    ['-2', false],
    ['0.0', false],
    ['[2.0]', false],
  ])('is a whole number with a point by itself, or not: %s', (text, isWhole) => {
    expect(unclearIn(text)).toBe(isWhole ? 'an object is a whole number with a point' : null);
  });

  it('has a clear name if that has other bytes than ASCII, or such ones by their numbers', () => {
    expect(read('/\xe4\x81\xfe')).toBe('/\xe4\x81\xfe');
    expect(unclearIn('/\xe4\x81\xfe')).toBeNull();
    expect(unclearIn('/#80#ff#30')).toBeNull();
  });

  it.each<[string, boolean]>([
    ['<</A 1 /A 2>>', true],
    ['<</A 1 /#41 2>>', true],
    ['<</A 1 /A 1.0>>', true],
    ['<</A (a) /A (a )>>', true],
    ['<</A 1 /B 2 /A 1 /A 2>>', true],
    ['<</A <</B 1 /B 2>>>>', true],
    ['[<</A 1 /A 2>>]', true],
    ['<</A 1 /A 1>>', false],
    ['<</A [1 2]/A [1 2]>>', false],
    ['<</A 1 /B 2>>', false],
    ['<</PageMode /A /PageMode /B /PageLayout /A /PageLayout /B>>', false],
  ])('has two values of one key, or not: %j', (text, hasTwo) => {
    expect(unclearIn(text)).toBe(hasTwo ? 'a dictionary has two values of one key' : null);
  });

  it('tells the first of several things that programs read differently', () => {
    expect(unclearIn('[1-2 /A#00]')).toBe('a number is not a plain one');
    expect(unclearIn('[/A#00 1-2]')).toBe('a name holds a byte that ends it in some programs');
  });

  it('tells where it and its parts begin and end', () => {
    const dict = at('  <</A 12 /Bc (d) >> 3').value();
    if (!(dict instanceof PdfDict)) throw new Error('no dictionary');
    expect([dict.from, dict.to]).toEqual([2, 20]);
    expect(dict.entries.map(({ key, keyFrom, from, to }) => [key, keyFrom, from, to])).toEqual([
      ['A', 4, 7, 9],
      ['Bc', 10, 14, 17],
    ]);
    const array = at(' [1 2 0 R/A ]').value();
    if (!(array instanceof PdfArray)) throw new Error('no array');
    expect([array.from, array.to]).toEqual([1, 13]);
    expect(array.items.map(({ from, to }) => [from, to])).toEqual([
      [2, 3],
      [4, 9],
      [9, 11],
    ]);
  });

  it('ends where the next one begins', () => {
    for (const [text, rest] of [
      ['12 0 R/A', '/A'],
      ['12 0 X', ' 0 X'],
      ['12 0', ' 0'],
      ['(a)b', 'b'],
      ['<41>1', '1'],
      ['[1]2', '2'],
      ['<<>>3', '3'],
      ['/A<<', '<<'],
      ['true]', ']'],
    ] as const) {
      const parser = at(text);
      parser.value();
      expect(text.slice(parser.position)).toBe(rest);
    }
  });

  it('knows the largest number that it refers to', () => {
    const parser = at('[3 0 R 12 0 R 5 0 R 99 <</A 7 0 R>>]');
    expect(parser.largestReference).toBe(0);
    parser.value();
    expect(parser.largestReference).toBe(12);
  });
});

describe('limits', () => {
  it('a value may be nested so deeply, and no deeper', () => {
    const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const dicts = (depth: number): string => `${'<</A '.repeat(depth)}1${'>>'.repeat(depth)}`;
    expect(codeOf(() => read(arrays(LIMITS.depth + 1)))).toBe('ok');
    expect(codeOf(() => read(arrays(LIMITS.depth + 2)))).toBe('pdf_too_complex');
    expect(codeOf(() => read(dicts(LIMITS.depth)))).toBe('ok');
    expect(codeOf(() => read(dicts(LIMITS.depth + 1)))).toBe('pdf_too_complex');
  });

  it('a parser reads so many values, and no more', () => {
    const list = (values: number): string => `[${'0 '.repeat(values - 1)}]`;
    const parser = at(list(LIMITS.valuesPerObject));
    parser.value();
    expect(parser.valuesRead).toBe(LIMITS.valuesPerObject);
    expect(codeOf(() => read(list(LIMITS.valuesPerObject + 1)))).toBe('pdf_too_complex');
  });

  it('a name may have so many bytes, and no more', () => {
    expect(codeOf(() => read(`/${'n'.repeat(LIMITS.nameBytes - 1)}`))).toBe('ok');
    expect(codeOf(() => read(`/${'n'.repeat(LIMITS.nameBytes)}`))).toBe('pdf_damaged');
  });
});

describe('a keyword', () => {
  it.each<[string, boolean, number]>([
    ['obj', true, 3],
    [' % a\n obj<<', true, 9],
    ['obj ', true, 3],
    ['obj1', false, 0],
    ['objx', false, 0],
    ['ob', false, 0],
    ['Obj', false, 0],
    ['', false, 0],
  ])('is found, unless it begins a longer word: %j', (text, isFound, position) => {
    const parser = at(text);
    expect(parser.keyword('obj')).toBe(isFound);
    expect(parser.position).toBe(position);
  });
});

describe('a whole number', () => {
  it.each<[string, number, number]>([
    ['12', 12, 2],
    ['0012 ', 12, 4],
    [' %\n 7/', 7, 5],
    ['0', 0, 1],
    ['9', 9, 1],
    ['12x', -1, 0],
    ['1.0', -1, 0],
    ['+1', -1, 0],
    ['-1', -1, 0],
    ['x', -1, 0],
    [':', -1, 0],
    ['', -1, 0],
  ])('has digits alone: %j', (text, number, position) => {
    const parser = at(text);
    expect(parser.wholeNumber()).toBe(number);
    expect(parser.position).toBe(position);
  });

  it.each<[string, boolean]>([
    [' 1', true],
    ['+1', true],
    ['-', true],
    ['.5', true],
    ['x1', false],
    ['/1', false],
    ['', false],
  ])('may come next in any form: %j', (text, isNext) => {
    expect(at(text).isAtNumber()).toBe(isNext);
  });
});

describe('the header of an object', () => {
  it.each<[string, boolean]>([
    ['12 0 obj', true],
    ['12 0 obj<<', true],
    ['%\n12\n0\nobj', true],
    ['12 obj', false],
    ['12 0 R', false],
    ['12 0 object', false],
    ['-1 0 obj', false],
    ['1 -0 obj', false],
    ['obj', false],
  ])('has two numbers and a keyword: %j', (text, isHeader) => {
    expect(at(text).objectHeader()).toBe(isHeader);
  });
});

describe('the bytes', () => {
  it('are read from the position on', () => {
    expect(plain(at('1 2 3', 2).value())).toBe(2);
    expect(at('ab', 1).peek()).toBe(98);
    expect(at('ab').peek(1)).toBe(98);
    expect(at('ab').peek(2)).toBe(-1);
  });
});
