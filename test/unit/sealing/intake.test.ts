import { deflateSync, inflateSync } from 'node:zlib';
import { inflate } from '../../../shared/sealing/inflate.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { refuseFalseLinearization } from '../../../shared/sealing/linearization.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { PdfArray, PdfDict, PdfRef } from '../../../shared/sealing/pdf/values.ts';
import {
  beginningWith,
  CATALOG,
  craft,
  hybrid,
  linearized,
  manyPages,
  ONE_PAGE,
  objectStream,
  relist,
  revise,
} from './craft.ts';
import { codeOf, replaced } from './inspected.ts';

const signature = (extra = ''): Record<string, string> => ({
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R] /SigFlags 3>>>>',
  5: '<</FT /Sig /T (A) /V 6 0 R /Subtype /Widget /Rect [0 0 0 0]>>',
  6: `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <300B06092A864886F70D010702> ${extra}>>`,
});

/** One page behind this object, which nothing names; the trailer says /Prev 0. */
/** A table that stands before its objects, and ends the chain with /Prev 0. */
function tableFirst(): Buffer {
  const HEAD = '%PDF-1.7\n';
  const objects = Object.entries(ONE_PAGE).map(([num, object]) => `${num} 0 obj\n${object}\nendobj\n`);
  const tableAt = (begins: number): string => {
    const rows = objects.map((_, index) => begins + objects.slice(0, index).join('').length);
    const entries = rows.map((at) => `${String(at).padStart(10, '0')} 00000 n\r\n`).join('');
    return `xref\n0 4\n0000000000 65535 f\r\n${entries}trailer\n<</Size 4 /Root 1 0 R /Prev 0>>\n`;
  };
  const begins = HEAD.length + tableAt(0).length;
  return Buffer.from(`${HEAD}${tableAt(begins)}${objects.join('')}startxref\n${HEAD.length}\n%%EOF\n`);
}

const DRAWS_4 = {
  ...ONE_PAGE,
  3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Resources <</ExtGState <</A 4 0 R>>>>>>',
};
/** Object 4 stands behind the header. */
const DRAWS_4_FIRST = {
  '4 0': '<</ca 0>>',
  ...Object.fromEntries(Object.entries(DRAWS_4).map(([num, object]) => [`${num} 0`, object])),
};
const PACKED = craft({
  objects: { ...DRAWS_4, 4: '<</ca 0>>', 5: '<</ca 1>>' },
  style: 'stream',
  packed: [4, 5],
});
/** Its object 4 is the first of those in an object stream. */
const packing = (numbers: number[]): Buffer => {
  const objects = { 4: '<</ca 0>>', 5: '<</ca 1>>' };
  const holding = { ...DRAWS_4, 9: objectStream(numbers, objects) };
  return relist(craft({ objects: holding, style: 'stream' }), [[4, 9, 0]]);
};

const PREDICTED = '<</Predictor 15 /Columns 999 /Colors 1 /BitsPerComponent 8>>';
/** Its page is 222 wide in an object stream with these entries, and 111 for whoever undoes a predictor first. */
function withPage(entries: string, others: Record<string, string> = {}): Buffer {
  const page = (width: number): string => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} 300]>>`;
  const data = deflateSync(`\x003 0 %${page(111)}\n${page(222)}`).toString('latin1');
  const stream = `<</Type /ObjStm /N 1 ${entries} /Length ${data.length}>>\nstream\n${data}\nendstream`;
  const { 3: _, ...objects } = ONE_PAGE;
  return relist(craft({ objects: { ...objects, ...others, 7: stream } }), [[3, 7, 0]]);
}

const SPACES = ' '.repeat(5 * 1024 * 1024);

describe('accepted PDFs', () => {
  it.each([
    ['a plain file', craft({ objects: ONE_PAGE }), 1],
    ['a cross-reference stream', craft({ objects: ONE_PAGE, style: 'stream' }), 1],
    ['objects in object streams', craft({ objects: ONE_PAGE, style: 'stream', packed: [1, 2, 3] }), 1],
    ['19-byte entries in the table', craft({ objects: ONE_PAGE, entryEnd: '\n' }), 1],
    ['a chain that ends with /Prev 0', craft({ objects: ONE_PAGE, trailer: '/Prev 0' }), 1],
    ['such a chain behind a stream', beginningWith('<</Length 0>>\nstream\n\nendstream'), 1],
    ['such a chain, with the cross-reference before the objects', tableFirst(), 1],
    ['large objects that sealing leaves alone', craft({ objects: { ...ONE_PAGE, 4: `(${SPACES})` } }), 1],
    ['5,000 pages', craft({ objects: manyPages(5000) }), 5000],
    ['non-zero generations', craft({ objects: { ...ONE_PAGE, '4 3': '<<>>' } }), 1],
  ])('intake accepts %s', (_, pdf, pageCount) => {
    expect(inspectPdf(pdf)).toEqual({ ok: true, pageCount, signed: false, attachments: [] });
  });

  it('intake accepts a file with 300 revisions', () => {
    let pdf = craft({ objects: ONE_PAGE });
    for (let i = 0; i < 300; i += 1) pdf = revise(pdf, { objects: { 4: `(revision ${i})` } });
    expect(inspectPdf(pdf)).toMatchObject({ ok: true, pageCount: 1, signed: false });
  });

  it('intake accepts deleted objects', () => {
    const deleted = revise(craft({ objects: { ...ONE_PAGE, 4: '(old)' } }), { objects: {}, size: 5 })
      .toString('latin1')
      .replace(/(xref\n0 1\n.*\r\n)(?=trailer\n<<[^>]*\/Prev)/, '$14 1\n0000000000 00001 f\r\n');
    const file = new PdfFile(Buffer.from(deleted, 'latin1'), new Budget(inflate));
    expect(file.xref.entries.get(4)).toEqual({ kind: 'free' });
    expect(codeOf(Buffer.from(deleted, 'latin1'))).toBe('ok');
  });

  it('intake accepts packed objects that are listed again', () => {
    expect(codeOf(relist(PACKED, [[4, 7, 0]]))).toBe('ok');
    expect(codeOf(packing([4, 5]))).toBe('ok');
  });

  it('intake accepts a hybrid file whose pages are listed only in its hidden stream', () => {
    expect(codeOf(hybrid(ONE_PAGE, [3]))).toBe('ok');
  });

  it('intake accepts a hybrid file whose hidden stream has what pages do not draw', () => {
    const objects = {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /StructTreeRoot 4 0 R>>',
      4: '<</Type /StructTreeRoot /K 5 0 R>>',
      5: '<</S /Document /Pg 3 0 R>>',
    };
    expect(codeOf(hybrid(objects, [4, 5]))).toBe('ok');
  });

  it.each<[string, number, string, Record<string, string>]>([
    ['no parameters', 222, '/Filter /FlateDecode', {}],
    ['parameters without a predictor', 222, '/Filter /FlateDecode /DecodeParms <</Columns 999>>', {}],
    ['a list of filters and no parameters', 222, '/Filter [/FlateDecode]', {}],
    ['a list of no parameters', 222, '/Filter [/FlateDecode] /DecodeParms [null]', {}],
    ['a predictor', 111, '/Filter /FlateDecode /DecodeParms <</Predictor 12 /Columns 999>>', {}],
    ['one in another object', 111, '/Filter /FlateDecode /DecodeParms 6 0 R', { 6: PREDICTED }],
    ['one that a list names', 111, '/Filter [/Fl] /DecodeParms [6 0 R]', { 6: PREDICTED }],
  ])('an object stream is decoded as other programs do: %s', (_, width, entries, others) => {
    const pdf = withPage(`/First 5 ${entries}`, others);
    expect(codeOf(pdf)).toBe('ok');
    const page = new PdfFile(pdf, new Budget(inflate)).resolve(new PdfRef(3, 0));
    const box = page instanceof PdfDict ? page.get('MediaBox') : null;
    expect(box instanceof PdfArray ? box.items[2]?.value : box).toBe(width);
  });

  it('a document is reported as signed, even if the signature field inherits its type', () => {
    expect(inspectPdf(craft({ objects: { ...ONE_PAGE, ...signature() } }))).toMatchObject({ signed: true });
    const inherited = {
      ...ONE_PAGE,
      ...signature(),
      5: '<</FT /Sig /T (A) /Kids [7 0 R]>>',
      7: '<</T (B) /V 6 0 R>>',
    };
    expect(inspectPdf(craft({ objects: inherited }))).toMatchObject({ signed: true });
  });

  it('a document is reported as signed by any of the fields that stand in its form itself', () => {
    const fields = '<</FT /Tx /T (B)>> <</FT /Sig /T (A) /V 6 0 R>>';
    const form = `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields}]>>>>`;
    expect(inspectPdf(craft({ objects: { ...ONE_PAGE, ...signature(), 1: form } }))).toMatchObject({
      signed: true,
    });
  });

  it('a field whose look is no dictionary is accepted', () => {
    const form = '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [<</FT /Tx /T (A) /AP 7>>]>>>>';
    expect(codeOf(craft({ objects: { ...ONE_PAGE, 1: form } }))).toBe('ok');
  });

  it.each<[string, string]>([
    ['its list of fields', `/AcroForm <<${'/Fields []'.repeat(130_000)}>>`],
    ['that it has no form', '/AcroForm null'.repeat(130_000)],
  ])('intake accepts a file that says very often %s', (_, entries) => {
    const objects = { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${entries}>>` };
    expect(inspectPdf(craft({ objects }))).toMatchObject({ ok: true });
  });

  it.each(['(a\\tb.\\344)', '(a\\rb)', '<61\r62>', '<FEFF00E4D83DDE00>', '<EFBBBFC3A4>', '()'])(
    'intake accepts a field with the name %s',
    (name) => {
      const objects = {
        ...ONE_PAGE,
        1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [<</FT /Tx /T ${name}>>]>>>>`,
      };
      expect(inspectPdf(craft({ objects }))).toMatchObject({ ok: true });
    },
  );

  it('an empty signature field is not a signature', () => {
    const empty = { ...ONE_PAGE, ...signature(), 5: '<</FT /Sig /T (A)>>' };
    expect(inspectPdf(craft({ objects: empty }))).toMatchObject({ ok: true, signed: false });
  });

  it('intake accepts certifications with P=2, P=3 or no P, which allow signatures', () => {
    for (const permission of ['/P 2', '/P 3', '']) {
      const reference = `/Reference [<</TransformMethod /DocMDP /TransformParams <<${permission} /V /1.2>>>>]`;
      expect(codeOf(craft({ objects: { ...ONE_PAGE, ...signature(reference) } }))).toBe('ok');
    }
  });
});

const withStore = (store: string): Buffer =>
  craft({ objects: { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R /DSS ${store}>>` }, size: 100 });

