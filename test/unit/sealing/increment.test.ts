import { Increment } from '../../../shared/sealing/increment.ts';
import { PdfRef } from '../../../shared/sealing/pdf/values.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import { type Crafted, craft, ONE_PAGE } from './craft.ts';

const begin = (original: Buffer): Increment => new Increment(openPdf(original).file);

/** The bytes that an increment with these objects appends to a file. */
function appended(crafted: Partial<Crafted>, ...refs: PdfRef[]): Buffer {
  const increment = begin(craft({ objects: ONE_PAGE, ...crafted }));
  for (const ref of refs) increment.put(ref, '(new)');
  increment.finish();
  return Buffer.concat(increment.chunks);
}

it('an object is not written twice', () => {
  const increment = begin(craft({ objects: ONE_PAGE }));
  increment.put(new PdfRef(2, 0), '(once)');
  expect(() => increment.put(new PdfRef(2, 0), '(twice)')).toThrow('twice');
});

it.each([
  ['a line feed', '\n', ''],
  ['a carriage return', '\r', ''],
  ['anything else', '', '\n'],
])('the first object begins on a line of its own after a file that ends in %s', (_what, end, added) => {
  const file = Buffer.concat([craft({ objects: ONE_PAGE }).subarray(0, -1), Buffer.from(end)]);
  const increment = begin(file);
  increment.put(new PdfRef(2, 0), '(new)');
  expect(Buffer.concat(increment.chunks).toString()).toBe(`${added}2 0 obj\n(new)\nendobj\n`);
  expect(increment.end).toBe(file.length + added.length + '2 0 obj\n(new)\nendobj\n'.length);
});

describe('the cross-reference', () => {
  const OBJECTS = { ...ONE_PAGE, 4: '(a)', 9: '(b)' };
  const REFS = [new PdfRef(9, 0), new PdfRef(2, 5), new PdfRef(3, 0), new PdfRef(4, 0)];
  const HEADS = ['2 5 obj', '3 0 obj', '4 0 obj', '9 0 obj'];

  it('a table has a section for each run of consecutive numbers', () => {
    const bytes = appended({ objects: OBJECTS }, ...REFS);
    const before = craft({ objects: OBJECTS }).length;
    const [two, three, four, nine] = HEADS.map((head) =>
      String(before + bytes.indexOf(head)).padStart(10, '0'),
    );
    expect(bytes.toString()).toContain(
      `xref\n2 3\n${two} 00005 n\r\n${three} 00000 n\r\n${four} 00000 n\r\n9 1\n${nine} 00000 n\r\ntrailer\n`,
    );
  });

  it('a cross-reference stream has the same sections and an entry for itself', () => {
    const bytes = appended({ objects: OBJECTS, style: 'stream' }, ...REFS);
    const before = craft({ objects: OBJECTS, style: 'stream' }).length;
    const own = /(\d+) 0 obj\n<<\/Type \/XRef/.exec(bytes.toString('latin1'))?.[1];
    expect(bytes.toString('latin1')).toContain(`/W [1 4 2] /Index [2 3 9 1 ${own} 1] /Length 35\n`);
    const from = bytes.indexOf('stream\n') + 'stream\n'.length;
    const rows = Array.from({ length: 5 }, (_, n) => bytes.subarray(from + 7 * n, from + 7 * (n + 1)));
    const generations = [5, 0, 0, 0, 0];
    expect(rows.map((row) => [row[0], row.readUInt32BE(1), row.readUInt16BE(5)])).toEqual(
      [...HEADS, `${own} 0 obj`].map((head, n) => [1, before + bytes.indexOf(head), generations[n]]),
    );
  });
});

describe('the trailer', () => {
  const keysOf = (bytes: Buffer): string[] =>
    [...(bytes.toString('latin1').split('trailer')[1] ?? '').matchAll(/\n\/(\w+)/g)].map(
      ([, key = '']) => key,
    );

  it('the trailer keeps the file’s entries, but not those of a section or stream', () => {
    const ofStreams =
      '/Type /XRef /W [1 2 1] /Index [0 1] /Length 4 /Filter /FlateDecode /DecodeParms null /F (f) /FFilter /FlateDecode /FDecodeParms null /DL 4';
    const bytes = appended({ trailer: `/ID [(a) (b)] ${ofStreams} /Info 3 0 R /Mine (kept)` });
    expect(keysOf(bytes)).toEqual(['Size', 'Prev', 'ID', 'Root', 'Info', 'Mine']);
    expect(bytes.toString()).toContain('/Info 3 0 R\n/Mine (kept)\n');
  });

  it('the trailer of a hybrid file is appended without its /XRefStm', () => {
    const plain = craft({ objects: ONE_PAGE, style: 'stream' });
    const at = plain.indexOf('4 0 obj');
    const bytes = appended({ objects: ONE_PAGE, trailer: `/XRefStm ${at} /Info 3 0 R` });
    expect(keysOf(bytes)).toEqual(['Size', 'Prev', 'ID', 'Root', 'Info']);
  });

  it.each([
    ['no identifier', ''],
    ['an empty identifier', '/ID []'],
    ['something else in its place', '/ID (text)'],
  ])('a file with %s gets an identifier of two equal halves', (_what, trailer) => {
    expect(appended({ trailer }).toString()).toMatch(/\/ID \[(<[\dA-F]{32}>) \1\]/);
  });
});
