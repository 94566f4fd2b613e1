import { compareRevisions } from '../../../client/verifier/changes.ts';
import { inflate } from '../../../client/verifier/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { craft, objectStream, relist, revise } from '../sealing/craft.ts';
import {
  BEFORE,
  CATALOG,
  compare,
  DOCUMENT_TIMESTAMP,
  FILLED,
  LOOK,
  NAMED,
  NEW_FIELD,
  NO_SIZE,
  type Objects,
  PAGE,
  PLACE,
  SHOWN,
  SHOWN_WIDGET,
  SIGNATURE,
  STREAM,
  WITH_PLACE,
  WITH_WIDGET,
} from './revisions.ts';

it('a revision is refused if pdf.js takes an object of its object stream for a page', () => {
  const { 3: page = '', ...others } = { ...BEFORE, 1: `<<${CATALOG}>>` };
  const rest = Object.entries(others).map(([num, object]) => [`${num} 0`, object]);
  const objects = { '3 0': page, ...Object.fromEntries(rest) };
  const original = craft({ objects, size: 20, style: 'stream' });
  expect(original.indexOf('3 0 obj')).toBe(9);
  const after = (hidden: number): Buffer => {
    const packed = objectStream([hidden, 1], { [hidden]: `<<${PAGE}>>`, 1: `<<${CATALOG}>>` });
    return relist(revise(original, { objects: { 9: packed }, size: 30, style: 'stream' }), [[1, 9, 1]]);
  };
  const budget = new Budget(inflate);
  const changesIn = (file: Buffer) =>
    compareRevisions(new PdfFile(original, budget), new PdfFile(file, budget));
  expect(changesIn(after(30))).toEqual({ signatures: false, metadata: false, others: false });
  expect(() => changesIn(after(3))).toThrow('object 3 is in object stream 9');
});

it('a revision is refused if PDFium takes an object of an object stream that nothing names for a page', () => {
  const original = relist(craft({ objects: BEFORE, size: 20 }), []);
  const objects = { 61: objectStream([3], { 3: `<<${PAGE}>>` }) };
  const after = revise(original, { objects, size: 70, style: 'stream' });
  const budget = new Budget(inflate);
  const compareThem = () => compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget));
  expect(compareThem).toThrow('object 3 is in object stream 61');
});