describe('PDFs that could be sealed, and yet no proofs or pages added', () => {
  it.each(['<</Certs 7>>', '<</OCSPs (x)>>', '<</CRLs 99 0 R>>', '99 0 R'])(
    'a file whose security store is %s is refused',
    (store) => {
      expect(codeOf(withStore(store))).toBe('pdf_damaged');
    },
  );

  it.each(['<<>>', '<</Certs [] /VRI 7>>', '<</Certs [99 0 R]>>', 'null'])(
    'a file whose security store is %s is accepted',
    (store) => {
      expect(codeOf(withStore(store))).toBe('ok');
    },
  );
});

describe('linearized PDFs', () => {
  const length = linearized().length;

  it('are accepted', () => {
    expect(inspectPdf(linearized())).toMatchObject({ ok: true, pageCount: 2 });
    expect(codeOf(linearized({ O: 11, P: 1 }))).toBe('ok');
    const commented = linearized()
      .toString('latin1')
      .replace(/ {9}xref/, '% text  \nxref');
    expect(codeOf(Buffer.from(commented, 'latin1'))).toBe('ok');
  });

  it.each<[string, Record<string, number>]>([
    ['another number of pages', { N: 1 }],
    ['another first page', { O: 11 }],
    ['no page as the first', { O: 2 }],
    ['another page by its number', { P: 1 }],
    ['a page beyond the last', { P: 2 }],
  ])('are refused if their dictionary names %s, which some programs would believe', (_, claims) => {
    expect(codeOf(linearized(claims))).toBe('pdf_damaged');
    expect(codeOf(linearized({ ...claims, L: length + 20_000 }))).toBe('pdf_damaged');
    expect(codeOf(linearized({ ...claims, L: length - 1 }))).toBe('ok');
  });

  const [digit, ...digits] = String(length);

  it.each<[string, Record<string, number>, string, string]>([
    ['an object number with a sign', { N: 1 }, '1 0 obj\n<<', '+1 0 obj<<'],
    ['an object number with a point', { N: 1 }, '1 0 obj\n<<', '1. 0 obj<<'],
    ['a length with a minus', { N: 1 }, `/L ${length} /H`, `/L ${digit}-${digits.join('')}/H`],
    ['a number of pages with a minus', {}, '/E 1 /N 2 /T 1', '/E 1/N 2-1/T 1'],
    ['a first page with a minus', {}, ' /O 10 /E 1', '/O 10-1/E 1'],
    ['a number of the first page with a minus', { P: 0 }, '/N 2 /T 1 /P 0', '/N 2/T 1/P 0-1'],
  ])('are refused if their dictionary has %s, which programs read differently', (_, claims, from, to) => {
    const pdf = replaced(linearized(claims), from, to);
    expect(pdf).toHaveLength(linearized(claims).length);
    expect(codeOf(pdf)).toBe('pdf_damaged');
  });

  it('are looked at from the header on, as programs do', () => {
    const pdf = Buffer.concat([Buffer.from('junk\n'), linearized({ N: 1 })]);
    const file = new PdfFile(pdf, new Budget(inflate));
    expect(() => refuseFalseLinearization(file, () => [])).toThrow('contradicts');
  });

  it('are refused if another cross-reference follows their dictionary', () => {
    const text = linearized().toString('latin1');
    const begins = text.indexOf('xref');
    const table = text.slice(begins, text.indexOf('startxref')).replace('/Root', `/Prev ${begins} /Root`);
    const end = text.lastIndexOf('startxref');
    const other = `${text.slice(0, end)}${table}startxref\n${end}\n%%EOF\n`;
    expect(codeOf(Buffer.from(other, 'latin1'))).toBe('ok');
    const claimed = other.replace(`/L ${length}`, `/L ${other.length}`);
    expect(codeOf(Buffer.from(claimed, 'latin1'))).toBe('pdf_damaged');
  });
});

