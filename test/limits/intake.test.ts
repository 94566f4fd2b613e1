import { deflateSync } from 'node:zlib';
import { contextTag } from '../../shared/sealing/der.ts';
import { encode, integer, oid, retag, sequence, setOf } from '../../shared/sealing/der-encode.ts';
import { inspectPdf } from '../../shared/sealing/intake.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import { cpuTimeOf } from '../support/cpu-time.ts';
import { CATALOG, craft, linkedPages, manyPages, ONE_PAGE, startXrefOf } from '../unit/sealing/craft.ts';
import { codeOf, replaced } from '../unit/sealing/inspected.ts';

/** With so many objects, nearly all of them deleted ones. */
function manyObjects(count: number): Buffer {
  const hidden = craft({ objects: ONE_PAGE, style: 'stream' });
  const at = ['1 0 obj', '2 0 obj', '3 0 obj'].map((object) => hidden.indexOf(object));
  const begins = startXrefOf(hidden);
  const rows = Buffer.alloc(count * 5);
  [...at, begins].forEach((offset, index) => {
    rows.writeUInt8(1, (index + 1) * 5);
    rows.writeUInt32BE(offset, (index + 1) * 5 + 1);
  });
  const data = deflateSync(rows);
  const dict = `<</Type /XRef /Size ${count} /W [1 4 0] /Root 1 0 R /Filter /FlateDecode /Length ${data.length}>>`;
  return Buffer.concat([
    hidden.subarray(0, begins),
    Buffer.from(`4 0 obj\n${dict}\nstream\n`),
    data,
    Buffer.from(`\nendstream\nendobj\nstartxref\n${begins}\n%%EOF\n`),
  ]);
}

/** Empty ones: reading others would take too many steps. */
function withPages(count: number): Buffer {
  const objects = Object.entries(manyPages(count)).map(([num, object]) => [
    num,
    Number(num) < 10 ? object : '<<>>',
  ]);
  return craft({ objects: Object.fromEntries(objects) });
}

