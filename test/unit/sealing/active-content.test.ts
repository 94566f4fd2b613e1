import { deflateSync } from 'node:zlib';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { craft, manyPages } from './craft.ts';
import {
  annotation,
  inspect,
  JAVASCRIPT,
  LAUNCH,
  LINK,
  stream,
  withCatalog,
  withPage,
} from './marked-page.ts';

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
      { 3: withPage(`/Annots [${annotation('/Subtype /Widget /FT /Sig /AA <</D <</S /SubmitForm>>>>')}]`) },
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
    ['/Subtype /Widget /FT /Btn /V /Off', '', true],
    ['/Subtype /Widget /FT /Btn /V /On', '', false],
    ['/Subtype /Widget /FT /Btn /V /On', '/AS /Off', true],
    ['/Subtype /Widget /Parent <</FT /Btn>>', '', true],
    ['/Subtype /Widget /Parent <</FT /Btn /V /On>>', '', false],
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
    ['/FT /Btn', false],
    ['/FT /Btn /AS /Off', true],
    ['/FT /Btn /AS /Off /V /On', true],
    ['/FT /Btn /Ff 32768 /AS /Off', true],
    ['/FT /Btn /Ff 32768 /AS /Off /V /Other', true],
    ['/FT /Btn /Ff 32768 /AS /Off /V /On', false],
    ['/AS /Off /Parent <</FT /Btn /Ff 32768 /V /On>>', false],
    ['/FT /Btn /Ff 32768 /AS /On /V /On', true],
    ['/FT /Btn /F 2', true],
  ])('a button without a look for being off says that it is off, and its value too: %s', (button, ok) => {
    const objects = {
      3: withPage(`/Annots [${annotation(`/Subtype /Widget ${button} /AP <</N <</On 4 0 R>>>>`)}]`),
      4: stream('/BBox [0 0 9 9]', 'n'),
    };
    expect(inspect(objects)).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
  });

  const CORNERS = '/QuadPoints [0 9 9 9 0 0 9 0]';
  it.each([
    [`/Highlight ${CORNERS}`, true],
    [`/Highlight ${CORNERS} /AP <</N 4 0 R>>`, false],
    [`/Highlight ${CORNERS} /AP <</N 5 0 R>>`, true],
    ['/Highlight /AP <</N 5 0 R>>', false],
    [`/Underline ${CORNERS} /AP <</N 4 0 R>>`, true],
    [`/Underline ${CORNERS}`, true],
    ['/Underline /QuadPoints [0 9 9 9 0 0 9]', false],
    ['/Underline /QuadPoints [0 9 9 9 0 0 9 (0)]', false],
    ['/Underline /QuadPoints []', false],
    ['/Squiggly /AP <</N 4 0 R>>', false],
    ['/StrikeOut', false],
    ['/StrikeOut /F 2', true],
  ])('a mark of text has corners, and a highlight a look that all programs draw, if any: %s', (mark, ok) => {
    const objects = {
      3: withPage(`/Annots [${annotation(`/Subtype ${mark}`)}]`),
      4: stream('/BBox [0 0 9 9]', 'n'),
      5: stream('/BBox [0 0 9 9] /Resources <</ExtGState <</G <</BM /Multiply>>>>>>', '/G gs'),
    };
    expect(inspect(objects)).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
  });

  it.each([
    ['/Subtype /Watermark /F 4', true],
    ['/Subtype /Watermark /F 5', false],
    ['/Subtype /Watermark /F 7', true],
    ['/Subtype /Popup', false],
    ['', false],
    ['/Subtype 4', false],
    ['/Subtype /Widget', true],
  ])('a look is drawn by all programs: %s', (kind, ok) => {
    const objects = {
      3: withPage(`/Annots [${annotation(`${kind} /AP <</N 4 0 R>>`)}]`),
      4: stream('/BBox [0 0 9 9]', 'n'),
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
        3: withPage(`/Annots [${annotation(`/Subtype /Square /AS /On /AP <<${looks}>>`)}]`),
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
    ['/T (A) /FT /Tx /V (x)', false],
    ['/T (A) /FT /Tx /V (x) /AP <</N null>>', false],
    ['/T (A) /FT /Tx /V (x) /AP <</N <</On 4 0 R>>>>', false],
    ['/T (A) /FT /Tx /V (x) /AP <</N 4 0 R>>', true],
    ['/T (A) /FT /Tx /V (x) /F 2', true],
    ['/T (A) /FT /Tx /V (x) /F 32', true],
    ['/T (A) /FT /Tx /V 4 0 R', false],
    ['/T (A) /FT /Tx /V ()', true],
    ['/T (A) /FT /Tx /V <FEFF>', true],
    ['/T (A) /FT /Tx', true],
    ['/Parent 5 0 R', false],
    ['/T (A) /FT /Tx /MK <</BG [1 1 1]>>', false],
    ['/T (A) /FT /Tx /MK <</BG [] /BC [0]>>', true],
    ['/T (A) /FT /Ch /V (x) /Ff 131072', false],
    ['/T (A) /FT /Ch /Opt [(x)]', false],
    ['/T (A) /FT /Ch /Opt [(x)] /Ff 131072', true],
    ['/T (A) /FT /Btn /AS /On', false],
    ['/T (A) /FT /Btn /AS /On /AP <</N <</Other 4 0 R>>>>', false],
    ['/T (A) /FT /Btn /AS /On /AP <</N <</On 4 0 R>>>>', true],
    ['/T (A) /FT /Btn /AS /Off /MK <</CA (4) /BG [1]>> /AP <</N <</On 4 0 R>>>>', true],
    ['/T (A) /FT /Btn /MK <</CA (x)>>', true],
    ['/T (A) /FT /Btn /MK <</CA (x)>> /Ff 65536', false],
    ['/T (A) /FT /Btn /Ff 65536', true],
    ['/T (A) /FT /Sig /MK <</BG [1]>>', true],
    ['/T (A)', false],
    ['/FT /Tx', false],
  ])('a field has a look for what only some programs draw without one: %s', (field, ok) => {
    const objects = {
      3: withPage(`/Annots [${annotation(`/Subtype /Widget ${field}`)}]`),
      4: stream('/BBox [0 0 9 9]', 'n'),
      5: '<</FT /Tx /V (x)>>',
    };
    expect(inspect(objects)).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
  });

  it('a text or a choice needs no look in a form whose looks every program makes anew', () => {
    const withForm = (field: string) =>
      inspect({
        1: withCatalog('/AcroForm <</Fields [4 0 R] /NeedAppearances true>>'),
        3: withPage('/Annots [4 0 R]'),
        4: annotation(`/Subtype /Widget /T (A) ${field}`),
      });
    expect(withForm('/FT /Tx /V (x) /MK <</BG [1]>>')).toMatchObject({ ok: true });
    expect(withForm('/FT /Ch /Opt [(x)]')).toMatchObject({ ok: true });
    expect(withForm('/FT /Btn /AS /On')).toMatchObject({ code: 'pdf_active_content' });
  });

  it.each([
    ['Line', false],
    ['PolyLine', false],
    ['Polygon', false],
    ['Stamp', false],
    ['FreeText', true],
    ['Square', true],
    ['Circle', true],
    ['Ink', true],
    ['Link', true],
  ])('an annotation has a look if some programs draw its kind only with one: %s', (kind, ok) => {
    const pageWith = (look: string) => ({
      3: withPage(`/Annots [${annotation(`/Subtype /${kind} ${look}`)}]`),
      4: stream('/BBox [0 0 9 9]', 'n'),
    });
    expect(inspect(pageWith(''))).toMatchObject(
      ok ? { ok } : { detail: 'an annotation that only some programs show on page 1' },
    );
    expect(inspect(pageWith('/AP <</N 4 0 R>>'))).toMatchObject({ ok: true });
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
    const objects = { 3: withPage(`/Annots [${annotation(`/Subtype /Square /F ${flags}`)}]`), 5: '4' };
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
      const shown = annotation(`/Subtype /Link /AA <</PO ${action}>>`);
      expect(inspect({ 3: withPage(`/Annots [${shown}]`) })).toMatchObject(refused(' on page 1'));
      const clicked = annotation(`/Subtype /Link /A ${action}`);
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
