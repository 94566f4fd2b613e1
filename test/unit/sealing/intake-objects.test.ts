import { inflateSync } from 'node:zlib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { craft, hybrid, manyPages, ONE_PAGE, objectStream, relist, revise } from './craft.ts';
import { codeOf, replaced } from './inspected.ts';
import { DRAWS_4, EMPTY, PAGE, withCatalog, withPage } from './intake-files.ts';

/** Object 4 stands behind the header. */
const DRAWS_4_FIRST = {
  '4 0': '<</ca 0>>',
  ...Object.fromEntries(Object.entries(DRAWS_4).map(([num, object]) => [`${num} 0`, object])),
};

describe('objects that programs find or read differently', () => {
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

  it('so is a page whose parent is one, behind a page whose parent is none', () => {
    const pages = { ...manyPages(2), 11: '<</Type /Page /Parent 2 1 R /MediaBox [0 0 200 300]>>' };
    expect(codeOf(craft({ objects: pages }))).toBe('pdf_damaged');
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

  const ANNOTATION = '/Subtype /Square /Rect [0 0 9 9]';

  it.each<[string, Record<string, string>]>([
    ['an annotation, by a reference without its last space', { 3: `<<${PAGE} /Annots [4 0R]>>` }],
    [
      'a script, behind a number without a space',
      { 1: withCatalog('/Names <</JavaScript <</Names [(a) 0null 4 0 R]>>>>') },
    ],
    ['a script, behind a sign', { 1: withCatalog('/Names <</JavaScript <</Names [-\n1 4 0 R]>>>>') }],
    ['a script, by names with a zero', { 1: withCatalog('/OpenAction <</S /JavaScript#00 /JS#00 (x)>>') }],
    [
      'a script, by names with a byte that is a space',
      { 1: withCatalog('/OpenAction <</S/JavaScript\x80/JS\x80(x)>>') },
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

  it.each<[string, (value: string) => Record<string, string>]>([
    [
      'a shading, which PDFium draws without its ends',
      (value) => ({
        3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Resources <</Shading <</S 4 0 R>>>>>>',
        4: `<</ShadingType 2 /ColorSpace /DeviceGray /Coords [80 0 120 0] /Extend [${value} ${value}] /Function 5 0 R>>`,
        5: '<</FunctionType 2 /Domain [0 1] /N 1>>',
      }),
    ],
    [
      'a form, of which PDFium shows the looks and others draw the values',
      (value) => ({ 1: withCatalog(`/AcroForm <</Fields [] /NeedAppearances ${value}>>`) }),
    ],
  ])('a truth value that is an object of its own is refused in %s', (_, objectsWith) => {
    const withValue = (value: string) =>
      codeOf(craft({ objects: { ...ONE_PAGE, ...objectsWith(value), 9: 'true' } }));
    expect(withValue('true')).toBe('ok');
    expect(withValue('9 0 R')).toBe('pdf_damaged');
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

  it('so is one whose former object stream holds a broken object that a later one replaces', () => {
    const later = { 1: '<</Type /Catalog /Pages 2 0 R /OpenAction 4 0 R>>', 4: '[3 0 R /Fit]' };
    const answer = (former: string) => {
      const first = craft({ objects: { ...ONE_PAGE, 4: former }, style: 'stream', packed: [3, 4] });
      return codeOf(revise(first, { objects: later, style: 'stream', packed: [4], size: 9 }));
    };
    expect(answer('[3 0 R /Fit]')).toBe('ok');
    expect(answer('[3 0 R /Fit')).toBe('pdf_damaged');
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
    const objects = { ...ONE_PAGE, 1: withCatalog('/Outlines 4 0 R'), 4: '<</Type /Outlines>>' };
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
});
