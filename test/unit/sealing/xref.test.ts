import { inflateSync } from 'node:zlib';
import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { PdfRefusal } from '../../../shared/sealing/pdf/refusal.ts';
import { XrefEntries } from '../../../shared/sealing/pdf/xref-entries.ts';
import { beginningWith, CATALOG, craft, hybrid, ONE_PAGE, revise, startXrefOf } from './craft.ts';
import { codeOf, replaced } from './inspected.ts';

const xrefOf = (pdf: Uint8Array) => new PdfFile(pdf, new Budget(inflate)).xref;
const TABLE = craft({ objects: ONE_PAGE });
const FREE = '0 1\n0000000000 65535 f\r\n';
const withRow = (row: string, pdf = TABLE): Buffer => replaced(pdf, FREE, FREE + row);

/** An uncompressed cross-reference stream of these rows: type, object, rest. */
function streamed(index: string, change: (rows: Buffer[]) => Buffer[]): Buffer {
  const text = craft({ objects: ONE_PAGE, style: 'stream' }).toString('latin1');
  const [, head = '', packed = '', end = ''] = /^(.*?stream\n)(.*)(\nendstream.*)$/s.exec(text) ?? [];
  const rows = inflateSync(Buffer.from(packed, 'latin1'));
  const all = change(
    Array.from({ length: rows.length / 6 }, (_, row) => rows.subarray(row * 6, row * 6 + 6)),
  );
  const data = Buffer.concat(all).toString('latin1');
  const dict = head
    .replace(/\/Size \d+/, '/Size 5')
    .replace(/\/Index.*>>/, `${index} /Length ${data.length}>>`);
  return Buffer.from(dict + data + end, 'latin1');
}
const ROW_OF_0 = Buffer.alloc(6);
const unchanged = (rows: Buffer[]): Buffer[] => rows;
const UP_TO_4 = '/Index [1 4]';

