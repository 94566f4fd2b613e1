import { deflateSync } from 'node:zlib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { CATALOG, craft, manyPages, ONE_PAGE } from './craft.ts';

const JAVASCRIPT = '<</S /JavaScript /JS (app.alert\\(1\\))>>';
const LAUNCH = '<</S /Launch /F (calc.exe)>>';
const LINK = '<</S /URI /URI (https://example.com)>>';

const stream = (dict: string, data: string | Buffer): string =>
  `<<${dict} /Length ${data.length}>>\nstream\n${data.toString('latin1' as BufferEncoding)}\nendstream`;
const inspect = (objects: Record<string, string>) =>
  inspectPdf(craft({ objects: { ...ONE_PAGE, ...objects } }));
const withCatalog = (entries: string): string => `${CATALOG.slice(0, -2)} ${entries}>>`;
const withPage = (entries: string): string =>
  `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] ${entries}>>`;
const annotation = (entries: string): string => `<</Type /Annot /Rect [0 0 9 9] ${entries}>>`;

describe('active content', () => {
  it.each<[string, string, Record<string, string>]>([
    ['an open action', 'JavaScript', { 1: withCatalog(`/OpenAction ${JAVASCRIPT}`) }],
    ['an action before printing', 'JavaScript', { 1: withCatalog(`/AA <</WP ${JAVASCRIPT}>>`) }],
    [
      'the names of the document',
      'JavaScript',
      { 1: withCatalog('/Names <</JavaScript <</Kids [4 0 R]>>>>'), 4: `<</Names [(a) ${JAVASCRIPT}]>>` },
    ],
    [
      'a rendition among the names',
      'a Rendition',
      { 1: withCatalog('/Names <</Renditions <</Names [(a) <</S /MR>>]>>>>') },
    ],
    [
      'a template page',
      'a Launch action',
      {
        1: withCatalog('/Names <</Templates <</Names [(a) 4 0 R]>>>>'),
        4: withPage(`/Annots [${annotation(`/Subtype /Link /A ${LAUNCH}`)}]`),
      },
    ],
    [
      'a page among the names',
      'JavaScript',
      {
        1: withCatalog('/Names <</Pages <</Names [(a) 4 0 R]>>>>'),
        4: withPage(`/AA <</O ${JAVASCRIPT}>>`),
      },
    ],
    ['a page that opens', 'JavaScript on page 1', { 3: withPage(`/AA <</O ${JAVASCRIPT}>>`) }],
    [
      'a step of a presentation',
      'a Launch action on page 1',
      { 3: withPage(`/PresSteps <</Next <</NA ${LAUNCH}>>>>`) },
    ],
    [
      'a step back in a presentation',
      'a Launch action on page 1',
      { 3: withPage(`/PresSteps <</Prev <</PA ${LAUNCH}>>>>`) },
    ],
    [
      'a link',
      'a Launch action on page 1',
      { 3: withPage('/Annots 4 0 R'), 4: '[5 0 R]', 5: annotation(`/Subtype /Link /A ${LAUNCH}`) },
    ],
    [
      'the second of two chained actions',
      'a Launch action on page 1',
      { 3: withPage(`/Annots [${annotation(`/Subtype /Link /A <</S /URI /Next [${LINK} ${LAUNCH}]>>`)}]`) },
    ],
    [
      'an event of an annotation',
      'a SubmitForm action on page 1',
      { 3: withPage(`/Annots [${annotation('/Subtype /Widget /AA <</D <</S /SubmitForm>>>>')}]`) },
    ],
    [
      'the field above a widget',
      'JavaScript on page 1',
      {
        3: withPage(`/Annots [${annotation('/Subtype /Widget /Parent 4 0 R')}]`),
        4: `<</T (A) /FT /Tx /AA <</K ${JAVASCRIPT}>>>>`,
      },
    ],
    [
      'a field of the form',
      'JavaScript',
      {
        1: withCatalog('/AcroForm <</Fields [4 0 R]>>'),
        4: '<</T (A) /Kids [5 0 R]>>',
        5: `<</T (B) /FT /Tx /AA <</C ${JAVASCRIPT}>>>>`,
      },
    ],
    [
      'an outline',
      'a Launch action',
      {
        1: withCatalog('/Outlines 4 0 R'),
        4: '<</First 5 0 R>>',
        5: '<</Next 6 0 R>>',
        6: `<</A ${LAUNCH}>>`,
      },
    ],
    [
      'a script without a type of action',
      'JavaScript',
      { 1: withCatalog('/OpenAction <</JS (app.alert\\(1\\))>>') },
    ],
    [
      'a name written with a number sign',
      'JavaScript',
      { 1: withCatalog('/OpenAction <</S /J#61vaScript>>') },
    ],
    ['an ImportData action', 'an ImportData action', { 1: withCatalog('/OpenAction <</S /ImportData>>') }],
    ['a Rendition action', 'a Rendition action', { 1: withCatalog('/OpenAction <</S /Rendition>>') }],
    ['a RichMedia action', 'a RichMedia action', { 1: withCatalog('/OpenAction <</S /RichMediaExecute>>') }],
    ['a 3D action', 'a 3D action', { 1: withCatalog('/OpenAction <</S /GoTo3DView>>') }],
    [
      'a selector rendition among the names',
      'a Rendition',
      { 1: withCatalog('/Names <</Renditions <</Names [(a) <</S /SR>>]>>>>') },
    ],
    ['a Movie action', 'a Movie action', { 1: withCatalog('/OpenAction <</S /Movie>>') }],
    ['a Sound action', 'a Sound action', { 1: withCatalog('/OpenAction <</S /Sound>>') }],
    [
      'an XFA form',
      'JavaScript in an XFA form',
      {
        1: withCatalog('/AcroForm <</Fields [] /XFA [(template) 4 0 R]>>'),
        4: stream('/Filter /FlateDecode', deflateSync('<template><xfa:script>x</xfa:script></template>')),
      },
    ],
    [
      'an XFA form in UTF-16',
      'JavaScript in an XFA form',
      {
        1: withCatalog('/AcroForm <</Fields [] /XFA 4 0 R>>'),
        4: stream('', Buffer.from('<template><script/></template>', 'utf16le')),
      },
    ],
  ])('is refused in %s', (_, found, objects) => {
    expect(inspect(objects)).toMatchObject({
      ok: false,
      code: 'pdf_active_content',
      reason: `The PDF contains active content: ${found}. Print it as a plain PDF and upload that.`,
    });
  });

  const withXfa = (xml: string, encoding: 'utf8' | 'utf16le' = 'utf8') =>
    inspect({
      1: withCatalog('/AcroForm <</XFA [(template) 7 (form) 4 0 R]>>'),
      4: stream('', Buffer.from(xml, encoding)),
    });

  it.each(['<script>', '<SCRIPT>', '<xfa-3.0:submit/>', '<a_b:execute />', '<!DOCTYPE a [<!ENTITY b "c">]>'])(
    'is refused in an XFA form as %s',
    (element) => {
      expect(withXfa(`<a>${element}</a>`)).toMatchObject({ code: 'pdf_active_content' });
    },
  );

  it.each(['ä', '字', 'Ġ', 'ĺ', 'ļ', 'ľ'])('is refused in an XFA form by the prefix %s', (prefix) => {
    const xml = `<${prefix}:script xmlns:${prefix}="http://www.xfa.org/schema/xfa-template/3.0/">`;
    for (const encoding of ['utf8', 'utf16le'] as const)
      expect(withXfa(xml, encoding)).toMatchObject({ code: 'pdf_active_content' });
  });

  it.each([
    ['JavaScript in an XFA form', '<a><scr', 'ipt>x</script></a>'],
    ['an image from elsewhere in an XFA form', '<a><image ', 'href="https://example.com/b.png"/></a>'],
  ])('is refused as %s whose parts go on in each other', (detail, first, second) => {
    expect(
      inspect({
        1: withCatalog('/AcroForm <</XFA [(template) 4 0 R (form) 5 0 R]>>'),
        4: stream('', first),
        5: stream('', second),
      }),
    ).toMatchObject({ code: 'pdf_active_content', detail });
  });

  it.each([
    '<dynamicRender>required</dynamicRender>',
    '<a:dynamicRender\n>\n required</a:dynamicRender>',
    '<dynamicRender><![CDATA[required]]></dynamicRender>',
  ])('is refused as a dynamic form in an XFA form that says %s', (element) => {
    for (const encoding of ['utf8', 'utf16le'] as const)
      expect(withXfa(`<config><acrobat7>${element}</acrobat7></config>`, encoding)).toMatchObject({
        code: 'pdf_dynamic_form',
        detail: 'its XFA form is rendered anew when it opens',
      });
  });

  it('may have an XFA form that forbids dynamic rendering', () => {
    expect(withXfa('<acrobat7><dynamicRender>forbidden</dynamicRender></acrobat7>')).toMatchObject({
      ok: true,
    });
  });

  it.each([
    '<subscript/>',
    '<scripts/>',
    'script',
    '<a b="submit"/>',
    '<a b="urn:submit"/>',
    '<b>urn:execute</b>',
    '<a xmlns:script="urn:a"/>',
    '<!-- DOCTYPE -->',
  ])('is not seen in an XFA form in %s', (element) => {
    expect(withXfa(`<a>${element}</a>`)).toMatchObject({ ok: true });
  });

  it.each([
    '<image href="http://a.example/b.png"/>',
    "<xfa:image\nname='a>b'\nhref = '../b.png'></xfa:image>",
  ])('is refused as an image that an XFA form takes from elsewhere: %s', (element) => {
    for (const encoding of ['utf8', 'utf16le'] as const)
      expect(withXfa(`<a>${element}</a>`, encoding)).toMatchObject({
        code: 'pdf_active_content',
        detail: 'an image from elsewhere in an XFA form',
      });
  });

  it.each([
    '<image href="">aGk=</image>',
    '<image/><a href="http://a.example">b</a>',
    '<imageEdit href="a"/>',
  ])('is not seen in an XFA form in %s', (element) => {
    expect(withXfa(`<a>${element}</a>`)).toMatchObject({ ok: true });
  });

  it.each(['RichMedia', '3D', 'Movie', 'Sound'])('is refused as an annotation of type %s', (type) => {
    expect(inspect({ 3: withPage(`/Annots [${annotation(`/Subtype /${type}`)}]`) })).toMatchObject({
      code: 'pdf_active_content',
      detail: `a ${type} annotation on page 1`,
    });
  });

  it.each([
    ['/Subtype /Stamp', '', false],
    ['/Subtype /Stamp', '/AS (On)', false],
    ['/Subtype /Widget /FT /Tx', '', false],
    ['/Subtype /Widget', '', false],
    ['/Subtype /Stamp', '/AS /On', true],
    ['/Subtype /Widget /FT /Btn', '', true],
    ['/Subtype /Widget /Parent <</FT /Btn>>', '', true],
    ['/Subtype /Widget /Parent <</T (a) /Parent <</FT /Btn>>>>', '', true],
    ['/Subtype /Widget /Parent 5 0 R', '', false],
  ])('an annotation with several looks says which one it has, or is a button: %s %s', (kind, state, ok) => {
    const objects = {
      3: withPage(`/Annots [${annotation(`${kind} ${state} /AP <</N <</Off 4 0 R /On 4 0 R>>>>`)}]`),
      4: stream('/BBox [0 0 9 9]', 'n'),
      5: '<</T (its own parent) /Parent 5 0 R>>',
    };
    expect(inspect(objects)).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
  });

  it.each([
    ['/N 4 0 R', '/BBox [0 0 9 9]', true],
    ['/N 4 0 R', '/BBox [0 0 9 5 0 R]', true],
    ['/N <</On 4 0 R /Off null>>', '/BBox [0 0 9 9]', true],
    ['/D 4 0 R', '', true],
    ['/N 4 0 R', '', false],
    ['/N 4 0 R', '/BBox [0 0 9]', false],
    ['/N 4 0 R', '/BBox [0 0 9 9 9]', false],
    ['/N 4 0 R', '/BBox [0 0 9 (9)]', false],
    ['/N 4 0 R', '/BBox /None', false],
    ['/N 4 0 R', '/BBox [9 9 0 0]', true],
    ['/N 4 0 R', '/BBox [0 0 0 0]', false],
    ['/N 4 0 R', '/BBox [0 4 9 4.0009]', false],
    ['/N <</On 4 0 R /Off null>>', '', false],
  ])(
    'a look has a frame, without which PDFium draws it in its own size, and of a size, or only pdf.js draws it: %s %s',
    (looks, frame, ok) => {
      const objects = {
        3: withPage(`/Annots [${annotation(`/Subtype /Stamp /AS /On /AP <<${looks}>>`)}]`),
        4: stream(frame, 'n'),
        5: '9',
      };
      expect(inspect(objects)).toMatchObject(
        ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
      );
    },
  );

  it('a look without a size may stand where the annotation has none either, as in invisible signatures', () => {
    const objects = {
      3: withPage('/Annots [<</Subtype /Widget /FT /Sig /Rect [0 0 0 0] /AP <</N 4 0 R>>>>]'),
      4: stream('/BBox [0 0 0 0]', ''),
    };
    expect(inspect(objects)).toMatchObject({ ok: true });
  });

  it.each([
    ['/FT /Sig /F 32', false],
    ['/F 32 /Parent <</FT /Sig>>', false],
    ['/FT /Sig /F 34', true],
    ['/FT /Sig /F 4', true],
    ['/FT /Tx /F 32', true],
  ])('the widget of a signature is not out of view, where PDFium draws it all the same: %s', (widget, ok) => {
    expect(inspect({ 3: withPage(`/Annots [${annotation(`/Subtype /Widget ${widget}`)}]`) })).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
  });

  it.each([
    ['2', true],
    ['0000000004', true],
    ['5 0 R', true],
    ['/None', true],
    ['0.0', true],
    ['2.0', false],
    ['2.5', false],
    ['-2', false],
    ['65536', false],
    ['4294967298', false],
  ])('an annotation has flags that all programs read alike: %s', (flags, ok) => {
    const objects = { 3: withPage(`/Annots [${annotation(`/Subtype /Stamp /F ${flags}`)}]`), 5: '4' };
    expect(inspect(objects)).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
  });

  it('is named with its page', () => {
    const pages = manyPages(3);
    const third = `${pages[12]?.slice(0, -2)} /Annots [${annotation(`/Subtype /Link /A ${LAUNCH}`)}]>>`;
    expect(inspectPdf(craft({ objects: { ...pages, 12: third } }))).toMatchObject({
      detail: 'a Launch action on page 3',
    });
  });

  it.each<[string, Record<string, string>]>([
    ['links', { 3: withPage(`/Annots [${annotation(`/Subtype /Link /A ${LINK}`)}]`) }],
    ['an open action that goes to a page', { 1: withCatalog('/OpenAction [3 0 R /Fit]') }],
    [
      'text notes and pop-ups that only show on screen',
      {
        3: withPage('/Annots [4 0 R 5 0 R]'),
        4: annotation('/Subtype /Text /Popup 5 0 R'),
        5: annotation('/Subtype /Popup /Parent 4 0 R'),
      },
    ],
    [
      'an XFA form without scripts',
      { 1: withCatalog('/AcroForm <</XFA 4 0 R>>'), 4: stream('', '<template/>') },
    ],
    [
      'fields in a circle',
      { 1: withCatalog('/AcroForm <</Fields [4 0 R]>>'), 4: '<</T (A) /Kids [4 0 R]>>' },
    ],
    [
      'opening actions in a circle',
      { 1: withCatalog('/OpenAction 4 0 R'), 4: '<</S /GoTo /Next [4 0 R 4 0 R]>>' },
    ],
    [
      'something else where names, pages, actions or annotations belong',
      {
        1: withCatalog('/Names <</Templates <</Names [(a) 7]>>>> /AA 7'),
        3: withPage('/AA (x) /Annots [null 7]'),
      },
    ],
    ['an outline in a circle', { 1: withCatalog('/Outlines 4 0 R'), 4: '<</First 4 0 R /Next 4 0 R>>' }],
  ])('does not include %s', (_, objects) => {
    expect(inspect(objects)).toMatchObject({ ok: true });
  });
});

