import { inflate } from '../../../client/verifier/inflate.ts';
import { isPlainRevision } from '../../../client/verifier/plain-revision.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { craft, ONE_PAGE, startXrefOf } from '../sealing/craft.ts';

const OBJECTS = { ...ONE_PAGE, 4: '(four)', 5: '(five)' };
const ORIGINAL = craft({ objects: OBJECTS, size: 6 });

const isPlain = (text: string, before = ORIGINAL): boolean => {
  const budget = new Budget(inflate);
  const after = Buffer.concat([before, Buffer.from(text, 'latin1')]);
  return isPlainRevision(new PdfFile(before, budget), new PdfFile(after, budget));
};

const HEAD = '0 1\n0000000000 65535 f\r\n';
const row = (num: number, offset: number): string =>
  `${num} 1\n${String(offset).padStart(10, '0')} 00000 n\r\n`;

interface Table {
  /** What stands before the table; the offset leads to its end, or `back` bytes before that. */
  objects?: string;
  back?: number;
  keyword?: string;
  rows?: string;
  trailer?: string;
  size?: number;
  before?: Buffer;
}

const tableOf = ({
  objects = '',
  back = 0,
  keyword = 'xref\n',
  rows = HEAD,
  trailer = '',
  size = 21,
  before = ORIGINAL,
}: Table): string =>
  `${objects}${keyword}${rows}trailer\n<<${trailer} /Size ${size} /Root 1 0 R /Prev ${startXrefOf(before)}>>\n` +
  `startxref\n${before.length + objects.length - back}\n%%EOF\n`;

const NEW = '20 0 obj\n(new)\nendobj\n';
const MANY = Array.from({ length: 12 }, (_, n) => n + 20);

describe('a table that all programs read alike', () => {
  it.each<[string, Table]>([
    ['has no new object', {}],
    ['has a new object', { objects: NEW, rows: HEAD + row(20, ORIGINAL.length) }],
    ['has lines that end in other ways', { keyword: 'xref \r\n', rows: HEAD.replace('\r\n', ' \n') }],
    ['has comments before it', { objects: '%made by an editor\n' }],
    [
      'has many new objects in a row',
      {
        objects: MANY.map((num) => `${num} 0 obj\n(new)\nendobj\n`).join(''),
        rows: `${HEAD}20 12\n${MANY.map((num, n) => row(num, ORIGINAL.length + n * NEW.length).slice(5)).join('')}`,
        size: 32,
      },
    ],
    ['deletes an object', { rows: `${HEAD}4 1\n0000000000 00001 f\r\n` }],
  ])('%s', (_, table) => {
    expect(isPlain(tableOf(table))).toBe(true);
  });

  it('follows one with rows of 19 bytes', () => {
    const before = craft({ objects: OBJECTS, size: 6, entryEnd: '\n' });
    expect(isPlain(tableOf({ before }), before)).toBe(true);
  });

  it('follows another one', () => {
    const first = tableOf({ objects: NEW, rows: HEAD + row(20, ORIGINAL.length) });
    const before = Buffer.concat([ORIGINAL, Buffer.from(first)]);
    const second = tableOf({ before, objects: NEW, rows: HEAD + row(20, before.length) });
    expect(isPlain(first + second)).toBe(true);
  });
});