describe('refused PDFs', () => {
  it.each([
    ['not_a_pdf', 'text', Buffer.from('hello')],
    ['not_a_pdf', 'nothing', Buffer.alloc(0)],
    ['pdf_damaged', 'a header alone', Buffer.from('%PDF-1.7\n')],
    ['pdf_damaged', 'a file cut short', craft({ objects: manyPages(50) }).subarray(0, 2000)],
    [
      'pdf_encrypted',
      'an encrypted file',
      craft({ objects: { ...ONE_PAGE, 4: '<<>>' }, trailer: '/Encrypt 4 0 R' }),
    ],
    ['pdf_no_pages', 'no pages', craft({ objects: { 1: CATALOG, 2: '<</Type /Pages /Kids [] /Count 0>>' } })],
    [
      'pdf_damaged',
      'a wrong page count',
      craft({ objects: { ...ONE_PAGE, 2: '<</Kids [3 0 R] /Count 7>>' } }),
    ],
    [
      'pdf_damaged',
      'a page tree that loops',
      craft({ objects: { 1: CATALOG, 2: '<</Kids [2 0 R] /Count 1>>' } }),
    ],
    [
      'pdf_damaged',
      'a page listed twice',
      craft({ objects: { ...ONE_PAGE, 2: '<</Kids [3 0 R 3 0 R] /Count 2>>' } }),
    ],
    [
      'pdf_damaged',
      'a page that is missing',
      craft({ objects: { ...ONE_PAGE, 2: '<</Kids [3 0 R 9 0 R] /Count 2>>' } }),
    ],
    ['pdf_damaged', 'a page that is only a tree', craft({ objects: { 1: CATALOG, 2: '<</Type /Page>>' } })],
    ['pdf_damaged', 'a catalog without pages', craft({ objects: { ...ONE_PAGE, 1: '<<>>' } })],
    [
      'pdf_damaged',
      'a form that is no dictionary',
      craft({ objects: { ...ONE_PAGE, 1: '<</Pages 2 0 R /AcroForm 7>>' } }),
    ],
    [
      'pdf_damaged',
      'fields that are no list',
      craft({ objects: { ...ONE_PAGE, 1: '<</Pages 2 0 R /AcroForm <</Fields 7>>>>' } }),
    ],
    [
      'pdf_dynamic_form',
      'a dynamic form',
      craft({ objects: { ...ONE_PAGE, 1: '<</Pages 2 0 R /NeedsRendering true>>' } }),
    ],
    ['pdf_damaged', 'references in a circle', craft({ objects: { ...ONE_PAGE, 2: '4 0 R', 4: '2 0 R' } })],
    ['pdf_damaged', 'a packed object listed at the place of another', relist(PACKED, [[4, 7, 1]])],
    ['pdf_damaged', 'a packed object that is there twice', packing([4, 5, 4])],
    ['pdf_damaged', 'two catalogs', craft({ objects: ONE_PAGE, trailer: '/Root 1 0 R /Root 3 0 R' })],
    [
      'pdf_damaged',
      'a cross-reference stream that names another one',
      craft({ objects: ONE_PAGE, style: 'stream', trailer: '/XRefStm 9' }),
    ],
    ['pdf_too_complex', 'a huge /Size', craft({ objects: ONE_PAGE, size: 2_000_000_000 })],
  ])('intake answers %s for %s', (code, _, pdf) => {
    expect(codeOf(pdf)).toBe(code);
  });

  it.each([
    ['a newer version of an object', '3 0 obj\n<<>>'],
    ['an object', '50 0 obj\n<<>>'],
    ['a trailer', 'trailer\n<</Root 3 0 R>>'],
  ])('%s that only a search of the file finds is refused, since some programs search', (_, hidden) => {
    const holding = (text: string): string => codeOf(craft({ objects: { ...ONE_PAGE, 4: text } }));
    expect(holding('(four)')).toBe('ok');
    expect(holding(`(four)\nendobj\n${hidden}`)).toBe('pdf_damaged');
    expect(holding(`(the 12th obj, a trailer of 3 obj)`)).toBe('ok');
  });

  const OTHER_PAGE = { 3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100]>>' };
  const updated = (pdf: Buffer): Buffer =>
    revise(pdf, { objects: OTHER_PAGE, style: 'stream', packed: [3], size: 30 });

  it.each(['stream', 'table'] as const)(
    'the former version of an object that is in an object stream now is accepted in a file with a %s, as iText leaves it',
    (style) => {
      const original = craft({ objects: ONE_PAGE, style, size: 20 });
      expect(codeOf(updated(original))).toBe('ok');
      expect(codeOf(revise(updated(original), { objects: { 4: '7' }, style: 'stream', size: 40 }))).toBe(
        'ok',
      );
      const hiding = { ...ONE_PAGE, 4: `(four)\nendobj\n3 0 obj\n${OTHER_PAGE[3]}` };
      expect(codeOf(updated(craft({ objects: hiding, style, size: 20 })))).toBe('pdf_damaged');
    },
  );

  it('a table that follows a cross-reference stream is refused: Ghostscript shows the page as it was', () => {
    const original = craft({ objects: ONE_PAGE, style: 'stream', size: 20 });
    expect(codeOf(revise(original, { objects: OTHER_PAGE, size: 20 }))).toBe('pdf_damaged');
    expect(codeOf(revise(original, { objects: OTHER_PAGE, style: 'stream', size: 20 }))).toBe('ok');
    const table = craft({ objects: ONE_PAGE, size: 20 });
    expect(codeOf(revise(table, { objects: OTHER_PAGE, size: 20 }))).toBe('ok');
  });

  it('such a version is refused where Poppler or Ghostscript may show it: in hybrid files, and those that end with a table', () => {
    const objects = { ...ONE_PAGE, 4: '7' };
    expect(codeOf(hybrid(objects, [4], []))).toBe('ok');
    expect(codeOf(updated(hybrid(objects, [4], [])))).toBe('pdf_damaged');
    const original = craft({ objects, style: 'stream', size: 20 });
    expect(codeOf(revise(updated(original), { objects: { 5: '8' }, size: 40 }))).toBe('pdf_damaged');
  });

  it.each([
    ['ok', '<</Size 4>>'],
    ['pdf_damaged', '<</Size 4 /Root 3 0 R>>'],
    ['pdf_damaged', '<</Size 4 /R#6fot 3 0 R>>'],
    ['pdf_damaged', '<</Size 4 (Root) /Root 3 0 R>>'],
  ])(
    'intake answers %s for a file of cross-reference streams that ends with the trailer %s',
    (code, trailer) => {
      const pdf = craft({ objects: ONE_PAGE, style: 'stream' });
      expect(codeOf(replaced(pdf, 'startxref', `trailer\n${trailer}\nstartxref`))).toBe(code);
    },
  );

  it('a trailer that only a search finds does not pass for another one that names no catalog', () => {
    const codeWith = (text: string): string => {
      const original = replaced(craft({ objects: { ...ONE_PAGE, 4: text } }), ' /Root 1 0 R', '');
      return codeOf(revise(original, { objects: { 5: '7' } }));
    };
    expect(codeWith('(four)')).toBe('ok');
    expect(codeWith('(four)\nendobj\ntrailer\n<</Root 3 0 R>>')).toBe('pdf_damaged');
  });

  const EMPTY = '<</Length 0>>\nstream\n\nendstream';
  const PAGE = '/Parent 2 0 R /MediaBox [0 0 200 300]';

  it.each<[string, Record<string, string>, Record<string, string>]>([
    [
      'one key twice with different values',
      { 3: `<</Type /Page ${PAGE} /Contents 4 0 R /Contents 4 0 R>>` },
      { 3: `<</Type /Page ${PAGE} /Contents 5 0 R /Contents 4 0 R>>` },
    ],
    [
      'one key twice, written in other letters',
      { 1: '<</Type /Catalog /Pages 2 0 R /PageMode /UseNone /PageMode /UseOutlines>>' },
      { 1: '<</Type /Catalog /#50ages 5 0 R /Pages 2 0 R>>' },
    ],
    [
      'a page that lists pages',
      { 2: '<</Kids [6 0 R] /Count 1>>', 6: '<</Type /Pages /Kids [3 0 R] /Count 1>>' },
      { 2: '<</Kids [6 0 R] /Count 1>>', 6: '<</Type /Page /Kids [3 0 R] /Count 1>>' },
    ],
    ['a list of pages that lists none', { 3: `<<${PAGE}>>` }, { 3: `<</Type /Pages ${PAGE}>>` }],
    [
      'a part of a page that is no stream',
      { 3: `<<${PAGE} /Contents [4 0 R 5 0 R]>>` },
      { 3: `<<${PAGE} /Contents [4 0 R null]>>` },
    ],
    [
      'a part of a page that is longer than it says',
      { 3: `<<${PAGE} /Contents 6 0 R>>`, 6: '<</Length 7 0 R>>\nstream\n0 g 1 g\nendstream', 7: '7' },
      { 3: `<<${PAGE} /Contents 6 0 R>>`, 6: '<</Length 7 0 R>>\nstream\n0 g 1 g\nendstream', 7: '3' },
    ],
    [
      'a part of a page that is shorter than it says',
      { 3: `<<${PAGE} /Contents 6 0 R>>`, 6: '<</Length 3>>\nstream\n0 g\nendstream' },
      { 3: `<<${PAGE} /Contents 6 0 R>>`, 6: '<</Length 40>>\nstream\n0 g\nendstream' },
    ],
    [
      'an image in another file',
      { 3: `<<${PAGE} /Resources <</XObject <</A 4 0 R>>>>>>` },
      {
        3: `<<${PAGE} /Resources <</XObject <</A 6 0 R>>>>>>`,
        6: EMPTY.replace('/Length', '/F (image.png) /Length'),
      },
    ],
    [
      'a short name for the parameters of an image',
      { 3: `<<${PAGE} /Resources <</XObject <</A 4 0 R>>>>>>` },
      {
        3: `<<${PAGE} /Resources <</XObject <</A 6 0 R>>>>>>`,
        6: EMPTY.replace('/Length', '/DP <</Predictor 12 /Columns 99>> /Length'),
      },
    ],
    ...['W 9', 'H 9', 'BPC 1', 'CS /G', 'IM true', 'D [1 0]', 'I true'].map(
      (entry): [string, Record<string, string>, Record<string, string>] => [
        `an image with a short name, as in /${entry},`,
        { 3: `<<${PAGE} /Resources <</XObject <</A 4 0 R>>>>>>` },
        {
          3: `<<${PAGE} /Resources <</XObject <</A 6 0 R>>>>>>`,
          6: EMPTY.replace('/Length', `/${entry} /Length`),
        },
      ],
    ),
    [
      'a short name for the colours of a shading',
      { 3: `<<${PAGE} /Resources <</Shading <</A <</ShadingType 2>> /B <</CS /DeviceRGB>>>>>>>>` },
      { 3: `<<${PAGE} /Resources <</Shading <</A <</ShadingType 2 /CS /DeviceRGB>>>>>>>>` },
    ],
    [
      'a form that names a page of another file',
      { 3: `<<${PAGE} /Resources <</XObject <</A 4 0 R>>>>>>` },
      {
        3: `<<${PAGE} /Resources <</XObject <</A 6 0 R>>>>>>`,
        6: EMPTY.replace('/Length', '/Ref <</F (other.pdf) /Page 0>> /Length'),
      },
    ],
    [
      'a short name for the filter of an image',
      { 3: `<<${PAGE} /Resources <</XObject <</A 4 0 R>>>>>>` },
      {
        3: `<<${PAGE} /Resources <</XObject <</A 6 0 R>>>>>>`,
        6: EMPTY.replace('/Length', '/F null /Length'),
      },
    ],
  ])('%s is refused, since programs show different pages', (_, clear, unclear) => {
    const codeWith = (objects: Record<string, string>): string =>
      codeOf(craft({ objects: { ...ONE_PAGE, 4: EMPTY, 5: EMPTY, ...objects } }));
    expect(codeWith(clear)).toBe('ok');
    expect(codeWith(unclear)).toBe('pdf_damaged');
  });

  const INVISIBLE = '<</Type /ExtGState /ca 0>>';
  const WITH = (entries: string): string => `<</Type /Catalog /Pages 2 0 R ${entries}>>`;

  it.each<[string, string, Record<string, string>]>([
    ['the catalog', '/ExtGState 1 0 R', { 1: WITH(`/Perms ${INVISIBLE}`) }],
    ['the catalog by another reference', '/ExtGState 4 0 R', { 1: WITH(`/Perms ${INVISIBLE}`), 4: '1 0 R' }],
    ['the form', '/ColorSpace 4 0 R', { 1: WITH('/AcroForm 4 0 R'), 4: '<</Fields [/Pattern]>>' }],
    ['the extensions', '/ExtGState 4 0 R', { 1: WITH('/Extensions 4 0 R'), 4: '<<>>' }],
    ['the proofs', '/ColorSpace 4 0 R', { 1: WITH('/DSS 4 0 R'), 4: '<</Certs [/Pattern]>>' }],
    [
      'the structure',
      '/ExtGState 4 0 R',
      {
        1: WITH('/StructTreeRoot 4 0 R'),
        4: `<</Type /StructTreeRoot /K ${INVISIBLE} /ParentTree <</Nums [0 5 0 R]>>>>`,
        5: '[null]',
      },
    ],
  ])(
    'a page that draws with %s is refused, since it would look different once sealed',
    (_, drawn, objects) => {
      const codeWith = (resources: string): string =>
        codeOf(craft({ objects: { ...ONE_PAGE, ...objects, 3: `<<${PAGE} /Resources <<${resources}>>>>` } }));
      expect(codeWith('')).toBe('ok');
      expect(codeWith(drawn)).toBe('pdf_damaged');
    },
  );

  it('a list of annotations that is a colour space is refused, since the page would look different once sealed', () => {
    const second = (annotation: string) => ({
      11: `<<${PAGE} /Annots [${annotation}]>>`,
      4: '<<>>',
      5: '/Pattern',
    });
    const codeWith = (annotation: string): string =>
      codeOf(craft({ objects: { ...manyPages(2), ...second(annotation) } }));
    expect(codeWith('4 0 R')).toBe('ok');
    expect(codeWith('/Pattern')).toBe('pdf_damaged');
    expect(codeWith('5 0 R')).toBe('pdf_damaged');
  });

  it.each<[string, Record<string, string>]>([
    ['catalog', { 1: WITH(SPACES) }],
    ['list of pages', { 2: `<</Type /Pages /Kids [3 0 R ${SPACES}] /Count 1>>` }],
    [
      'list of pages in an object of its own',
      { 2: '<</Type /Pages /Kids 4 0 R /Count 1>>', 4: `[3 0 R ${SPACES}]` },
    ],
    ['list of proofs', { 1: WITH('/DSS <</Certs 4 0 R>>'), 4: `[${SPACES}]` }],
  ])('a %s of many bytes is refused, since each revision would write it again', (_, objects) => {
    const packed = Object.keys(objects).map(Number);
    const pdf = craft({ objects: { ...ONE_PAGE, ...objects }, style: 'stream', packed });
    expect(codeOf(pdf)).toBe('pdf_too_complex');
  });

  const drawing = (resources: string, objects: Record<string, string> = {}): Buffer =>
    craft({
      objects: {
        ...ONE_PAGE,
        3: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Resources ${resources}>>`,
        4: '<<>>',
        ...objects,
      },
      size: 20,
    });

  it.each([
    ['an image', drawing('<</XObject <</S 25 0 R>>>>')],
    ['what an image refers to', drawing('<</XObject <</S 4 0 R>>>>', { 4: '<</SMask 20 0 R>>' })],
    ...['P', 'Parent', 'Dest', 'StructParents', 'Annots', 'Kids'].map((key): [string, Buffer] => [
      `what an image by the name ${key} refers to`,
      drawing(`<</XObject <</${key} 4 0 R>>>>`, { 4: '<</SMask 20 0 R>>' }),
    ]),
    ...['Parent', 'Own'].map((key): [string, Buffer] => [
      `an image that the page, its own resources, names ${key}`,
      drawing('3 0 R /XObject 3 0 R', {
        3: `<</Type /Page /MediaBox [0 0 9 9] /Resources 3 0 R /XObject 3 0 R /${key} 4 0 R>>`,
        4: '<</Resources 5 0 R /Length 0>>\nstream\n\nendstream',
        5: '<</Font 6 0 R>>',
        6: '<</F 20 0 R>>',
      }),
    ]),
    ['its text', drawing('<<>> /Contents 20 0 R')],
    ['its size', drawing('<<>> /CropBox 20 0 R')],
    [
      'a font of its form',
      drawing('<<>>', {
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [] /DR 4 0 R>>>>',
        4: '<</Font <</F 20 0 R>>>>',
      }),
    ],
    ['its parent', drawing('<<>>', { 3: '<</Type /Page /Parent 20 0 R /MediaBox [0 0 9 9]>>' })],
  ])(
    'a page of which %s is missing, whose number the seal would give to something else, is refused',
    (_, pdf) => {
      expect(inspectPdf(pdf)).toMatchObject({
        code: 'pdf_damaged',
        detail: expect.stringContaining('not there'),
      });
    },
  );

  it('an object is not missing on a page if only an annotation’s own data lack it', () => {
    const objects = { 4: '<</P 3 0 R /Parent 2 0 R>>', 5: '[6 0 R]', 6: '<</Own 7 0 R>>', 7: '[20 0 R]' };
    const page =
      '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources <</XObject <</S 4 0 R>>>> /Annots 5 0 R>>';
    expect(codeOf(drawing('', { ...objects, 3: page }))).toBe('ok');
  });

  it('an object is not missing on a page if only the own data of another page lack it', () => {
    const objects = {
      2: '<</Type /Pages /Kids [3 0 R 5 0 R] /Count 2>>',
      4: '<</Parent 2 0 R>>',
      5: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /PieceInfo 6 0 R>>',
      6: '<</Own 20 0 R>>',
    };
    expect(codeOf(drawing('<</XObject <</S 4 0 R>>>>', objects))).toBe('ok');
  });

  it('a missing object whose number is never given again may be missing', () => {
    expect(codeOf(drawing('<</XObject <</S 19 0 R>>>>'))).toBe('ok');
  });

  const DRAWN = {
    ...ONE_PAGE,
    3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources <</XObject <</A 4 0 R>>>> /Annots 5 0 R>>',
    4: '<</OC 7 0 R>>',
    5: '[6 0 R]',
    6: '<</Type /Annot /Subtype /Square /Rect [0 0 9 9]>>',
    7: '<</Type /OCG /Name (A)>>',
  };

  const CONTAINER = 9;

  it.each([
    ['an image', 4, 4],
    ['a layer', 7, 7],
    ['a list of annotations', 5, 5],
    ['an annotation', 6, 6],
    ['what holds an image', 4, CONTAINER],
  ])('a hybrid file that hides %s from programs that read its table first is refused', (_, num, free) => {
    expect(codeOf(hybrid(DRAWN, [num], []))).toBe('ok');
    expect(codeOf(hybrid(DRAWN, [num], [free]))).toBe('pdf_damaged');
  });

  it('a reference to another generation, which only some programs follow, is refused', () => {
    expect(codeOf(drawing('<</XObject <</S 4 1 R>>>>'))).toBe('pdf_damaged');
  });

  const table = craft({ objects: ONE_PAGE });
  const FREE = '0 1\n0000000000 65535 f\r\n';
  const withRow = (row: string) => replaced(table, FREE, FREE + row);
  /** A cross-reference stream that is no longer compressed, with its rows changed. */
  const withRows = (change: (rows: Buffer) => Buffer): Buffer => {
    const text = craft({ objects: ONE_PAGE, style: 'stream' }).toString('latin1');
    const [, from = '', packed = ''] = /^(.*?stream\n)(.*)\nendstream/s.exec(text) ?? [];
    const rows = change(inflateSync(Buffer.from(packed, 'latin1'))).toString('latin1');
    const head = from.replace(/\/Filter.*>>/, `/Length ${rows.length}>>`);
    return Buffer.from(`${head}${rows}${text.slice(from.length + packed.length)}`, 'latin1');
  };
  const ROW = 6;
  it.each([
    ['names an object twice', withRow('8 1\n0000000009 00000 n\r\n8 1\n0000000010 00000 n\r\n')],
    ['has an object 0', replaced(table, '0000000000 65535 f', '0000000009 00000 n')],
    ['has an object 0 in a stream', craft({ objects: { 0: '<<>>', ...ONE_PAGE }, style: 'stream' })],
    ['may begin with object 0 or 1', withRow('1 1\n0000000000 00000 f\r\n')],
    [
      'has entries of an unknown type',
      withRows((rows) => rows.fill(3, rows.length - ROW, rows.length - ROW + 1)),
    ],
    ['is shorter than it says', withRows((rows) => rows.subarray(0, -ROW))],
    ['begins behind a comment', replaced(table, 'startxref\n', 'startxref\n%\n')],
    ['has an offset that is no plain number', replaced(table, 'trailer\n<<', 'trailer\n<</Prev 0-9')],
    ['begins behind a NUL', replaced(table, 'startxref\n', 'startxref\0\n')],
    ['begins behind a form feed', replaced(table, 'startxref\n', 'startxref\n\f')],
  ])('a cross-reference that %s is refused, since programs read it differently', (_, pdf) => {
    expect(codeOf(pdf)).toBe('pdf_damaged');
  });

  it('a file that ends close behind startxref is refused, since PDFium shows the revision before', () => {
    const pdf = revise(craft({ objects: ONE_PAGE }), { objects: OTHER_PAGE });
    const end = pdf.lastIndexOf('%%EOF');
    expect(pdf.subarray(0, end).toString('latin1')).toMatch(/startxref\n\d{3}\n$/);
    expect(codeOf(pdf.subarray(0, end))).toBe('pdf_damaged');
    expect(codeOf(pdf.subarray(0, end + 2))).toBe('pdf_damaged');
    expect(codeOf(pdf.subarray(0, end + 3))).toBe('ok');
  });

  it('a cross-reference stream may be stored without compression', () => {
    expect(codeOf(withRows((rows) => rows))).toBe('ok');
  });

  it.each([
    '<FEFFD800>',
    '<FEFF00>',
    '<FFFE4100>',
    '<FFFE4142>',
    '(a\rb)',
    '<FEFF001B656E001B0041>',
    '(\\033en\\033A)',
    '<EFBBBFFF>',
    '(\\237)',
    '(\\255)',
    '(\\000)',
    '/Name',
    '7',
  ])('a field whose name programs read differently, so that no seal can lock it, is refused: %s', (name) => {
    const field = `<</FT /Tx /T (a) /Kids [<</T ${name}>>]>>`;
    const objects = { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${field}]>>>>` };
    expect(inspectPdf(craft({ objects }))).toMatchObject({
      code: 'pdf_damaged',
      detail: 'the name of a form field is no text',
      reason: expect.stringContaining('a name that is no valid text'),
    });
  });

  const ANNOTATION = '/Subtype /Square /Rect [0 0 9 9]';

  it.each<[string, Record<string, string>]>([
    ['an annotation, by a reference without its last space', { 3: `<<${PAGE} /Annots [4 0R]>>` }],
    [
      'a script, behind a number without a space',
      { 1: WITH('/Names <</JavaScript <</Names [(a) 0null 4 0 R]>>>>') },
    ],
    ['a script, behind a sign', { 1: WITH('/Names <</JavaScript <</Names [-\n1 4 0 R]>>>>') }],
    ['a script, by names with a zero', { 1: WITH('/OpenAction <</S /JavaScript#00 /JS#00 (x)>>') }],
    [
      'a script, by names with a byte that is a space',
      { 1: WITH('/OpenAction <</S/JavaScript\x80/JS\x80(x)>>') },
    ],
    [
      'what is only printed, by a number with an exponent',
      { 3: `<<${PAGE} /Annots [<<${ANNOTATION} /F 36.0e1>>]>>` },
    ],
  ])('a file in which only some programs find %s, is refused', (_, objects) => {
    const codeWith = (more: Record<string, string>): string =>
      codeOf(craft({ objects: { ...ONE_PAGE, 4: '<</S /JavaScript /JS (x)>>', ...more } }));
    expect(codeWith({})).toBe('ok');
    expect(codeWith(objects)).toBe('pdf_damaged');
  });

  it('a file with an object that is a reference to another one, which not all programs follow, is refused', () => {
    const codeWith = (objects: Record<string, string>): string =>
      codeOf(craft({ objects: { ...DRAWS_4, ...objects } }));
    expect(codeWith({ 4: '<</ca 0>>' })).toBe('ok');
    expect(codeWith({ 4: '5 0 R', 5: '<</ca 0>>' })).toBe('pdf_damaged');
  });

  it('a file with a broken object that nothing uses is refused if it is in an object stream: MuPDF then finds no page', () => {
    const objects = { ...ONE_PAGE, 4: '<</A [1 2>>' };
    const answer = (packed: number[]) => inspectPdf(craft({ objects, style: 'stream', packed }));
    expect(answer([2, 3, 4])).toMatchObject({ ok: false, code: 'pdf_damaged' });
    expect(answer([2, 3])).toMatchObject({ ok: true });
  });

  it('a file that lists an unused object beyond its end is refused: MuPDF searches it until it has grown that far', () => {
    const text = craft({ objects: { ...ONE_PAGE, 4: '(four)' } }).toString('latin1');
    const offset = String(text.indexOf('4 0 obj')).padStart(10, '0');
    const gone = text.replace('4 0 obj', '% 0 obj');
    const listedAt = (at: number) => Buffer.from(gone.replace(offset, String(at).padStart(10, '0')));
    expect(inspectPdf(listedAt(text.length))).toMatchObject({ ok: false, code: 'pdf_damaged' });
    expect(inspectPdf(listedAt(Number(offset)))).toMatchObject({ ok: true });
  });

  it('a stream in an object stream, which pdf.js draws, is refused', () => {
    const objects = { ...ONE_PAGE, 3: `<<${PAGE} /Contents 4 0 R>>`, 4: EMPTY };
    expect(codeOf(craft({ objects, style: 'stream' }))).toBe('ok');
    expect(codeOf(craft({ objects, style: 'stream', packed: [4] }))).toBe('pdf_damaged');
  });

  it('a page that draws a deleted object, which Poppler searches for, is refused if that is still there', () => {
    const codeWith = (row: string): string => {
      const pdf = craft({ objects: DRAWS_4_FIRST }).toString('latin1');
      return codeOf(Buffer.from(pdf.replace(/(?<=\n)4 1\n\d{10} 00000 n/, row), 'latin1'));
    };
    expect(codeWith('$&')).toBe('ok');
    expect(codeWith('4 1\n0000000000 00000 f')).toBe('pdf_damaged');
    expect(codeWith('4 1\n0000000000 00000 n')).toBe('pdf_damaged');
    expect(codeWith('5 1\n0000000000 00000 f')).toBe('pdf_damaged');
  });

  it('outlines that were deleted and left in place may still be named', () => {
    const objects = { ...ONE_PAGE, 1: WITH('/Outlines 4 0 R'), 4: '<</Type /Outlines>>' };
    const pdf = craft({ objects }).toString('latin1');
    const deleted = pdf.replace(/(?<=\n4 1\n)\d{10} 00000 n/, '0000000000 00001 f');
    expect(deleted).not.toBe(pdf);
    expect(codeOf(Buffer.from(deleted, 'latin1'))).toBe('ok');
  });

  it('a page that draws a deleted object is accepted if that is gone', () => {
    const gone = craft({ objects: DRAWS_4 })
      .toString('latin1')
      .replace('0 1\n0000000000 65535 f\r\n', '$&4 1\n0000000000 00000 f\r\n');
    expect(codeOf(Buffer.from(gone, 'latin1'))).toBe('ok');
  });

  it('a page that is in an object stream too, whose number is its offset, is refused: pdf.js shows the other', () => {
    const codeWith = (other: number): string => {
      const catalog = '<</Type /Catalog /Pages 2 0 R /PageLabels 4 0 R>>';
      const packed = objectStream([other, 4], { [other]: '<</Type /Page>>', 4: '<<>>' });
      const { 3: page = '', ...objects } = { ...ONE_PAGE, 1: catalog };
      const others = Object.entries(objects).map(([num, object]) => [`${num} 0`, object]);
      const all = { '3 0': page, ...Object.fromEntries(others), '9 0': packed };
      const pdf = craft({ objects: all, style: 'stream' });
      return codeOf(relist(pdf, [[4, 9, 1]]));
    };
    expect(codeWith(5)).toBe('ok');
    expect(codeWith(3)).toBe('pdf_damaged');
  });

  it('a page that is in an object stream too is refused if a stream follows a table: PDFium shows the other', () => {
    const other = { 3: '<</Type /Page>>', 4: '<<>>' };
    const codeWith = (style: 'stream' | 'table', numbers: number[]): string => {
      const pdf = craft({ objects: { ...ONE_PAGE, 7: objectStream(numbers, other) }, style, size: 20 });
      return codeOf(relist(pdf, numbers.includes(4) ? [[4, 7, numbers.indexOf(4)]] : []));
    };
    expect(codeWith('stream', [3, 4])).toBe('ok');
    expect(codeWith('table', [4])).toBe('ok');
    expect(codeWith('table', [3, 4])).toBe('pdf_damaged');
    expect(codeWith('table', [3])).toBe('pdf_damaged');
  });

  it('an object stream with a generation, which not all programs find, is refused', () => {
    const codeWith = (container: string): string => {
      const objects = { ...DRAWS_4, [container]: objectStream([4], { 4: '<</ca 0>>' }) };
      return codeOf(relist(craft({ objects }), [[4, 9, 0]]));
    };
    expect(codeWith('9 0')).toBe('ok');
    expect(codeWith('9 1')).toBe('pdf_damaged');
  });

  it('a number that the end of its object follows at once is a clear one', () => {
    const pdf = craft({ objects: { ...ONE_PAGE, 3: `<<${PAGE} /Rotate 4 0 R>>`, 4: '90' } }).toString(
      'latin1',
    );
    expect(pdf).toContain('90\nendobj');
    expect(codeOf(Buffer.from(pdf.replace('90\nendobj', '90endobj\n'), 'latin1'))).toBe('ok');
  });

  it('bytes before the header are refused, and the message says so', () => {
    expect(inspectPdf(craft({ objects: ONE_PAGE, junk: 'HTTP/1.1 200 OK\r\n\r\n' }))).toMatchObject({
      code: 'pdf_damaged',
      reason: expect.stringContaining('bytes before its header'),
    });
  });

  const DICT = '<</Predictor 12 /Columns 999>>';
  const FLATE = '/First 5 /Filter /FlateDecode';
  const FLATES = '/First 5 /Filter [/FlateDecode]';

  it.each([
    ['a short name for its parameters', 'pdf_damaged', `${FLATE} /DP ${DICT}`],
    ['a short name for its filter', 'pdf_damaged', `${FLATE} /F null`],
    ['a list of filters, and parameters that are none', 'pdf_damaged', `${FLATES} /DecodeParms ${DICT}`],
    ['a list of parameters, and a filter that is none', 'pdf_damaged', `${FLATE} /DecodeParms [${DICT}]`],
    ['parameters that are no dictionary', 'pdf_damaged', `${FLATE} /DecodeParms 12`],
    ['a predictor with a point', 'pdf_damaged', `${FLATE} /DecodeParms <</Predictor 12.0 /Columns 999>>`],
    ['a predictor that is two numbers in one', 'pdf_damaged', `${FLATE} /DecodeParms <</Predictor 1-2>>`],
    ['rows of no bytes', 'pdf_damaged', `${FLATE} /DecodeParms <</Predictor 12 /Columns 0>>`],
    ['rows that are too long', 'pdf_damaged', `${FLATE} /DecodeParms <</Predictor 12 /Columns 100001>>`],
    ['a predictor of another kind', 'pdf_too_complex', `${FLATE} /DecodeParms <</Predictor 2>>`],
    ['an unknown predictor', 'pdf_too_complex', `${FLATE} /DecodeParms <</Predictor 16>>`],
    ['several colours', 'pdf_too_complex', `${FLATE} /DecodeParms <</Predictor 12 /Colors 3>>`],
    ['half bytes', 'pdf_too_complex', `${FLATE} /DecodeParms <</Predictor 12 /BitsPerComponent 4>>`],
    [
      'a short name for the bits',
      'pdf_too_complex',
      `${FLATE} /DecodeParms ${DICT.replace('>>', '/BPC 16>>')}`,
    ],
    [
      'other bits than by a short name',
      'pdf_too_complex',
      `${FLATE} /DecodeParms ${DICT.replace('>>', '/BPC 8/BitsPerComponent 4>>')}`,
    ],
    [
      'unclear bits by a short name',
      'pdf_damaged',
      `${FLATE} /DecodeParms ${DICT.replace('>>', '/BPC 8.>>')}`,
    ],
    ['no filter before its own', 'pdf_too_complex', '/First 5 /Filter [null /FlateDecode]'],
    ['two filters', 'pdf_too_complex', '/First 5 /Filter [/FlateDecode /FlateDecode]'],
    ['another filter', 'pdf_too_complex', '/First 5 /Filter /LZWDecode'],
    ['a place that is two numbers in one', 'pdf_damaged', '/First 5-4 /Filter /FlateDecode'],
    ['a place with an exponent', 'pdf_damaged', '/First 5e0 /Filter /FlateDecode'],
  ])('an object stream that programs decode differently is refused: %s', (_, code, entries) => {
    expect(codeOf(withPage(entries))).toBe(code);
  });

  it.each([
    ['\n', 'ok'],
    ['\r\n', 'ok'],
    ['\r', 'ok'],
    [' \n', 'pdf_damaged'],
    ['\0\n', 'pdf_damaged'],
    ['%\n', 'pdf_damaged'],
    [' ', 'pdf_damaged'],
  ])(
    'the data of an object stream begin on the line behind its dictionary, or it is refused: %j',
    (lineEnd, code) => {
      const data = `3 0      ${'%'.repeat(lineEnd.length)}${ONE_PAGE[3]}\n${ONE_PAGE[3]}`.padEnd(200);
      const dict = `<</Type /ObjStm /N 1 /First ${9 + lineEnd.length} /Length ${data.length}>>`;
      const { 3: _, ...objects } = ONE_PAGE;
      const pdf = craft({ objects: { ...objects, 7: `${dict}\nstream${lineEnd}${data}\nendstream` } });
      expect(codeOf(relist(pdf, [[3, 7, 0]]))).toBe(code);
    },
  );

  it.each([
    ['/N 1 /First 4', 'ok'],
    ['/N 5 0 R /First 4', 'pdf_damaged'],
    ['/N 1 /First 6 0 R', 'pdf_damaged'],
    ['/N 1.0 /First 4', 'pdf_damaged'],
    ['/N 1 /First 4.0', 'pdf_damaged'],
  ])('an object stream that PDFium or Poppler does not read is refused: %s', (numbers, code) => {
    const data = `3 0 ${ONE_PAGE[3]}`;
    const { 3: _, ...others } = ONE_PAGE;
    const pack = `<</Type /ObjStm ${numbers} /Length ${data.length}>>\nstream\n${data}\nendstream`;
    const pdf = craft({ objects: { ...others, 5: '1', 6: '4', 7: pack }, style: 'stream' });
    expect(codeOf(relist(pdf, [[3, 7, 0]]))).toBe(code);
  });

  it.each([
    ['apart', [4, 0, 5, 4], '270 <<>>', 'ok'],
    ['side by side', [4, 0, 5, 3], '270<<>>', 'ok'],
    ['overlapping', [4, 0, 5, 2], '270<<>>', 'pdf_damaged'],
    ['out of order', [4, 5, 5, 0], '<<>> 270', 'pdf_damaged'],
  ])(
    'an object stream, which some programs cut up by its index, is read or refused if its objects are %s',
    (_, places, objects, code) => {
      const data = `${places.join(' ')} ${objects}`;
      const dict = `<</Type /ObjStm /N 2 /First 8 /Length ${data.length}>>`;
      const page = '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 300] /Rotate 4 0 R>>';
      const all = { ...ONE_PAGE, 3: page, 7: `${dict}\nstream\n${data}\nendstream` };
      expect(codeOf(relist(craft({ objects: all, style: 'stream' }), [[4, 7, 0]]))).toBe(code);
    },
  );

  it.each([
    ['a number that is two in one', '/W [1 4 1-0]'],
    ['two values of one key in its parameters', '/W [1 4 1] /DecodeParms <</Predictor 12 /Predictor 1>>'],
    ['parameters by a reference', '/W [1 4 1] /DecodeParms 3 0 R'],
  ])('a cross-reference stream that programs decode differently is refused: %s', (_, entries) => {
    const pdf = craft({ objects: ONE_PAGE, style: 'stream' });
    expect(codeOf(replaced(pdf, '/W [1 4 1]', entries))).toBe('pdf_damaged');
  });

  it('a refusal has a code, a sentence for people and a detail for the log', () => {
    const result = inspectPdf(Buffer.from('hello'));
    expect(result).toEqual({
      ok: false,
      code: 'not_a_pdf',
      reason: 'The file is not a PDF. Export the document as a PDF and upload that.',
      detail: expect.any(String),
    });
  });

  it('a defect of the program is thrown, and no verdict on the file', () => {
    const pdf = craft({ objects: ONE_PAGE });
    pdf.subarray = () => {
      throw new TypeError('a defect');
    };
    expect(() => inspectPdf(pdf)).toThrow(new TypeError('a defect'));
  });

  it.each([
    ['a certification with P 1', '/Reference [<</TransformMethod /DocMDP /TransformParams <</P 1>>>>]'],
    ['a lock on all fields', '/Reference [<</TransformMethod /FieldMDP /TransformParams <</Action /All>>>>]'],
    [
      'a lock on all fields but some',
      '/Reference [<</TransformMethod /FieldMDP /TransformParams <</Action /Exclude>>>>]',
    ],
  ])('intake answers pdf_certified for %s', (_, reference) => {
    expect(codeOf(craft({ objects: { ...ONE_PAGE, ...signature(reference) } }))).toBe('pdf_certified');
  });

  it('intake answers pdf_certified for a signature whose field locks the document', () => {
    const field = (lock: string) => `<</FT /Sig /T (A) /V 6 0 R /Lock ${lock}>>`;
    for (const [permission, code] of [
      [1, 'pdf_certified'],
      [2, 'ok'],
    ] as const) {
      const lock = `<</Type /SigFieldLock /Action /All /P ${permission}>>`;
      const objects = { ...ONE_PAGE, ...signature(), 7: lock };
      expect(codeOf(craft({ objects: { ...objects, 5: field(lock) } }))).toBe(code);
      expect(codeOf(craft({ objects: { ...objects, 5: field('7 0 R') } }))).toBe(code);
    }
  });

  it('intake finds a certification that only the catalog names', () => {
    const objects = {
      ...ONE_PAGE,
      ...signature('/Reference [<</TransformMethod /DocMDP /TransformParams <</P 1>>>>]'),
      1: '<</Pages 2 0 R /Perms <</DocMDP 6 0 R>>>>',
    };
    expect(codeOf(craft({ objects }))).toBe('pdf_certified');
  });

  it.each([
    ['has its contents twice', signature('/Contents <3000>')],
    ['is cut short', { ...signature(), 6: '<</Type /Sig /Contents <3082FFFF06092A864886F70D010702>>>' }],
    ['holds other data', { ...signature(), 6: '<</Type /Sig /Contents <300B06092A864886F70D010703>>>' }],
    ['holds no CMS', { ...signature(), 6: '<</Type /Sig /Contents (text)>>' }],
    [
      'is no object of its own',
      { ...signature(), 5: '<</FT /Sig /T (A) /V <</Contents <300B06092A864886F70D010702>>>>>' },
    ],
  ])('intake answers pdf_damaged when an earlier signature %s', (_, objects) => {
    expect(codeOf(craft({ objects: { ...ONE_PAGE, ...objects } }))).toBe('pdf_damaged');
  });

  it.each<[string, Record<string, string>]>([
    ['form is its catalog', { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm 1 0 R>>' }],
    ['form is its page tree', { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm 2 0 R>>' }],
    ['form is a page', { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm 4 0 R>>', 4: '3 0 R' }],
    ['extensions are its page tree', { 1: '<</Type /Catalog /Pages 2 0 R /Extensions 2 0 R>>' }],
    [
      'extensions are its form',
      { 1: '<</Type /Catalog /Pages 2 0 R /AcroForm 4 0 R /Extensions 4 0 R>>', 4: '<</Fields []>>' },
    ],
  ])('a file whose %s is refused, since the seal would write one object twice', (_, objects) => {
    expect(inspectPdf(craft({ objects: { ...ONE_PAGE, ...objects } }))).toMatchObject({
      code: 'pdf_damaged',
      detail: expect.stringContaining('two parts'),
    });
  });

  it('a file whose form and extensions are objects of their own is accepted', () => {
    const objects = {
      ...ONE_PAGE,
      1: '<</Type /Catalog /Pages 2 0 R /AcroForm 4 0 R /Extensions 5 0 R>>',
      4: '<</Fields []>>',
      5: '<<>>',
    };
    expect(codeOf(craft({ objects }))).toBe('ok');
  });

  it('intake refuses a cross-reference that points at another object', () => {
    const pdf = craft({ objects: ONE_PAGE });
    expect(codeOf(replaced(pdf, '2 0 obj', '8 0 obj'))).toBe('pdf_damaged');
  });
});