describe('content that prints but does not show', () => {
  const flagged = (flags: number, rectangle = '[0 0 9 9]') =>
    inspect({ 3: withPage(`/Annots [<</Subtype /Stamp /Rect ${rectangle} /F ${flags}>>]`) });
  const PRINT = 4;
  const NO_VIEW = 32;
  const HIDDEN = 2;

  it('is refused as an annotation with NoView and Print', () => {
    expect(flagged(PRINT | NO_VIEW)).toMatchObject({
      code: 'pdf_active_content',
      detail: 'an annotation that is printed but not shown on page 1',
    });
  });

  it.each([
    ['prints and shows', PRINT, undefined],
    ['does neither', PRINT | NO_VIEW | HIDDEN, undefined],
    ['shows and does not print', 0, undefined],
    ['has no area', PRINT | NO_VIEW, '[0 0 0 0]'],
    ['has no width', PRINT | NO_VIEW, '[9 0 9 9]'],
    ['has no height', PRINT | NO_VIEW, '[0 9 9 9]'],
    ['has no rectangle', PRINT | NO_VIEW, 'null'],
  ])('does not include an annotation that %s', (_, flags, rectangle) => {
    expect(flagged(flags, rectangle)).toMatchObject({ ok: true });
  });

  const layered = (configuration: string, layerUsage: string) =>
    inspect({
      1: withCatalog(`/OCProperties <</OCGs [4 0 R] /D <<${configuration}>>>>`),
      4: `<</Type /OCG /Name (A) ${layerUsage && `/Usage <<${layerUsage}>>`}>>`,
    });
  const APPLIED = '/AS [<</Event /Print /Category [/Print] /OCGs [4 0 R]>>]';

  it.each([
    ['off, and on in print', '/OFF [4 0 R]', '/Print <</PrintState /ON>>'],
    ['off, and on in print by an event', `/OFF [4 0 R] ${APPLIED}`, '/Print <</PrintState /ON>>'],
    ['off by default, and on in print', '/BaseState /OFF', '/Print <</PrintState /ON>>'],
    ['off in view', '', '/View <</ViewState /OFF>>'],
    ['off in view, and on in print', '', '/View <</ViewState /OFF>> /Print <</PrintState /ON>>'],
  ])('is refused as a layer that is %s', (_, configuration, layerUsage) => {
    expect(layered(configuration, layerUsage)).toMatchObject({
      code: 'pdf_active_content',
      detail: 'a layer that is printed but not shown',
    });
  });

  it.each([
    ['on', '', ''],
    ['off', '/OFF [4 0 R]', ''],
    ['off, and off in print', '/OFF [4 0 R]', '/Print <</PrintState /OFF>>'],
    ['on in view alone', '', '/View <</ViewState /ON>> /Print <</PrintState /OFF>>'],
    ['off in both', '', '/View <</ViewState /OFF>> /Print <</PrintState /OFF>>'],
    ['switched on beside others that are off', '/BaseState /OFF /ON [4 0 R]', '/Print <</PrintState /ON>>'],
  ])('does not include a layer that is %s', (_, configuration, layerUsage) => {
    expect(layered(configuration, layerUsage)).toMatchObject({ ok: true });
  });
});