describe('programs do not read alike', () => {
  it.each<[string, Table]>([
    ['a table behind white space', { objects: '\n\n', back: 1 }],
    ['a table behind a comment', { objects: '%comment\n', back: 9 }],
    ['a table whose keyword ends no line', { keyword: 'xref\t' }],
    ['a table without a row', { rows: '' }],
    ['a table with rows of 19 bytes', { rows: HEAD.replace('\r\n', '\n') }],
    ['a table with rows that end in two lines', { rows: HEAD.replace('\r\n', '\n\n') }],
    ['a table whose second row has 19 bytes', { rows: HEAD + row(20, 0).replace('\r\n', '\r') }],
    ['a comment in a table', { rows: `${HEAD}%comment\n` }],
    ['a trailer with two catalogs', { trailer: '/Root 13 0 R' }],
    ['a trailer with two catalogs, one of them in other letters', { trailer: '/#52oot 13 0 R' }],
    ['a trailer with a value of null', { trailer: '/Encrypt null' }],
    ['a trailer by which the last objects are missing', { size: 5 }],
    ['another version of an object that no table lists', { objects: '4 0 obj\n(forged)\nendobj\n' }],
    ['another version in other spacing', { objects: '4\r\n0\tobj(forged)endobj\n' }],
    ['an object that no table lists', { objects: NEW }],
    ['another version behind the one listed', { objects: NEW + NEW, rows: HEAD + row(20, ORIGINAL.length) }],
    ['a trailer of no table', { objects: 'trailer\n<</Root 13 0 R>>\n' }],
  ])('%s', (_, table) => {
    expect(isPlain(tableOf(table))).toBe(false);
  });

  it.each([
    ['of 19 bytes', '\n'],
    ['of 20 bytes', '\r\n'],
  ])('a table that leads past the newest one to a hidden one with rows %s', (_, rowEnd) => {
    const at = startXrefOf(ORIGINAL);
    const [table = '', end = ''] = ORIGINAL.toString('latin1', at).split(/(?=startxref)/);
    const before = Buffer.concat([ORIGINAL, Buffer.from(table.replaceAll('\r\n', rowEnd) + end)]);
    const follows = tableOf({ before });
    expect(isPlain(follows, before)).toBe(true);
    expect(isPlain(follows.replace(`/Prev ${at}`, `/Prev ${ORIGINAL.length}`), before)).toBe(false);
  });

  it('what a revision follows, if its trailer names two catalogs of which a clear trailer chooses one', () => {
    const before = craft({ objects: OBJECTS, size: 6, trailer: '/Root 4 0 R /Root 1 0 R' });
    expect(isPlain(tableOf({ before }), before)).toBe(false);
  });

  it('what a revision follows, if its trailer counts too few objects, so that MuPDF searched for them', () => {
    const before = craft({ objects: OBJECTS, size: 5 });
    expect(isPlain(tableOf({ before }), before)).toBe(false);
  });

  it('what a revision follows, if an object lay beyond its end, so that MuPDF searched for all', () => {
    const [offset, beyond] = [ORIGINAL.indexOf('5 0 obj'), ORIGINAL.length].map((at) => row(5, at));
    const before = Buffer.from(ORIGINAL.toString('latin1').replace(offset ?? '', beyond ?? ''), 'latin1');
    expect(isPlain(tableOf({ before }), before)).toBe(false);
  });

  it('a revision that hides an object from programs that do not know hybrid files', () => {
    const data = String.fromCharCode(
      1,
      ...[24, 16, 8, 0].map((shift) => (ORIGINAL.indexOf('4 0 obj') >> shift) & 255),
      0,
    );
    const stream = `30 0 obj\n<</Type /XRef /Size 31 /W [1 4 1] /Index [4 1] /Root 1 0 R /Length 6>>\nstream\n${data}\nendstream\nendobj\n`;
    const hybrid = (kind: 'n' | 'f'): Table => ({
      objects: stream,
      rows: `${HEAD}4 1\n${kind === 'n' ? row(4, ORIGINAL.indexOf('4 0 obj')).slice(4) : '0000000000 00001 f\r\n'}`,
      trailer: `/XRefStm ${ORIGINAL.length}`,
      size: 31,
    });
    expect(isPlain(tableOf(hybrid('n')))).toBe(true);
    expect(isPlain(tableOf(hybrid('f')))).toBe(false);

    const hiding = Buffer.concat([ORIGINAL, Buffer.from(tableOf(hybrid('f')), 'latin1')]);
    const shown = { before: hiding, size: 31 };
    expect(isPlain(tableOf(shown), hiding)).toBe(true);
    const rows = HEAD + row(4, ORIGINAL.indexOf('4 0 obj'));
    expect(isPlain(tableOf({ ...shown, rows }), hiding)).toBe(false);
  });
});

describe('a cross-reference stream', () => {
  const packed = craft({ objects: OBJECTS, style: 'stream', packed: [4, 5] });
  const CONTAINER = 7;

  /** Lists a packed object and itself. */
  const streamOf = ({ dict = '', w = '[1 4 1]', list = '[4 1 30 1]', size = '31', gap = '' } = {}) => {
    const at = packed.length + gap.length;
    const rows = [2, 0, 0, 0, CONTAINER, 0, 1, ...[24, 16, 8, 0].map((shift) => (at >> shift) & 255), 0];
    const data = String.fromCharCode(...rows);
    return (
      `${gap}30 0 obj\n<<${dict} /Type /XRef /Size ${size} /W ${w} /Index ${list} /Root 1 0 R /Prev ${startXrefOf(packed)}` +
      ` /Length 12>>\nstream\n${data}\nendstream\nendobj\nstartxref\n${packed.length}\n%%EOF\n`
    );
  };

  it('that all programs read alike is one in the plain form', () => {
    expect(isPlain(streamOf(), packed)).toBe(true);
  });

  it('may not follow one whose own number the trailer does not count, for which MuPDF searches the file', () => {
    const uncounted = Buffer.from(packed.toString('latin1').replace('6 0 obj', '8 0 obj'), 'latin1');
    expect(uncounted.equals(packed)).toBe(false);
    expect(isPlain(streamOf(), uncounted)).toBe(false);
  });

  it.each([
    ['stands behind white space', { gap: '\n' }],
    ['has four widths', { w: '[1 4 1 4]' }],
    ['lists numbers with a point', { list: '[4.0 1 30 1]' }],
    ['has a size with a point', { size: '31.0' }],
    ['has no filter, and says so', { dict: '/Filter null' }],
    ['names another one, as the trailer of a table may', { dict: '/XRefStm 9' }],
    ['has two lists of numbers', { dict: '/Index [5 1]' }],
  ])('is not read alike if it %s', (_, more) => {
    expect(isPlain(streamOf(more), packed)).toBe(false);
  });
});
