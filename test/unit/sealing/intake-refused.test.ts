import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { CATALOG, craft, manyPages, ONE_PAGE, relist } from './craft.ts';
import { codeOf, replaced } from './inspected.ts';
import { EMPTY, PACKED, PAGE, packing, SPACES, signature, withCatalog } from './intake-files.ts';

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
      'content of a list of layers that Poppler does not find',
      {
        3: `<<${PAGE} /Resources <</Properties <</A <</Type /OCMD /OCGs [4 0 R]>>>>>>>>`,
        4: '<</Type /OCG>>',
      },
      {
        3: `<<${PAGE} /Resources <</Properties <</A <</Type /OCMD /OCGs 5 0 R>>>>>>>>`,
        4: '<</Type /OCG>>',
        5: '[4 0 R]',
      },
    ],
    [
      'a function whose exponent PDFium does not find',
      { 3: `<<${PAGE} /Resources <</Shading <</A <</Function <</FunctionType 2 /N 1>>>>>>>>>>`, 4: '1' },
      { 3: `<<${PAGE} /Resources <</Shading <</A <</Function <</FunctionType 2 /N 4 0 R>>>>>>>>>>`, 4: '1' },
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

  it.each<[string, string, Record<string, string>]>([
    ['the catalog', '/ExtGState 1 0 R', { 1: withCatalog(`/Perms ${INVISIBLE}`) }],
    [
      'the catalog by another reference',
      '/ExtGState 4 0 R',
      { 1: withCatalog(`/Perms ${INVISIBLE}`), 4: '1 0 R' },
    ],
    ['the form', '/ColorSpace 4 0 R', { 1: withCatalog('/AcroForm 4 0 R'), 4: '<</Fields [/Pattern]>>' }],
    ['the extensions', '/ExtGState 4 0 R', { 1: withCatalog('/Extensions 4 0 R'), 4: '<<>>' }],
    ['the proofs', '/ColorSpace 4 0 R', { 1: withCatalog('/DSS 4 0 R'), 4: '<</Certs [/Pattern]>>' }],
    [
      'the structure',
      '/ExtGState 4 0 R',
      {
        1: withCatalog('/StructTreeRoot 4 0 R'),
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
    ['catalog', { 1: withCatalog(SPACES) }],
    ['list of pages', { 2: `<</Type /Pages /Kids [3 0 R ${SPACES}] /Count 1>>` }],
    [
      'list of pages in an object of its own',
      { 2: '<</Type /Pages /Kids 4 0 R /Count 1>>', 4: `[3 0 R ${SPACES}]` },
    ],
    ['list of proofs', { 1: withCatalog('/DSS <</Certs 4 0 R>>'), 4: `[${SPACES}]` }],
  ])('a %s of many bytes is refused, since each revision would write it again', (_, objects) => {
    const packed = Object.keys(objects).map(Number);
    const pdf = craft({ objects: { ...ONE_PAGE, ...objects }, style: 'stream', packed });
    expect(codeOf(pdf)).toBe('pdf_too_complex');
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

  it('bytes before the header are refused, and the message says so', () => {
    expect(inspectPdf(craft({ objects: ONE_PAGE, junk: 'HTTP/1.1 200 OK\r\n\r\n' }))).toMatchObject({
      code: 'pdf_damaged',
      reason: expect.stringContaining('bytes before its header'),
    });
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