const INVERT = '<</FunctionType 2 /Domain [0 1] /N 1 /C0 [1] /C1 [0]>>';
const DR = '/DR <</XObject <</A 4 0 R>>>>';

describe('what a page draws', () => {
  const drawing = (objects: Record<string, string>, resources = '/XObject <</A 4 0 R>>') =>
    inspect({ 3: withPage(`/Resources <<${resources}>>`), ...objects });
  const IMAGE = '/Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8';
  const refused = (what: string) => ({ code: 'pdf_active_content', detail: `${what} on page 1` });
  const ALTERNATE = 'an image that is printed in place of the one shown';
  const POSTSCRIPT = 'PostScript that runs only in printers';
  const alternate = (printed: string) => ({
    4: stream(`${IMAGE} /Alternates [<</Image 5 0 R ${printed}>>]`, 'x'),
    5: stream(IMAGE, 'y'),
  });

  it('is refused if an image has another one for print', () => {
    expect(drawing(alternate('/DefaultForPrinting true'))).toMatchObject(refused(ALTERNATE));
    expect(drawing(alternate('/DefaultForPrinting false'))).toMatchObject({ ok: true });
    const second = stream(
      `${IMAGE} /Alternates [<</Image 5 0 R>> <</Image 5 0 R /DefaultForPrinting true>>]`,
      'x',
    );
    expect(drawing({ ...alternate(''), 4: second })).toMatchObject(refused(ALTERNATE));
  });

  it.each([
    ['PostScript', '/Type /XObject /Subtype /PS'],
    ['a form of PostScript', '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Subtype2 /PS'],
  ])('is refused if it is %s', (_, dict) => {
    expect(drawing({ 4: stream(dict, 'x') })).toMatchObject(refused(POSTSCRIPT));
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a form in a form',
      { 4: stream('/Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</B 9 0 R>>>>', '') },
      '/XObject <</A 4 0 R>>',
    ],
    [
      'a pattern',
      { 4: stream('/PatternType 1 /Resources <</XObject <</B 9 0 R>>>>', '') },
      '/Pattern <</A 4 0 R>>',
    ],
    [
      'a form by the name of another key',
      { 4: stream('/Subtype /Form /BBox [0 0 9 9] /Resources 5 0 R', ''), 5: '<</XObject <</P 9 0 R>>>>' },
      '/XObject <</Parent 4 0 R>>',
    ],
    ...['Own', 'Kids', 'Annots'].map((name): [string, Record<string, string>, string] => [
      `a colour space by the name ${name}`,
      { 4: '[/ICCBased 9 0 R]', 5: `<</${name} 4 0 R>>` },
      '/ColorSpace 5 0 R',
    ]),
    [
      'a state of graphics that is the page itself',
      { 3: withPage('/Font [9 0 R 12] /Resources <</ExtGState <</A 3 0 R>>>>') },
      '',
    ],
    ['a soft mask', { 4: '<</SMask <</G 9 0 R>>>>' }, '/ExtGState <</A 4 0 R>>'],
    ['a font', { 4: '<</Subtype /Type3 /Resources <</XObject <</B 9 0 R>>>>>>' }, '/Font <</A 4 0 R>>'],
  ])('is refused wherever it is drawn: %s', (_, objects, resources) => {
    const postScript = { 9: stream('/Subtype /PS', 'x') };
    expect(drawing({ ...objects, ...postScript }, resources)).toMatchObject(refused(POSTSCRIPT));
  });

  it('is refused in resources that the page inherits, and in appearances of annotations', () => {
    const postScript = { 4: stream('/Subtype /PS /BBox [0 0 9 9]', 'x') };
    const pages = '<</Type /Pages /Kids [3 0 R] /Count 1 /Resources <</XObject <</A 4 0 R>>>>>>';
    expect(inspect({ 2: pages, ...postScript })).toMatchObject(refused(POSTSCRIPT));
    for (const drawn of ['/AP <</N 4 0 R>>', '/MK <</I 4 0 R>>']) {
      const annotated = withPage(`/Annots [${annotation(`/Subtype /Widget ${drawn}`)}]`);
      expect(inspect({ 3: annotated, ...postScript })).toMatchObject(refused(POSTSCRIPT));
    }
  });

  it.each([
    ['/BBox [0 0 9 9]', true],
    ['/BBox [0 0 9 5 0 R] /Matrix [1 0 0 1 0 5 0 R]', true],
    ['', false],
    ['/BBox null', false],
    ['/BBox /None', false],
    ['/BBox []', false],
    ['/BBox [0 0 9]', false],
    ['/BBox [0 0 9 9 9]', false],
    ['/BBox [0 0 (9) 9]', false],
    ['/BBox [0 0 9 9] /Matrix []', false],
    ['/BBox [0 0 9 9] /Matrix [.5 0 0 .5]', false],
    ['/BBox [0 0 9 9] /Matrix [1 0 0 1 /None 0]', false],
  ])(
    'has a clear frame and matrix if it is a form, since programs read others differently: %s',
    (place, ok) => {
      const page = withPage('/Resources <</XObject <</A 4 0 R>>>>');
      expect(inspect({ 3: page, 4: stream(`/Subtype /Form ${place}`, 'n'), 5: '9' })).toMatchObject(
        ok ? { ok } : { code: 'pdf_damaged', detail: 'a form that a page draws has no clear place' },
      );
    },
  );

  it('has a clear frame if it is a pattern', () => {
    const page = withPage('/Resources <</Pattern <</A 4 0 R>>>>');
    expect(inspect({ 3: page, 4: stream('/PatternType 1 /BBox [0 0 9]', 'n') })).toMatchObject({
      code: 'pdf_damaged',
    });
  });

  it('is refused in the resources of the form', () => {
    const form = withCatalog('/AcroForm <</DR <</XObject <</A 4 0 R>>>>>>');
    expect(inspect({ 1: form, 4: stream('/Subtype /PS', 'x') })).toMatchObject({
      code: 'pdf_active_content',
      detail: POSTSCRIPT,
    });
  });

  it.each<[string, string, string]>([
    ['field', `/FT /Tx /T (a) /Kids [<<${DR}>>]`, ''],
    ['field above a widget', `/FT /Tx /T (a) ${DR} /Kids [5 0 R]`, ''],
    ['field above a widget that the form does not name', '/FT /Tx /T (b)', DR],
  ])('is refused in the resources of a %s', (_, field, above) => {
    const objects = {
      1: withCatalog(`/AcroForm <</Fields [<<${field}>>]>>`),
      3: withPage('/Annots [5 0 R]'),
      4: stream('/Subtype /PS', 'x'),
      5: '<</Subtype /Widget /Rect [0 0 9 9] /Parent 6 0 R>>',
      6: `<</FT /Tx /T (a) /Kids [5 0 R] ${above}>>`,
    };
    expect(inspect(objects)).toMatchObject({ code: 'pdf_active_content', detail: POSTSCRIPT });
  });

  it.each([
    `/ExtGState <</A <</TR ${INVERT} /TR2 /Default>>>>`,
    `/ExtGState <</A <</TR /Identity /TR2 [/Identity ${INVERT}]>>>>`,
    `/Pattern <</A <</PatternType 2 /ExtGState <</TR2 ${INVERT}>>>>>>`,
  ])('is refused if a transfer function may turn white into black: %s', (resources) => {
    expect(drawing({}, resources)).toMatchObject(
      refused('a transfer function, which only some programs apply'),
    );
  });

  it.each([
    '/TR /Identity /TR2 /Default',
    `/TR [${INVERT} /Identity /Identity /Identity]`,
    '/TR2 [/Identity /Identity /Identity /Identity]',
    '/TR2 4 0 R',
    `/SMask <</S /Luminosity /TR ${INVERT}>>`,
  ])('may have a state of graphics that all programs apply alike: %s', (state) => {
    const inItself = { 4: '[4 0 R]' };
    expect(drawing(inItself, `/ExtGState <</A <<${state}>>>>`)).toMatchObject({ ok: true });
  });

  it.each([
    ['', 'ok'],
    ['\r\n \0', 'ok'],
    ['%) Tj', 'pdf_damaged'],
    ['\n% more', 'pdf_damaged'],
  ])(
    'ends where the length of its stream says, even for MuPDF and Ghostscript: %j before its end',
    (more, code) => {
      const objects = { 4: `<</Length 5>>\nstream\n0 g (${more}\nendstream` };
      const found = inspect({ ...objects, 3: withPage('/Contents 4 0 R') });
      expect(found.ok ? 'ok' : found.code).toBe(code);
    },
  );

  const WITHOUT_FRAME = '<</Type /Page /Parent 2 0 R';
  it.each([
    ['/MediaBox [200 300 0 0]', null],
    ['/MediaBox [0 0 200 4 0 R]', null],
    ['/MediaBox [0 0 200 300] /CropBox [-50 -50 10 10]', null],
    ['/CropBox [0 0 9 9]', null],
    ['', null],
    ['/MediaBox [0 0 200]', 'the frame of a page is no rectangle'],
    ['/MediaBox [0 0 200 300 400]', 'the frame of a page is no rectangle'],
    ['/MediaBox [0 0 200 300] /CropBox [0 0 (9) 9]', 'the frame of a page is no rectangle'],
    ['/MediaBox /A4', 'the frame of a page is no rectangle'],
    ['/MediaBox [0 0 0 300]', 'the frame of a page has no size'],
    ['/MediaBox [0 0 200 300] /CropBox [9 9 50 9]', 'the frame of a page has no size'],
    ['/MediaBox [0 0 200 300] /CropBox [200 0 300 300]', 'nothing of a page is in its frame'],
    ['/MediaBox [0 0 200 300] /CropBox [0 -9 200 0]', 'nothing of a page is in its frame'],
  ])('has a frame in which all programs show it: %s', (frame, detail) => {
    const found = inspect({ 3: `${WITHOUT_FRAME} ${frame}>>`, 4: '300' });
    expect(found.ok ? null : found.detail).toBe(detail);
  });

  it('has such a frame even if it inherits that', () => {
    const objects = {
      2: '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 200 300]>>',
      3: `${WITHOUT_FRAME} /CropBox [300 0 400 300]>>`,
    };
    expect(inspect(objects)).toMatchObject({ detail: 'nothing of a page is in its frame' });
  });

  it('is refused if an object is broken, of which some programs would read more', () => {
    expect(drawing({ 4: '<</Broken' })).toMatchObject({ code: 'pdf_damaged' });
  });

  const memberOf = (
    membership: string,
    layerUsage: string,
    page = '/Resources <</Properties <</A 5 0 R>>>>',
  ) =>
    inspect({
      1: withCatalog('/OCProperties <</OCGs [4 0 R] /D <<>>>>'),
      3: withPage(page),
      6: '[/And 6 0 R]',
      4: `<</Type /OCG /Name (A) /Usage <<${layerUsage}>>>>`,
      5: `<</Type /OCMD /OCGs [4 0 R] ${membership}>>`,
    });
  const SCREEN_ONLY = '/View <</ViewState /ON>> /Print <</PrintState /OFF>>';

  it.each(['/P /AllOff', '/P /AnyOff', '/VE [/Not 4 0 R]', '/VE [/And 4 0 R [/Not 4 0 R]]', '/VE 6 0 R'])(
    'is refused if it shows while a layer is off that only the screen shows: %s',
    (membership) => {
      expect(memberOf(membership, SCREEN_ONLY)).toMatchObject(
        refused('a layer that is printed but not shown'),
      );
      expect(memberOf(membership, '')).toMatchObject({ ok: true });
    },
  );

  it('is refused if an annotation shows while a layer is off that only the screen shows', () => {
    const page = `/Annots [${annotation('/Subtype /Stamp /OC 5 0 R')}]`;
    expect(memberOf('/P /AllOff', SCREEN_ONLY, page)).toMatchObject(
      refused('a layer that is printed but not shown'),
    );
  });

  it('may have what only looks like the policy of a layer', () => {
    const page = '/Resources <</Properties <</A <</P /AllOff>>>>>>';
    expect(memberOf('', SCREEN_ONLY, page)).toMatchObject({ ok: true });
  });

  it.each(['', '/P /AllOn', '/P /AnyOn', '/VE [/And 4 0 R]'])(
    'may show together with a layer that only the screen shows: %s',
    (membership) => {
      expect(memberOf(membership, SCREEN_ONLY)).toMatchObject({ ok: true });
    },
  );
});