describe('a cross-reference', () => {
  it.each([
    ['has sections without entries', withRow('8 0\n')],
    ['has free objects', withRow('8 1\n0000000000 00000 f\r\n')],
    ['has two bytes before its offset', replaced(TABLE, 'startxref\n', 'startxref\r\n')],
    [
      'calls a missing object in use at offset 0, where the header is',
      withRow(
        '8 1\n0000000000 00000 n\r\n',
        craft({ objects: { ...ONE_PAGE, 1: `${CATALOG.slice(0, -2)} /Outlines 8 0 R>>` } }),
      ),
    ],
    ['is a stream that lists its objects', streamed(UP_TO_4, unchanged)],
    ['is a stream of all objects from 0 on', streamed('', (rows) => [ROW_OF_0, ...rows])],
    [
      'is a stream whose data begin behind two bytes',
      replaced(streamed(UP_TO_4, unchanged), '>>\nstream\n', '>>\nstream\r\n'),
    ],
  ])('is read if it %s', (_, pdf) => {
    expect(codeOf(pdf)).toBe('ok');
  });

  it.each([
    ['leads back to itself', replaced(TABLE, '/Root', `/Prev ${startXrefOf(TABLE)} /Root`)],
    ['has a letter in an offset', withRow('8 1\n00000000x0 00000 f\r\n')],
    ['has a sign in an offset', withRow('8 1\n00000000-0 00000 f\r\n')],
    ['has no space before a generation', withRow('8 1\n0000000000-00000 f\r\n')],
    ['has no space before the kind of an entry', withRow('8 1\n0000000000 00000-f\r\n')],
    ['has an entry of no kind', withRow('8 1\n0000000000 00000 x\r\n')],
    ['begins a section with no number', withRow('-8 1\n')],
    ['counts the entries of a section with no number', withRow('8 -1\n')],
    ['has a list as its trailer', replaced(TABLE, 'trailer\n<<', 'trailer\n[]<<')],
    ['gives a key of its trailer twice', craft({ objects: ONE_PAGE, trailer: '/Size 4' })],
    ['has no size', replaced(TABLE, '/Size 4', '')],
    [
      'has a hidden section at an offset with a sign',
      replaced(hybrid(ONE_PAGE, [3]), '/XRefStm ', '/XRefStm +'),
    ],
    ['has no list as its index', streamed('/Index 7', unchanged)],
    [
      'has an index out of order',
      streamed('/Index [2 1 1 1 3 2]', ([first = ROW_OF_0, second = ROW_OF_0, ...rows]) => [
        second,
        first,
        ...rows,
      ]),
    ],
    [
      'has an index that names an object twice',
      streamed('/Index [1 1 1 4]', ([first = ROW_OF_0, ...rows]) => [first, first, ...rows]),
    ],
  ])('is refused if it %s', (_, pdf) => {
    expect(codeOf(pdf)).toBe('pdf_damaged');
  });

  it('is refused if it may begin with object 0 or 1, and read if it begins with 0', () => {
    const pdf = craft({
      objects: {
        11: '<</Type /Catalog /Pages 12 0 R>>',
        12: '<</Type /Pages /Kids [13 0 R] /Count 1>>',
        13: '<</Type /Page /Parent 12 0 R /MediaBox [0 0 200 300]>>',
      },
      trailer: '/Root 11 0 R',
    });
    const row = '0000000000 00000 f\r\n';
    expect(codeOf(withRow(`1 1\n${row}`, pdf))).toBe('pdf_damaged');
    expect(codeOf(replaced(pdf, FREE, `${FREE.replace('0 1', '0 2')}${row}`))).toBe('ok');
  });

  it.each([0, 1])('may be a stream with an object in use at offset 0, which is missing: row %i', (place) => {
    const pdf = streamed(UP_TO_4, (rows) => rows.with(place, Buffer.from([1, 0, 0, 0, 0, 0])));
    expect(xrefOf(pdf).entries.get(place + 1)).toEqual({ kind: 'free' });
  });

  it('is refused if it is a stream of four fields, of which some programs skip only three', () => {
    expect(codeOf(replaced(streamed(UP_TO_4, unchanged), '/W [1 4 1]', '/W [1 4 1 0]'))).toBe('pdf_damaged');
  });

  it('leaves free only numbers above every object, whatever size it states', () => {
    const pdf = craft({ objects: ONE_PAGE, size: 2 });
    expect(xrefOf(pdf).nextNumber).toBe(4);
  });

  const ROWS = '<</Size 9 /W [1 1 1] /Index [8 1] /Length 3>>\nstream\nabc\nendstream';
  const SPACE = ' '.repeat(50);
  const OTHER_TABLE = 'xref\n0 0\ntrailer\n<</Size 9>>\n'.padEnd(`10 0 obj\n${SPACE}`.length);

  it.each<[string, Buffer, boolean]>([
    ['a cross-reference stream', beginningWith(ROWS), true],
    ['one whose number has a sign', replaced(beginningWith(ROWS), '10 0 obj', '+1 0 obj'), true],
    ['a table', replaced(beginningWith(`${SPACE}7`), `10 0 obj\n${SPACE}`, OTHER_TABLE), true],
    ['another stream', beginningWith('<</Length 0>>\nstream\n\nendstream'), false],
    ['a dictionary with widths', beginningWith('<</W [1 1 1]>>'), false],
    ['a cross-reference stream that no /Prev names', beginningWith(ROWS, ''), false],
  ])('that ends with /Prev 0 is ambiguous if the file begins with another: %s', (_, pdf, isAmbiguous) => {
    const told = '/Prev 0 leads to another cross-reference section';
    expect(xrefOf(pdf).ambiguities.includes(told)).toBe(isAmbiguous);
  });

  it('hides only what the hidden section has and the table calls free', () => {
    const objects = { ...ONE_PAGE, 4: '<</ca 0>>', 5: '<</ca 0>>' };
    expect([...xrefOf(hybrid(objects, [4, 5], [5, 9])).hidden]).toEqual([5]);
    expect(xrefOf(craft({ objects })).hidden.size).toBe(0);
  });

  it('lets a hidden section call an object of an older revision free', () => {
    const older = craft({ objects: { ...ONE_PAGE, 4: '<</ca 0>>' } });
    const free4 =
      '7 0 obj\n<</Type /XRef /Size 8 /W [1 1 1] /Index [4 1] /Length 3>>\nstream\n\0\0\0\nendstream\nendobj\n';
    const trailer = `<</Size 8 /Root 1 0 R /Prev ${startXrefOf(older)} /XRefStm ${older.length}>>`;
    const table = `xref\n0 0\ntrailer\n${trailer}\nstartxref\n${older.length + free4.length}\n%%EOF\n`;
    const newer = Buffer.concat([older, Buffer.from(free4 + table, 'latin1')]);
    expect([older, newer].map((pdf) => xrefOf(pdf).entries.get(4)?.kind)).toEqual(['plain', 'free']);
  });

  it('hides no object that a newer revision has', () => {
    const objects = {
      ...ONE_PAGE,
      3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources <</ExtGState <</A 4 0 R>>>>>>',
      4: '<</ca 0>>',
    };
    const hiding = hybrid(objects, [4]);
    expect(codeOf(hiding)).toBe('pdf_damaged');
    expect(codeOf(revise(hiding, { objects: { 4: '<</ca 1>>' } }))).toBe('ok');
  });
});

describe('the entries of a cross-reference', () => {
  const LAST = 8_388_607;

  it('are kept as they were added, up to the largest', () => {
    const entries = new XrefEntries();
    entries.addPlain(LAST, 2 ** 35, 65_535);
    entries.addPacked(1, LAST, 2 ** 20 - 1);
    entries.addPacked(2, 0, 0);
    entries.addFree(3);
    expect([LAST, 1, 2, 3].map((num) => entries.get(num))).toEqual([
      { kind: 'plain', offset: 2 ** 35, gen: 65_535 },
      { kind: 'packed', container: LAST, index: 2 ** 20 - 1 },
      { kind: 'packed', container: 0, index: 0 },
      { kind: 'free' },
    ]);
  });

  it.each<[string, (entries: XrefEntries) => void]>([
    ['a generation', (entries) => entries.addPlain(1, 9, 65_536)],
    ['an object number', (entries) => entries.addPlain(LAST + 1, 9, 0)],
    ['an object stream', (entries) => entries.addPacked(1, LAST + 1, 0)],
    ['a place in an object stream', (entries) => entries.addPacked(1, 6, 2 ** 20)],
  ])('are refused with %s beyond the largest, which would be read as another entry', (_, add) => {
    expect(() => add(new XrefEntries())).toThrow(PdfRefusal);
  });
});