function withFields(count: number): Buffer {
  const numbers = Array.from({ length: count }, (_, index) => index + 10);
  return craft({
    objects: {
      ...ONE_PAGE,
      1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${numbers.map((num) => `${num} 0 R`).join(' ')}]>>>>`,
      ...Object.fromEntries(numbers.map((num) => [num, `<</T (${num})>>`])),
    },
  });
}

describe('large PDFs', () => {
  it('8,000 pages may be in one list', () => {
    const objects = Object.entries(manyPages(8_000)).map(([num, object]) => [
      num,
      Number(num) < 10 ? object : object.replace('>>', ' /Resources <</Font <<>>>>>>'),
    ]);
    expect(codeOf(craft({ objects: Object.fromEntries(objects) }))).toBe('ok');
  });

  it.each([
    ['in object streams', true],
    ['as objects of their own', false],
  ])('2,000 pages may have 30,000 links %s', (_where, isPacked) => {
    const objects = linkedPages(2_000);
    const packed = isPacked ? Object.keys(objects).map(Number) : [];
    expect(codeOf(craft({ objects, style: 'stream', packed }))).toBe('ok');
  });
});

describe('hostile PDFs', () => {
  const within = (milliseconds: number, pdf: Uint8Array): string => {
    let code = '';
    const spent = cpuTimeOf(() => {
      code = codeOf(pdf);
    });
    expect(spent).toBeLessThan(milliseconds);
    return code;
  };

  it('loops of /Prev end, over one section or many', () => {
    const pdf = craft({ objects: ONE_PAGE, trailer: '/Prev 0000000000' });
    const self = replaced(pdf, '/Prev 0000000000', `/Prev ${String(startXrefOf(pdf)).padStart(10, '0')}`);
    expect(within(1000, self)).toBe('pdf_damaged');
  });

  it('50,000 nested arrays or dictionaries are refused', () => {
    const arrays = '['.repeat(50_000) + ']'.repeat(50_000);
    const dicts = '<</A '.repeat(50_000) + '>>'.repeat(50_000);
    expect(within(1000, craft({ objects: { ...ONE_PAGE, 1: `<</Pages 2 0 R /X ${arrays}>>` } }))).toBe(
      'pdf_too_complex',
    );
    expect(within(1000, craft({ objects: { ...ONE_PAGE, 3: dicts } }))).toBe('pdf_too_complex');
  });

  it('800,000 empty arrays are refused, since each takes memory', () => {
    const filled = Object.entries(manyPages(8)).map(([num, object]) => [
      num,
      Number(num) < 10 ? object : object.replace('>>', ` /X [${'[]'.repeat(100_000)}]>>`),
    ]);
    expect(within(1000, craft({ objects: Object.fromEntries(filled) }))).toBe('pdf_too_complex');
  });

  it('a page tree 50,000 levels deep is refused', () => {
    const levels = Array.from({ length: 50_000 }, (_, i) => [i + 2, `<</Kids [${i + 3} 0 R] /Count 1>>`]);
    const objects = { 1: CATALOG, ...Object.fromEntries(levels), 50002: '<</Type /Page>>' };
    expect(within(5000, craft({ objects }))).toBe('pdf_too_complex');
  });

  it('decompression bombs in cross-reference and object streams are refused', () => {
    const bomb = deflateSync(Buffer.alloc(60 * 1024 * 1024)).toString('latin1');
    const objstm = `<</Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${bomb.length}>>\nstream\n${bomb}\nendstream`;
    const packed = craft({ objects: { ...ONE_PAGE, 9: objstm }, style: 'stream', packed: [3] });
    const text = packed.toString('latin1');
    const xref = `1 0 obj\n<</Type /XRef /Size 5 /Root 1 0 R /W [1 4 1] /Filter /FlateDecode /Length ${bomb.length}>>\nstream\n${bomb}\nendstream\nendobj\nstartxref\n9\n%%EOF\n`;
    expect(within(2000, Buffer.from(`%PDF-1.7\n${xref}`, 'latin1'))).toBe('pdf_too_complex');
    const swapped = text.replace(
      /\d+ 0 obj\n<<\/Type \/ObjStm \/N 1 \/First \d+ /,
      (head) => `${head.split(' ')[0]} 0 obj\n${objstm}\nendobj\n%`,
    );
    expect(within(2000, Buffer.from(swapped, 'latin1'))).toMatch(/^pdf_/);
  });

  it('a table that claims four billion entries is refused', () => {
    const text = craft({ objects: ONE_PAGE }).toString('latin1').replace('xref\n0 1', 'xref\n0 4294967295');
    expect(within(1000, Buffer.from(text, 'latin1'))).toBe('pdf_damaged');
  });

  it.each([
    ['white space', `${' '.repeat(4_000_000)}<</Type /Page /MediaBox [0 0 9 9]>>`],
    ['a string', `<</Type /Page /MediaBox [0 0 9 9] /X (${'x'.repeat(4_000_000)})>>`],
  ])('an object padded with %s, at which many objects point, is read once', (_, padded) => {
    const kids = Array.from({ length: 2000 }, (_kid, index) => index + 10);
    const objects = {
      1: CATALOG,
      2: `<</Type /Pages /Kids [${kids.map((num) => `${num} 0 R`).join(' ')}] /Count ${kids.length}>>`,
      3: padded,
      ...Object.fromEntries(kids.map((num) => [num, '3 0 R'])),
    };
    expect(within(500, craft({ objects }))).toBe('pdf_damaged');
  });

  const PAGES = Object.keys(manyPages(40)).filter((num) => Number(num) >= 10);

  it.each<[string, Record<string, string>]>([
    [
      'nodes of a tree of names',
      {
        1: `<</Type /Catalog /Pages 2 0 R /Names <</JavaScript <</Kids [${'<</Names 9 0 R>>'.repeat(100)}]>>>>>>`,
        9: `[${'(a)<<>>'.repeat(120_000)}]`,
      },
    ],
    [
      'pages',
      {
        ...manyPages(40),
        ...Object.fromEntries(
          PAGES.map((num) => [num, '<</Parent 2 0 R /MediaBox [0 0 9 9] /Annots 9 0 R>>']),
        ),
        9: `[${'<<>>'.repeat(240_000)}]`,
      },
    ],
    [
      'annotations',
      {
        3: `<</Parent 2 0 R /MediaBox [0 0 9 9] /Annots [${'<</AA 9 0 R>>'.repeat(200)}]>>`,
        9: `<<${Array.from({ length: 100_000 }, (_entry, index) => `/K${index}<<>>`).join('')}>>`,
      },
    ],
    [
      'annotations, of numbers instead of actions,',
      {
        3: `<</Parent 2 0 R /MediaBox [0 0 9 9] /Annots [${'<</AA 9 0 R>>'.repeat(2_000)}]>>`,
        9: `<<${'/A 0'.repeat(100_000)}>>`,
      },
    ],
    [
      'named pages, of numbers instead of annotations,',
      {
        1: `<</Type /Catalog /Pages 2 0 R /Names <</Pages <</Names [${'(a) 3 0 R'.repeat(2_000)}]>>>>>>`,
        3: `<</Parent 2 0 R /MediaBox [0 0 9 9] /Annots [${'0 '.repeat(200_000)}]>>`,
      },
    ],
  ])('a long list that many %s share is refused in little time', (_, objects) => {
    expect(within(2000, craft({ objects: { ...ONE_PAGE, ...objects } }))).toBe('pdf_too_complex');
  });

  it('125,000 actions of one annotation are read, whatever calls led there', () => {
    const objects = {
      ...ONE_PAGE,
      3: '<</Parent 2 0 R /MediaBox [0 0 9 9] /Annots [<</AA 9 0 R>>]>>',
      9: `<<${'/A 0'.repeat(124_990)}>>`,
    };
    const pdf = craft({ objects });
    const below = (calls: number): string => (calls === 0 ? codeOf(pdf) : below(calls - 1));
    expect(below(300)).toBe('ok');
  });

  it('a stream whose data comes in millions of rows of one byte is unpacked in little time', () => {
    const data = deflateSync(Buffer.alloc(30 * 1024 * 1024)).toString('latin1');
    const parameters = '/Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 1>>';
    const objects = {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [] /XFA 9 0 R>>>>',
      9: `<<${parameters} /Length ${data.length}>>\nstream\n${data}\nendstream`,
    };
    expect(within(1000, craft({ objects }))).toBe('ok');
  });

  it('100,000 looks of one field take little time', () => {
    const kids = Array.from({ length: 4 }, (_, index) => index + 10);
    const objects = {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R]>>>>',
      5: `<</FT /Tx /T (a) /Kids [${kids.map((num) => `${num} 0 R`).join(' ')}]>>`,
      ...Object.fromEntries(
        kids.map((num) => [num, `<</Kids [${'<</AP <</N 4 0 R /R 4 0 R /D 4 0 R>>>>'.repeat(25_000)}]>>`]),
      ),
    };
    expect(within(5000, craft({ objects }))).toMatch(/^ok|pdf_too_complex$/);
  });

  it.each<[string, string]>([
    ['names', `[${`/${'n'.repeat(4_000)} `.repeat(500)}]`],
    ['names in hexadecimal', `[${`/${'#6e'.repeat(1_300)} `.repeat(500)}]`],
    ['digits', '0'.repeat(2_000_000)],
    ['arrays', `[${'[]'.repeat(200_000)}]`],
  ])('many fields that overlap in long %s are refused in little time', (_, value) => {
    const fields = Array.from({ length: 5_000 }, (_field, index) => index + 10);
    const objects = {
      ...ONE_PAGE,
      1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields.map((num) => `${num} 0 R`).join(' ')}]>>>>`,
      // Each is white space before the value, so each would read it.
      ...Object.fromEntries(fields.map((num) => [num, ''])),
      9000: value,
    };
    expect(within(2000, craft({ objects, style: 'stream', packed: [...fields, 9_000] }))).toBe('pdf_damaged');
  });

  it('a page that names its annotations 50,000 times gets one list', () => {
    const page = `<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] ${'/Annots[0 0]'.repeat(50_000)}>>`;
    expect(within(2000, craft({ objects: { ...ONE_PAGE, 3: page } }))).toBe('ok');
  });

  it('many fields that name one large signature, with many byte ranges, are refused in little time', () => {
    const fields = Array.from({ length: 20_000 }, (_field, index) => index + 10);
    const objects = {
      ...ONE_PAGE,
      1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields.map((num) => `${num} 0 R`).join(' ')}]>>>>`,
      4: `<</Type /Sig /Contents <300B06092A864886F70D010702${'0'.repeat(4_000_000)}> /ByteRange 5 0 R>>`,
      5: `[${'0 0 '.repeat(100_000)}]`,
      ...Object.fromEntries(fields.map((num) => [num, `<</FT /Sig /T (${num}) /V 4 0 R>>`])),
    };
    expect(within(2000, craft({ objects }))).toBe('pdf_too_complex');
  });

  it('of an attachment’s name of 8 MB only the beginning is read', () => {
    const objects = {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /AF [4 0 R]>>',
      4: `<</Type /Filespec /UF (${'x'.repeat(8_000_000)}) /EF <</F 5 0 R>>>>`,
      5: '<</Length 1>>\nstream\nx\nendstream',
    };
    const pdf = craft({ objects });
    expect(within(500, pdf)).toBe('ok');
    expect(inspectPdf(pdf)).toMatchObject({ attachments: [{ name: 'x'.repeat(255), size: 1 }] });
  });

  it('an earlier signature may hold millions of tiny values, which take no memory', () => {
    const certificates = retag(contextTag(0), setOf(Buffer.alloc(4_000_000, '3000', 'hex')));
    const content = sequence(oid(OIDS.data));
    const data = sequence(integer(1), setOf(), content, certificates, setOf(sequence()));
    const cms = sequence(oid(OIDS.signedData), encode(contextTag(0), data)).toString('hex');
    const pdf = craft({
      objects: {
        ...ONE_PAGE,
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [4 0 R] /SigFlags 3>>>>',
        4: '<</FT /Sig /T (A) /V 5 0 R>>',
        5: `<</Type /Sig /ByteRange [0 1 1 1] /Contents <${cms}>>>`,
      },
    });
    expect(within(2_000, pdf)).toBe('ok');
  });

  it('object numbers beyond what readers must support are refused', () => {
    const text = craft({ objects: ONE_PAGE }).toString('latin1').replace('xref\n0 1', 'xref\n99999999 1');
    expect(within(1000, Buffer.from(text, 'latin1'))).toBe('pdf_too_complex');
  });

  it('an object stream that contains itself or its own length is refused', () => {
    const pdf = craft({ objects: ONE_PAGE, style: 'stream', packed: [3] });
    const length = /\/ObjStm .*?\/Length (\d+)/.exec(pdf.toString('latin1'))?.[1] ?? '';
    expect(within(1000, replaced(pdf, `/Length ${length}>>`, '/Length 3 0 R>>'))).toBe('pdf_damaged');
  });

  it('a dictionary with millions of values is refused in little time', () => {
    const wide = `<</Pages 2 0 R /X [${'0 '.repeat(3_000_000)}]>>`;
    expect(within(3000, craft({ objects: { ...ONE_PAGE, 1: wide } }))).toBe('pdf_too_complex');
  });
});

describe('PDFs that could be sealed, and yet no proofs or pages added', () => {
  it.each<[string, () => [Buffer, Buffer]]>([
    ['objects', () => [manyObjects(499_995), manyObjects(498_000)]],
    ['pages', () => [withPages(99_999), withPages(98_000)]],
    ['fields', () => [withFields(99_999), withFields(98_000)]],
    [
      'object numbers',
      () => [craft({ objects: ONE_PAGE, size: 8_288_600 }), craft({ objects: ONE_PAGE, size: 8_280_000 })],
    ],
  ])('a file whose %s leave no room is refused, and one with room accepted', (_, files) => {
    const [full, roomy] = files();
    expect(codeOf(full)).toBe('pdf_too_complex');
    expect(codeOf(roomy)).toBe('ok');
  });

  it.each<[string, (long: string) => Buffer]>([
    ['catalog', (long) => packed({ 1: `<</Type /Catalog /Pages 2 0 R /X ${long}>>` }, 1)],
    ['page tree', (long) => packed({ 2: `<</Type /Pages /Kids [3 0 R] /Count 1 /X ${long}>>` }, 2)],
  ])('a small file whose %s unpacks to megabytes, which each seal would write, is refused', (_, fileWith) => {
    const ofBytes = (bytes: number) => fileWith(`(${'x'.repeat(bytes)})`);
    const [heavy, light] = [ofBytes(5_000_000), ofBytes(3_000_000)];
    expect(heavy.length).toBeLessThan(100_000);
    expect([codeOf(heavy), codeOf(light)]).toEqual(['pdf_too_complex', 'ok']);
  });
});

const packed = (objects: Record<number, string>, number: number) =>
  craft({ objects: { ...ONE_PAGE, ...objects }, style: 'stream', packed: [number] });