describe('actions that change what is shown, or show something else', () => {
  it.each(['ResetForm', 'SetOCGState', 'Hide', 'GoToR', 'GoToE'])(
    'are refused if they start by themselves: %s',
    (type) => {
      const refused = (place: string) => ({
        code: 'pdf_active_content',
        detail: `a ${type} action that starts by itself${place}`,
      });
      const action = `<</S /${type}>>`;
      expect(inspect({ 1: withCatalog(`/OpenAction ${action}`) })).toMatchObject(refused(''));
      expect(inspect({ 1: withCatalog(`/OpenAction <</S /GoTo /Next [${action}]>>`) })).toMatchObject(
        refused(''),
      );
      const next = withCatalog('/OpenAction <</S /GoTo /Next 4 0 R>>');
      expect(inspect({ 1: next, 4: action })).toMatchObject(refused(''));
      expect(inspect({ 1: withCatalog(`/AA <</WP ${action}>>`) })).toMatchObject(refused(''));
      expect(inspect({ 3: withPage(`/AA <</O ${action}>>`) })).toMatchObject(refused(' on page 1'));
      const shown = annotation(`/Subtype /Widget /AA <</PO ${action}>>`);
      expect(inspect({ 3: withPage(`/Annots [${shown}]`) })).toMatchObject(refused(' on page 1'));
      const clicked = annotation(`/Subtype /Widget /A ${action}`);
      expect(inspect({ 3: withPage(`/Annots [${clicked}]`) })).toMatchObject({ ok: true });
    },
  );
});