describe('a revision changes the document', () => {
  it('if it names an object twice in its table, of which programs take the first or the last', () => {
    const original = craft({ objects: BEFORE, size: 20 });
    const row = `6 1\n${String(original.indexOf('6 0 obj')).padStart(10, '0')} 00000 n\r\n`;
    const revised = revise(original, { objects: { 6: STREAM('0 g') }, size: 20 }).toString('latin1');
    const at = revised.lastIndexOf('6 1\n');
    const after = Buffer.from(revised.slice(0, at) + row + revised.slice(at), 'latin1');
    const budget = new Budget(inflate);
    expect(compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget)).others).toBe(true);
  });

  it.each<[string, Objects, Objects?]>([
    ['if it replaces the content of a page', { 6: STREAM('0 g') }],
    [
      'if it gives a page other content',
      { 3: `<<${PAGE} /Contents 22 0 R /Annots 7 0 R>>`, 22: STREAM('0 g') },
    ],
    ['if it adds an annotation', { 7: '[4 0 R 5 0 R 22 0 R]', 22: '<</Type /Annot /Subtype /Stamp>>' }],
    ['if it removes an annotation', { 7: '[4 0 R]' }],
    ['if it fills in a field', { 5: '<</FT /Tx /T (Price) /V (2)>>' }],
    ['if it adds a field of text', { ...NAMED, 20: '<</FT /Tx /T (More)>>' }],
    ['if it adds a signature field with an action', { ...NAMED, 20: '<</FT /Sig /T (N) /A <</S /URI>>>>' }],
    ['if it removes a field', { 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R] /SigFlags 3>>>>` }],
    ['if it removes the form', { 1: `<<${CATALOG}>>` }],
    [
      'if it adds a key of no value to the catalog',
      { 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3>> /Names null>>` },
    ],
    [
      'if it changes the catalog',
      {
        1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3>> /OpenAction 22 0 R>>`,
        22: '<</S /JavaScript>>',
      },
    ],
    ['if it adds a page', { 2: '<</Type /Pages /Kids [3 0 R 22 0 R] /Count 2>>', 22: `<<${PAGE}>>` }],
    [
      'if the catalog was waiting for an action among the data for validation',
      { 8: '<</Certs [22 0 R]>>', 22: '<</S /JavaScript /JS (x)>>' },
      { ...BEFORE, 1: `<<${CATALOG} /DSS 8 0 R /OpenAction 22 0 R>>`, 8: '<</Certs []>>' },
    ],
    [
      'if data for validation are an action of the catalog',
      { 8: '<</S /JavaScript /JS (x)>>' },
      { ...BEFORE, 1: `<<${CATALOG} /DSS 8 0 R /OpenAction 8 0 R>>`, 8: '<</S /GoTo>>' },
    ],
    [
      'if the list of fields takes the place of the outlines',
      { 1: `<<${CATALOG} /Outlines 8 0 R /AcroForm <</Fields 8 0 R>>>>`, 8: '[4 0 R 5 0 R]' },
      {
        ...BEFORE,
        1: `<<${CATALOG} /Outlines 8 0 R /AcroForm <</Fields [4 0 R 5 0 R]>>>>`,
        8: '<</Type /Outlines>>',
      },
    ],
    [
      'if it replaces an attachment by what looks like a cross-reference',
      { 9: STREAM('b', '/Type /XRef') },
      {
        ...BEFORE,
        1: `<<${CATALOG} /Names <</EmbeddedFiles <</Names [(a) 8 0 R]>>>>>>`,
        8: '<</Type /Filespec /EF <</F 9 0 R>>>>',
        9: STREAM('a'),
      },
    ],
    [
      'if it lets programs draw the fields anew',
      { 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3 /NeedAppearances true>>>>` },
    ],
    ['if it empties a field', { 5: '<</FT /Tx /T (Price)>>' }],
    ...['', '/V 21 0 R'].map((value): [string, Objects, Objects] => [
      `if it puts in the place of a signature: "${value}"`,
      { 4: `<</FT /Sig /T (Signed) ${value}>>`, 21: SIGNATURE },
      { ...BEFORE, 4: '<</FT /Sig /T (Signed) /V 8 0 R>>', 8: SIGNATURE },
    ]),
    [
      'if one of the looks of a signature field without a size draws',
      {
        ...NAMED,
        20: '<</FT /Sig /T (N) /Rect [0 0 0 0] /AP <</N 22 0 R /D 23 0 R>>>>',
        22: STREAM(''),
        23: STREAM('0 g'),
      },
    ],
    ['if it adds a field that is not there', NAMED],
    [
      'if it dates another annotation than that of a signature field',
      { 8: '<</Subtype /Stamp /M (D:2026)>>' },
      { ...BEFORE, 8: '<</Subtype /Stamp>>' },
    ],
    ...['8 0 R', '20 0 R 8 0 R'].map((added): [string, Objects, Objects] => [
      `if it shows an annotation that was there, with [${added}] on the page`,
      { ...NEW_FIELD, 7: `[4 0 R 5 0 R ${added}]` },
      { ...BEFORE, 8: '<</Subtype /Stamp /AP <</N 6 0 R>>>>' },
    ]),
    [
      'if fields draw with the catalog',
      { 1: `<<${CATALOG} /AcroForm <</Fields [] /DR <</ExtGState 1 0 R>>>> /DSS <</ca 0>>>>` },
      { ...BEFORE, 1: `<<${CATALOG} /AcroForm <</Fields [] /DR <</ExtGState 1 0 R>>>>>>` },
    ],
    ...[
      ['ticks a box', '/AS /Off', '/AS /Yes'],
      ['draws with another generation', '/AP 6 0 R', '/AP 6 1 R'],
    ].map(([what, before, after]): [string, Objects, Objects] => [
      `if it ${what}`,
      { 8: `<</FT /Btn ${after}>>` },
      { ...BEFORE, 8: `<</FT /Btn ${before}>>` },
    ]),
    ['if it adds a field without a type', { ...NAMED, 20: '<</T (N)>>' }],
    [
      'if it adds a widget below a widget',
      {
        ...NAMED,
        20: '<</FT /Sig /T (N) /Kids [22 0 R]>>',
        22: '<</Subtype /Widget /Kids [23 0 R]>>',
        23: '<</Subtype /Widget>>',
      },
    ],
    ...['0 0 200 300', '0 0 0', '0 0 0 0 200', 'true 0 true 300'].map((place): [string, Objects] => [
      `if it adds a signature field that nobody signed at [${place}]`,
      { ...NAMED, 20: `<</FT /Sig /T (N) /Rect [${place}]>>` },
    ]),
    [
      'if it makes a field of an object that was there',
      { 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R 8 0 R] /SigFlags 3>>>>` },
      { ...BEFORE, 8: '<</FT /Sig>>' },
    ],
    [
      'if it adds a field that is no object of its own',
      { 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R <</FT /Sig>>] /SigFlags 3>>>>` },
    ],
    ['if it adds an object that nothing names', { 22: '(more)' }],
    [
      'if it shows a new signature field that nobody signed',
      { ...NAMED, ...LOOK, 20: `<</FT /Sig /T (N) ${SHOWN}>>` },
    ],
    [
      'if it shows a widget of a new signature field that nobody signed',
      {
        ...NAMED,
        ...LOOK,
        20: '<</FT /Sig /T (N) /Kids [23 0 R]>>',
        23: `<</Subtype /Widget /Parent 20 0 R ${SHOWN}>>`,
      },
    ],
    [
      'if the look of a new signature field without a size draws, which PDFium and Ghostscript show',
      { ...NAMED, ...LOOK, 20: `<</FT /Sig /T (N) ${NO_SIZE}>>` },
    ],
    [
      'if the look of a new signature field that names no place draws',
      { ...NAMED, ...LOOK, 20: '<</FT /Sig /T (N) /AP <</N 22 0 R>>>>' },
    ],
    [
      'if the look of a widget without a size draws',
      {
        ...NAMED,
        ...LOOK,
        20: '<</FT /Sig /T (N) /Kids [23 0 R]>>',
        23: `<</Subtype /Widget /Parent 20 0 R ${NO_SIZE}>>`,
      },
    ],
    [
      'if the look of a document timestamp without a size draws',
      { ...NAMED, ...LOOK, 20: `<</FT /Sig /T (N) /V 21 0 R ${NO_SIZE}>>`, 21: DOCUMENT_TIMESTAMP },
    ],
    [
      'if an empty signature field without a size gets a look that draws',
      { ...LOOK, 4: '<</FT /Sig /T (Empty) /Rect [0 0 0 0] /AP <</N 22 0 R>>>>' },
    ],
    [
      'if the look of a signature field without a size is stored in a way that is not read here',
      { ...NAMED, 20: `<</FT /Sig /T (N) ${NO_SIZE}>>`, 22: STREAM('', '/Filter /LZWDecode') },
    ],
    [
      'if the look of a signature field without a size lies in another file',
      { ...NAMED, 20: `<</FT /Sig /T (N) ${NO_SIZE}>>`, 22: STREAM('', '/F (look)') },
    ],
    [
      'if the look of a signature field without a size is no look',
      { ...NAMED, 20: '<</FT /Sig /T (N) /Rect [0 0 0 0] /AP 22 0 R>>', 22: '[]' },
    ],
    [
      'if it shows a document timestamp',
      { ...NAMED, ...LOOK, 20: `<</FT /Sig /T (N) /V 21 0 R ${SHOWN}>>`, 21: DOCUMENT_TIMESTAMP },
    ],
    [
      'if it shows a signature that was there before',
      { ...NAMED, ...LOOK, 20: `<</FT /Sig /T (N) /V 8 0 R ${SHOWN}>>` },
      { ...BEFORE, 4: '<</FT /Sig /T (Signed) /V 8 0 R>>', 8: SIGNATURE },
    ],
    [
      'if it says twice where a new signature field is',
      { ...NAMED, ...LOOK, 20: `<</FT /Sig /T (N) ${SHOWN} /Rect [0 0 0 0]>>` },
    ],
    [
      'if the place of a new signature field is not clear',
      { ...NAMED, ...LOOK, 20: '<</FT /Sig /T (N) /Rect [0 0 0] /AP <</N 22 0 R>>>>' },
    ],
    [
      'if programs read differently where a new signature field is',
      { ...NAMED, ...LOOK, 20: '<</FT /Sig /T (N) /Rect [0 0 0-200 300] /AP <</N 22 0 R>>>>' },
    ],
    [
      'if it adds a field of text below a signature field',
      { ...NAMED, 20: '<</FT /Sig /T (N) /Kids [23 0 R]>>', 23: '<</FT /Tx /T (More) /V (2)>>' },
    ],
    [
      'if a signature field that nobody signed gets a look',
      { ...LOOK, 4: `<<${PLACE} /AP <</N 22 0 R>>>>` },
      WITH_PLACE,
    ],
    [
      'if a document timestamp gets a look in a widget',
      { ...FILLED, ...SHOWN_WIDGET, 21: DOCUMENT_TIMESTAMP },
      WITH_WIDGET,
    ],
    ['if a widget of a signature field that nobody signed gets a look', { ...SHOWN_WIDGET }, WITH_WIDGET],
    [
      'if a document timestamp shows the look that a widget had, as MuPDF does',
      { ...FILLED, 21: DOCUMENT_TIMESTAMP },
      { ...WITH_WIDGET, 10: '<</Subtype /Widget /Parent 4 0 R /Rect [0 0 200 300] /AP <</N 6 0 R>>>>' },
    ],
    [
      'if a signature changes the look of a text field below it',
      { ...FILLED, ...LOOK, 10: `<</FT /Tx /Parent 4 0 R ${SHOWN}>>`, 21: SIGNATURE },
      { ...WITH_WIDGET, 10: '<</FT /Tx /Parent 4 0 R /Rect [0 0 200 300]>>' },
    ],
    [
      'if a signature moves its widget',
      { ...FILLED, 10: '<</Subtype /Widget /Parent 4 0 R /Rect [0 0 200 30]>>', 21: SIGNATURE },
      WITH_WIDGET,
    ],
    [
      'if a document timestamp gets a look',
      { ...LOOK, 4: `<<${PLACE} /V 21 0 R /AP <</N 22 0 R>>>>`, 21: DOCUMENT_TIMESTAMP },
      WITH_PLACE,
    ],
    [
      'if a signature gets a look in a field that is not part of the form, where nobody judges it',
      { ...LOOK, 8: `<<${PLACE} /V 21 0 R /AP <</N 22 0 R>>>>`, 21: SIGNATURE },
      { ...BEFORE, 8: `<<${PLACE}>>` },
    ],
    [
      'if a signature gets a look in such a field, beside one that is judged',
      {
        ...LOOK,
        4: '<</FT /Sig /T (Empty) /Rect [0 0 0 0] /V 23 0 R>>',
        8: `<<${PLACE} /V 21 0 R /AP <</N 22 0 R>>>>`,
        21: SIGNATURE,
        23: SIGNATURE,
      },
      { ...BEFORE, 8: `<<${PLACE}>>` },
    ],
    [
      'if a signature field gets text, which a field of text below it would show',
      { 4: '<</FT /Sig /T (Empty) /Rect [0 0 0 0] /V (2)>>' },
    ],
    ...[
      ['gives the flags of an annotation a point, which Poppler ignores then', '/F 2', '/F 2.0'],
      ['writes a number so long that PDFium cuts it off', '/F 2', `/F ${'0'.repeat(300)}2`],
      ['changes the last digit of a very large number', '/F 18014398509481984', '/F 18014398509481986'],
      ['writes a reference so long that PDFium cuts it off', '/AP 6 0 R', `/AP ${'0'.repeat(300)}6 0 R`],
      ['writes a name so long that PDFium cuts it off', `/AS /${'x'.repeat(90)}`, `/AS /${'#78'.repeat(90)}`],
      ['writes a key so long that PDFium cuts it off', `/${'x'.repeat(90)} 1`, `/${'#78'.repeat(90)} 1`],
      ['writes a byte at which PDFium ends a name', '/AS /Off#80', '/AS /Off\x80'],
      ['writes a byte at which PDFium ends a key', '/AP#ff 6 0 R', '/AP\xff 6 0 R'],
    ].map(([what, before, after]): [string, Objects, Objects] => [
      `if it ${what}`,
      { 8: `<</Subtype /Stamp ${after}>>` },
      { ...BEFORE, 8: `<</Subtype /Stamp ${before}>>` },
    ]),
    [
      'if it gives a number of its own a point, to which the flags of an annotation may refer',
      { 9: '2.0' },
      { ...BEFORE, 8: '<</Subtype /Stamp /F 9 0 R>>', 9: '2' },
    ],
    [
      'if it gives an empty signature field another generation, in which programs do not find it',
      { '4 1': '<</FT /Sig /T (Empty) /Rect [0 0 0 0] /M (D:2026)>>' },
    ],
    ...[
      ['is a note, which programs draw as an icon', '/Subtype /Text /Rect [9 9 9 9]'],
      ['has a background but no place, which MuPDF draws on the whole page', '/MK <</BG [0]>>'],
      ['has a border but no width, which Ghostscript draws', '/Rect [9 9 9 50] /MK <</BC [0]>>'],
    ].map(([what, keys]): [string, Objects] => [
      `if a new signature field that nobody signed ${what}`,
      { ...NAMED, 20: `<</FT /Sig /T (N) ${keys}>>` },
    ]),
    ...[
      ['an underline takes its empty look away, so that programs draw the line', '/Subtype /Underline', ''],
      ['a widget without a size takes a look away that Ghostscript shows', '/Subtype /Widget', '0 g'],
    ].map(([what, type, drawing = '']): [string, Objects, Objects] => [
      `if ${what}`,
      { 4: `<</FT /Sig /T (Empty) /Rect [0 0 0 0] ${type}>>` },
      {
        ...BEFORE,
        4: `<</FT /Sig /T (Empty) /Rect [0 0 0 0] ${type} /AP <</N 8 0 R>>>>`,
        8: STREAM(drawing),
      },
    ]),
    [
      'if a document timestamp is set in a field with a look, which MuPDF draws only then',
      { 4: `<<${PLACE} /V 21 0 R /AP <</N 8 0 R>>>>`, 21: DOCUMENT_TIMESTAMP },
      { ...BEFORE, 4: `<<${PLACE} /AP <</N 8 0 R>>>>`, 8: STREAM('0 g') },
    ],
    [
      'if a document timestamp is set in a hidden field, and shows its background',
      { 4: `<<${PLACE} /MK <</BG [0]>> /F 4 /V 21 0 R>>`, 21: DOCUMENT_TIMESTAMP },
      { ...BEFORE, 4: `<<${PLACE} /MK <</BG [0]>> /F 2>>` },
    ],
    // The places were prepared before the document was signed.
    [
      'if a page was waiting for a new signature’s appearance',
      { ...NAMED, 20: '<</FT /Sig /T (N) /AP <</N 22 0 R>>>>', 22: STREAM('0 g') },
      { ...BEFORE, 3: `<<${PAGE} /Contents 22 0 R /Annots 7 0 R>>` },
    ],
    [
      'if data for validation are a page’s content',
      { 8: STREAM('0 g') },
      {
        ...BEFORE,
        1: `<<${CATALOG} /DSS <</Certs [8 0 R]>>>>`,
        3: `<<${PAGE} /Contents 8 0 R>>`,
        8: STREAM('1 g'),
      },
    ],
    [
      'if the list of annotations that it adds to is a colour space of the page',
      { ...NEW_FIELD, 7: '[/Pattern 20 0 R]' },
      { ...BEFORE, 3: `<<${PAGE} /Resources <</ColorSpace <</A 7 0 R>>>> /Annots 7 0 R>>`, 7: '[/Pattern]' },
    ],
    [
      'if the list of fields that it adds to is a colour space of the page',
      { ...NEW_FIELD, 1: `<<${CATALOG} /AcroForm 8 0 R>>`, 8: '<</Fields [/Pattern 20 0 R]>>' },
      {
        ...BEFORE,
        1: `<<${CATALOG} /AcroForm 8 0 R>>`,
        3: `<<${PAGE} /Resources <</ColorSpace 8 0 R>> /Annots 7 0 R>>`,
        8: '<</Fields [/Pattern]>>',
      },
    ],
    [
      'if a page draws with the catalog, which gets a state of graphics',
      { 1: `<<${CATALOG} /DSS <</ca 0>>>>` },
      {
        ...BEFORE,
        1: `<<${CATALOG}>>`,
        3: `<<${PAGE} /Resources <</ExtGState 1 0 R>> /Contents 6 0 R>>`,
        6: STREAM('/DSS gs'),
      },
    ],
    [
      'if a page draws with the catalog by way of another page',
      { 1: `<<${CATALOG} /Extensions <</ca 0>>>>` },
      {
        ...BEFORE,
        1: `<<${CATALOG} /Extensions <</ca 1>>>>`,
        2: '<</Type /Pages /Kids [3 0 R 8 0 R] /Count 2>>',
        3: `<<${PAGE} /Resources 8 0 R>>`,
        8: `<<${PAGE} /ExtGState 1 0 R>>`,
      },
    ],
    [
      'if an annotation draws with the catalog',
      { 1: `<<${CATALOG} /Metadata <</ca 0>>>>` },
      {
        ...BEFORE,
        1: `<<${CATALOG}>>`,
        3: `<<${PAGE} /Annots [8 0 R]>>`,
        6: STREAM('/Metadata gs', '/Resources <</ExtGState 1 0 R>>'),
        8: '<</Subtype /Stamp /AP <</N 6 0 R>>>>',
      },
    ],
    [
      'if a page was waiting for an image among the data for validation',
      { 22: STREAM('0 g', '/Subtype /Form') },
      {
        ...BEFORE,
        1: `<<${CATALOG} /DSS 22 0 R>>`,
        3: `<<${PAGE} /Resources <</XObject 1 0 R>> /Contents 6 0 R>>`,
        6: STREAM('/DSS Do'),
      },
    ],
    ...[
      ['leaves out an escape', '(en)', '(e\\n)'],
      ['escapes in a way that programs read differently', '(en)', '(\\en)'],
      ['breaks the line of', '(en)', '(e\\\nn)'],
      ['has a line end that some programs change in', '(e\\rn)', '(e\rn)'],
      ['has a digit too few in', '(en0)', '<656e3>'],
      ['has spaces in', '(en)', '<65 6e>'],
    ].map(([what, before, after]): [string, Objects, Objects] => [
      `if it ${what} a text of the catalog`,
      { 1: `<<${CATALOG} /Lang ${after}>>` },
      { ...BEFORE, 1: `<<${CATALOG} /Lang ${before}>>` },
    ]),
    ...['/1.3', '/1.7', '/9.9', '(2.0)', '2.0', 'null /Version /2.0'].map((version): [string, Objects] => [
      `if it says that the file is of version ${version}`,
      { 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3>> /Version ${version}>>` },
    ]),
    ...[
      ['an attachment', '(b) 8 0 R'],
      ['the name of an attachment that programs read differently', '<FEFF006100> 8 0 R'],
      ['the file of an attachment', '(a) 6 0 R'],
    ].map(([what, names]): [string, Objects, Objects] => [
      `if it changes ${what}`,
      { 1: `<<${CATALOG} /Names <</EmbeddedFiles <</Names [${names}]>>>>>>` },
      {
        ...BEFORE,
        1: `<<${CATALOG} /Names <</EmbeddedFiles <</Names [(a) 8 0 R]>>>>>>`,
        8: '<</Type /Filespec>>',
      },
    ]),
    [
      'if it writes text of the catalog in another encoding, which might be colours',
      { 1: `<<${CATALOG} /Lang (a)>>` },
      { ...BEFORE, 1: `<<${CATALOG} /Lang <FEFF0061>>>` },
    ],
    [
      'if it takes away one of two equal keys, of which programs take the first or the last',
      { 1: `<<${CATALOG} /PageMode /UseOutlines>>` },
      { ...BEFORE, 1: `<<${CATALOG} /PageMode /UseNone /PageMode /UseOutlines>>` },
    ],
    [
      'if the list of annotations that it adds to is the page’s content',
      { ...NEW_FIELD, 7: '[6 0 R 20 0 R]' },
      { ...BEFORE, 3: `<<${PAGE} /Contents 7 0 R /Annots 7 0 R>>`, 7: '[6 0 R]' },
    ],
    [
      'if the list of fields that it adds to are the layers of what a page shows',
      { ...NEW_FIELD, 1: `<<${CATALOG} /AcroForm <</Fields 8 0 R /SigFlags 3>>>>`, 8: '[9 0 R 20 0 R]' },
      {
        ...BEFORE,
        1: `<<${CATALOG} /AcroForm <</Fields 8 0 R /SigFlags 3>>>>`,
        3: `<<${PAGE} /Resources <</Properties <</A <</Type /OCMD /OCGs 8 0 R>>>>>> /Annots 7 0 R>>`,
        8: '[9 0 R]',
        9: '<</Type /OCG /Name (A)>>',
      },
    ],
    // Programs search for the end of a stream only if it is not where /Length says.
    ...Object.entries<Objects>({
      'one that is too long for its length': { 6: '<</Length 2>>\nstream\n1 g\nendstream' },
      'the content of a page': { 6: '<</Length 9000>>\nstream\n1 g\nendstream' },
      'an attachment, whose length is another object': {
        1: `<<${CATALOG} /Names <</EmbeddedFiles <</Names [(a) 8 0 R]>>>>>>`,
        8: '<</Type /Filespec /EF <</F 9 0 R>>>>',
        9: '<</Length 10 0 R>>\nstream\na\nendstream',
        10: '9000',
      },
      'what a page draws, among the data for validation, with an unclear length': {
        1: `<<${CATALOG} /DSS 8 0 R>>`,
        3: `<<${PAGE} /Resources 8 0 R /Contents 6 0 R>>`,
        8: '<</XObject <</A 9 0 R>>>>',
        9: '<</Length 9000x>>\nstream\n1 g\nendstream',
      },
    }).map(([what, before]): [string, Objects, Objects] => [
      `if a stream does not end where it says, so that programs find another end in a longer file: ${what}`,
      { 20: STREAM('', '/Type /ObjStm') },
      { ...BEFORE, ...before },
    ]),
    [
      'if the list of fields takes the place of a page’s content',
      { 1: `<<${CATALOG} /AcroForm <</Fields 6 0 R /SigFlags 3>>>>`, 6: '[4 0 R 5 0 R]' },
    ],
  ])('%s', (_, changed, before = BEFORE) => {
    expect(compare(changed, before)).toMatchObject({ others: true });
  });

  it('if the document information has a second role', () => {
    const before = { ...BEFORE, 3: `<<${PAGE} /Resources <</ExtGState <</A 9 0 R>>>>>>`, 9: '<</ca 1>>' };
    const info = { before: '/Info 9 0 R', after: '/Info 9 0 R' };
    expect(compare({ 9: '<</ca 0>>' }, before, info)).toMatchObject({ others: true });
  });

  it('if its information holds more than texts, unless it names none any more', () => {
    const info = { before: '/Info 9 0 R', after: '/Info 22 0 R' };
    const before = { ...BEFORE, 9: '<</Title (a)>>' };
    const more = { 22: '<</Title 23 0 R>>', 23: '(a)' };
    expect(compare(more, before, info)).toMatchObject({ others: true });
    expect(compare(NEW_FIELD, before, { ...info, after: '' })).toMatchObject({ others: false });
  });

  it('if it names information that is not there, over which some programs rebuild the cross-reference', () => {
    const info = { before: '', after: '/Info 30 0 R' };
    expect(compare(NEW_FIELD, BEFORE, info)).toMatchObject({ others: true });
    expect(compare(NEW_FIELD, BEFORE, { ...info, before: '/Info 30 0 R' })).toMatchObject({ others: false });
  });

  it('if it names no more information that is not there, so that those programs go by the cross-reference', () => {
    expect(compare(NEW_FIELD, BEFORE, { before: '/Info 30 0 R', after: '' })).toMatchObject({ others: true });
  });

  it('if it lists a packed object at the place of another, where some programs find that', () => {
    const original = craft({ objects: { ...BEFORE, 8: '<<>>', 9: '<<>>' }, style: 'stream', packed: [8, 9] });
    const compareRelisted = (index: number) => {
      const budget = new Budget(inflate);
      const after = relist(original, [[8, 11, index]]);
      return compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget));
    };
    expect(compareRelisted(0)).toMatchObject({ others: false });
    expect(() => compareRelisted(1)).toThrow('object 8 is not there in its object stream');
  });

  it('if its cross-reference stream follows a table, instead of which PDFium searches the file', () => {
    const compareAfter = (style: 'stream' | 'table'): boolean => {
      const original = craft({ objects: BEFORE, size: 30, style });
      const after = revise(original, { objects: NEW_FIELD, size: 40, style: 'stream' });
      const budget = new Budget(inflate);
      return compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget)).others;
    };
    expect(compareAfter('stream')).toBe(false);
    expect(compareAfter('table')).toBe(true);
  });

  it.each([
    ['unless its header is a usual one', '6 0 obj', false],
    ['unless its header has other white space', '6  0\nobj', false],
    ['by its long number', `${'0'.repeat(300)}6 0 obj`, true],
    ['by its long generation', `6 ${'0'.repeat(300)} obj`, true],
    ['by its long number before a comment', `${'0'.repeat(300)}6 %\n0 obj`, true],
  ])('if PDFium misses an object that it writes again, %s', (_, header, others) => {
    const objects = { ...BEFORE, 6: '<<>>' };
    const original = craft({ objects, size: 20 });
    const again = revise(original, { objects: { 6: '<<>>' }, size: 20 }).toString('latin1');
    const shift = (text: string): string =>
      text.replace(/startxref\n(\d+)/, (__, at) => `startxref\n${Number(at) + header.length - 7}`);
    const after = Buffer.from(
      original.toString('latin1') + shift(again.slice(original.length)).replace('6 0 obj', header),
      'latin1',
    );
    const budget = new Budget(inflate);
    expect(compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget))).toMatchObject({
      others,
    });
  });

  it('if it names another catalog', () => {
    const changed = { 22: `<<${CATALOG}>>` };
    expect(compare(changed, BEFORE, { before: '', after: '/Root 22 0 R' })).toMatchObject({ others: true });
  });

  it.each([
    ['if a second trailer follows its own', 'trailer\n<</Size 40>>\nstartxref', true],
    ['if not all programs find the offset of its cross-reference', 'startxref\f', true],
    ['unless comments alone stand before its end', '%made by an editor\nstartxref', false],
  ])('%s', (_, start, others) => {
    const original = craft({ objects: BEFORE, size: 20 });
    const revised = revise(original, { objects: NEW_FIELD, size: 40 }).toString('latin1');
    const at = revised.lastIndexOf('startxref');
    const end = revised.slice(at + 'startxref'.length);
    const after = Buffer.from(revised.slice(0, at) + start + end, 'latin1');
    const budget = new Budget(inflate);
    expect(compareRevisions(new PdfFile(original, budget), new PdfFile(after, budget))).toMatchObject({
      others,
    });
  });
});