it.each(['<</Type /Collection /View /H /D (other.pdf)>>', '4 0 R', '<<>>'])(
  'a portfolio is refused, since Acrobat shows the files in it and not its pages: %s',
  (portfolio) => {
    expect(inspect({ 1: withCatalog(`/Collection ${portfolio}`), 4: '<</View /T>>' })).toMatchObject({
      code: 'pdf_active_content',
      detail: 'a portfolio of files, which some programs show in place of its pages',
    });
  },
);

describe('attachments', () => {
  const embedded = (size: string): string => stream(`/Type /EmbeddedFile ${size}`, 'data');

  it('are listed by name and size, each once, from the names and the pages', () => {
    const objects = {
      1: withCatalog('/Names <</EmbeddedFiles <</Names [(x) 4 0 R]>>>> /AF [4 0 R]'),
      3: withPage(`/Annots [${annotation('/Subtype /FileAttachment /FS 6 0 R')}]`),
      4: '<</Type /Filespec /F (ascii.xml) /UF <FEFF00C4002E0078006D006C> /EF <</F 5 0 R /UF 5 0 R>>>>',
      5: embedded('/Params <</Size 1234>>'),
      6: '<</Type /Filespec /F (note.txt) /EF <</F 7 0 R>>>>',
      7: embedded(''),
    };
    expect(inspect(objects)).toMatchObject({
      ok: true,
      attachments: [
        { name: 'Ä.xml', size: 1234 },
        { name: 'note.txt', size: 4 },
      ],
    });
  });

  it('include a file hidden behind another one, or under an old key', () => {
    const objects = {
      1: withCatalog('/AF [4 0 R <</F (old.doc) /EF <</Unix 6 0 R>>>>]'),
      4: '<</Type /Filespec /UF (a.xml) /EF <</UF 5 0 R /F 7 0 R>>>>',
      5: embedded(''),
      6: embedded(''),
      7: embedded('/Params <</Size 9>>'),
    };
    expect(inspect(objects)).toMatchObject({
      attachments: [
        { name: 'a.xml', size: 4 },
        { name: 'a.xml', size: 9 },
        { name: 'old.doc', size: 4 },
      ],
    });
  });

  it('include those of annotations whose type is in another object', () => {
    const objects = {
      3: withPage(`/Annots [${annotation('/Subtype 8 0 R /FS 6 0 R')}]`),
      6: '<</Type /Filespec /F (note.txt) /EF <</F 7 0 R>>>>',
      7: embedded(''),
      8: '/FileAttachment',
    };
    expect(inspect(objects)).toMatchObject({ ok: true, attachments: [{ name: 'note.txt', size: 4 }] });
  });

  it('have names that are whole characters, however they are cut', () => {
    const name = Buffer.from(`\ufeff${'😀'.repeat(200)}`, 'utf16le')
      .swap16()
      .toString('hex');
    const objects = {
      1: withCatalog('/AF [4 0 R]'),
      4: `<</Type /Filespec /UF <${name}> /EF <</F 5 0 R>>>>`,
      5: embedded(''),
    };
    expect(inspect(objects)).toMatchObject({ attachments: [{ name: `${'😀'.repeat(127)}\ufffd` }] });
  });

  it('do not include links to files elsewhere', () => {
    const objects = {
      3: withPage(`/Annots [${annotation('/Subtype /FileAttachment /FS <</F (away.txt)>>')}]`),
    };
    expect(inspect(objects)).toMatchObject({ ok: true, attachments: [] });
  });
});
