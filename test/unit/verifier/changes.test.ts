import { deflateSync } from 'node:zlib';
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

const PACKED_NOTHING = STREAM(deflateSync('').toString('latin1'), '/Filter /FlateDecode');

const BY_REFERENCE = {
  ...BEFORE,
  1: `<<${CATALOG} /AcroForm 8 0 R>>`,
  8: '<</Fields 9 0 R>>',
  9: '[4 0 R 5 0 R]',
};

describe('a revision changes nothing of the document', () => {
  it.each<[string, boolean, Objects, Objects?]>([
    ['if it adds a signature field', true, NEW_FIELD],
    [
      'if it fills in an empty signature field',
      true,
      { 4: '<</FT /Sig /T (Empty) /Rect [0 0 0 0] /V 21 0 R>>', 21: '<</Type /Sig>>' },
    ],
    [
      'if it adds a visible signature',
      true,
      { ...NEW_FIELD, ...LOOK, 20: `<</FT /Sig /T (N) /V 21 0 R ${SHOWN}>>`, 21: SIGNATURE },
    ],
    [
      'if it adds a signature that several widgets show',
      true,
      {
        ...NEW_FIELD,
        ...LOOK,
        20: '<</FT /Sig /T (N) /V 21 0 R /Kids [23 0 R]>>',
        21: SIGNATURE,
        23: `<</Subtype /Widget /Parent 20 0 R ${SHOWN}>>`,
      },
    ],
    [
      'if it signs where a signature belongs, and shows it',
      true,
      { ...LOOK, 4: `<<${PLACE} /V 21 0 R /AP <</N 22 0 R>>>>`, 21: SIGNATURE },
      WITH_PLACE,
    ],
    [
      'if it locks the field that it signs, as iText does',
      true,
      { ...LOOK, 4: `<<${PLACE} /F 132 /Ff 1 /V 21 0 R /AP <</N 22 0 R>>>>`, 21: SIGNATURE },
      { ...BEFORE, 4: `<<${PLACE} /F 4>>` },
    ],
    [
      'if it notes the date in the field that it signs, and in its widget',
      true,
      {
        ...LOOK,
        4: `${FILLED[4].slice(0, -2)} /M (D:2026)>>`,
        10: `<</Subtype /Widget /Parent 4 0 R ${SHOWN} /M (D:2026)>>`,
        21: SIGNATURE,
      },
      WITH_WIDGET,
    ],
    [
      'if it locks the widget of the field that it signs',
      true,
      {
        ...FILLED,
        ...LOOK,
        10: `<</Subtype /Widget /Parent 4 0 R ${SHOWN} /F 132>>`,
        21: SIGNATURE,
      },
      WITH_WIDGET,
    ],
    [
      'if it signs where a signature belongs, and shows it in a widget',
      true,
      { ...FILLED, ...SHOWN_WIDGET, 21: SIGNATURE },
      WITH_WIDGET,
    ],
    [
      'if it puts a document timestamp where a signature belongs, in a widget that shows nothing',
      false,
      { ...FILLED, 21: DOCUMENT_TIMESTAMP },
      WITH_WIDGET,
    ],
    [
      'if the look of a new signature field without a size draws nothing',
      true,
      { ...NAMED, 20: `<</FT /Sig /T (N) ${NO_SIZE}>>`, 22: STREAM(' \n') },
    ],
    [
      'if it adds a signature below a document timestamp',
      true,
      {
        ...NAMED,
        20: '<</FT /Sig /T (N) /V 21 0 R /Kids [22 0 R]>>',
        21: DOCUMENT_TIMESTAMP,
        22: '<</FT /Sig /T (M) /V 23 0 R>>',
        23: SIGNATURE,
      },
    ],
    [
      'if it adds a document timestamp with a widget',
      false,
      {
        ...NAMED,
        20: '<</FT /Sig /T (N) /V 21 0 R /Kids [22 0 R]>>',
        21: DOCUMENT_TIMESTAMP,
        22: '<</Subtype /Widget /Parent 20 0 R /Rect [0 0 0 0]>>',
      },
    ],
    [
      'if the look of a document timestamp without a size draws nothing, and is compressed',
      false,
      {
        ...NAMED,
        20: `<</FT /Sig /T (N) /V 21 0 R ${NO_SIZE}>>`,
        21: DOCUMENT_TIMESTAMP,
        22: PACKED_NOTHING,
      },
    ],
    [
      'if it writes the other annotations of a page again',
      true,
      { ...NEW_FIELD, 5: '<</T (Price) /V <31> /FT /Tx>>' },
    ],
    [
      'if it writes keys in another order and text in other ways',
      false,
      {
        1: `<<${CATALOG} /ViewerPreferences <</Duplex /None /Direction /L2R>> /Lang <656e2d555328295c> /DSS <<>>>>`,
      },
      {
        ...BEFORE,
        1: `<<${CATALOG} /ViewerPreferences <</Direction /L2R /Duplex /None>> /Lang (en\\055US\\(\\)\\\\)>>`,
      },
    ],
    [
      'if it writes the numbers and names of an annotation in other ways',
      true,
      { ...NEW_FIELD, 8: '<</AP 10  0\nR /F 04 /Rect [+0 0.50 1. 2.0] /#53ubtype /St#61mp>>' },
      { ...BEFORE, 8: '<</Subtype /Stamp /AP 10 0 R /F 4 /Rect [0 .5 1.0 2.00]>>', 10: STREAM('0 g') },
    ],
    [
      'if it adds an empty signature field without a size, as Acrobat writes it',
      true,
      { ...NAMED, 20: '<</Type /Annot /Subtype /Widget /FT /Sig /T (N) /MK <<>> /Rect [0 0 0 0]>>' },
    ],
    [
      'if it sets a document timestamp where a signature belongs, and shows nothing',
      false,
      { 4: `<<${PLACE} /V 21 0 R /M (D:2026)>>`, 21: DOCUMENT_TIMESTAMP },
      WITH_PLACE,
    ],
    [
      'if it says that the file is PDF 2.0, as pyHanko does to sign on an elliptic curve',
      true,
      { ...NEW_FIELD, 1: `${NAMED[1].slice(0, -2)} /Version /2.0>>` },
    ],
    [
      'if it says that a file of PDF 1.4 is of PDF 1.7',
      true,
      { ...NEW_FIELD, 1: `${NAMED[1].slice(0, -2)} /Version /1.7>>` },
      { ...BEFORE, 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3>> /Version /1.4>>` },
    ],
    [
      'if it writes the names of attachments in another encoding',
      false,
      { 1: `<<${CATALOG} /Names <</EmbeddedFiles <</Names [(a\\344) 8 0 R]>>>> /DSS <<>>>>` },
      {
        ...BEFORE,
        1: `<<${CATALOG} /Names <</EmbeddedFiles <</Names [<FEFF006100E4> 8 0 R]>>>>>>`,
        8: '<</Type /Filespec>>',
      },
    ],
    [
      'if it keeps a key that the catalog has twice',
      false,
      { 1: `<<${CATALOG} /PageMode /UseNone /PageMode /UseOutlines /DSS <<>>>>` },
      { ...BEFORE, 1: `<<${CATALOG} /PageMode /UseNone /PageMode /UseOutlines>>` },
    ],
    [
      'if it adds to the data for validation of a document whose seal leads to the catalog',
      false,
      { 8: '<</Certs [23 0 R]>>', 23: STREAM('x') },
      {
        ...BEFORE,
        1: `<<${CATALOG} /AcroForm <</Fields [4 0 R]>> /DSS 8 0 R>>`,
        4: '<</FT /Sig /T (Seal) /V 9 0 R>>',
        8: '<</Certs []>>',
        9: '<</Type /Sig /Reference [<</TransformMethod /FieldMDP /Data 1 0 R>>]>>',
      },
    ],
    [
      'if it adds data for validation',
      false,
      {
        1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /SigFlags 3>> /DSS 22 0 R>>`,
        22: '<</Certs [23 0 R]>>',
        23: STREAM('x'),
      },
    ],
    [
      'if it signs a document whose pages and annotations draw',
      true,
      NEW_FIELD,
      {
        ...BEFORE,
        3: `<<${PAGE} /Resources <</XObject <</A 8 0 R>>>> /Contents [6 0 R] /Annots 7 0 R>>`,
        5: '<</FT /Tx /T (Price) /V (1) /P 3 0 R /AP <</N 8 0 R>>>>',
        8: STREAM('0 g', '/Subtype /Form /PieceInfo <</Page 3 0 R>>'),
      },
    ],
    [
      'if it adds a signature to a document with a very long list',
      true,
      NEW_FIELD,
      {
        ...BEFORE,
        3: `<<${PAGE} /Contents 6 0 R /Annots 7 0 R /PieceInfo 8 0 R>>`,
        8: `[${'0 '.repeat(200_000)}]`,
      },
    ],
    [
      'if it adds a signature that leads to the catalog',
      true,
      { ...NEW_FIELD, 21: '<</Type /Sig /Reference [<</TransformMethod /FieldMDP /Data 1 0 R>>]>>' },
    ],
    ['if it adds an empty signature field without a place', true, { ...NAMED, 20: '<</FT /Sig /T (N)>>' }],
    [
      'if it sets a document timestamp in a field without a size, with a look that draws nothing',
      false,
      {
        4: '<</FT /Sig /T (Empty) /Rect [0 0 0 0] /V 21 0 R /AP <</N 22 0 R>>>>',
        21: DOCUMENT_TIMESTAMP,
        22: STREAM(''),
      },
    ],
    [
      'if it adds a signature field to a form that is an object, as its list of fields is',
      true,
      { ...NEW_FIELD, 1: BY_REFERENCE[1], 8: '<</Fields 9 0 R /SigFlags 3>>', 9: '[4 0 R 5 0 R 20 0 R]' },
      BY_REFERENCE,
    ],
    [
      'if it adds an empty signature field without a height',
      true,
      { ...NAMED, 20: '<</FT /Sig /T (N) /Rect [9 9 50 9]>>' },
    ],
    [
      'if it adds a signature field to a page without annotations, and writes a list of others again',
      true,
      { ...NEW_FIELD, 3: `<<${PAGE} /Contents 6 0 R /Annots [20 0 R]>>`, 7: '[4  0 R 5 0 R]' },
      { ...BEFORE, 3: `<<${PAGE} /Contents 6 0 R>>` },
    ],
    [
      'if it keeps how the form draws its fields',
      true,
      { ...NEW_FIELD, 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R 20 0 R] /DA (/Helv 0 Tf)>>>>` },
      { ...BEFORE, 1: `<<${CATALOG} /AcroForm <</Fields [4 0 R 5 0 R] /DA (/Helv 0 Tf)>>>>` },
    ],
    [
      'if it adds to the data for validation',
      false,
      { 8: '<</Certs [23 0 R]>>', 23: STREAM('x') },
      { ...BEFORE, 1: `<<${CATALOG} /DSS 8 0 R>>`, 8: '<</Certs []>>' },
    ],
  ])('%s', (_, signatures, changed, before = BEFORE) => {
    expect(compare(changed, before)).toEqual({ signatures, metadata: false, others: false });
  });

  it('if it changes the title and the metadata', () => {
    const before = {
      ...BEFORE,
      1: `<<${CATALOG} /Metadata 8 0 R>>`,
      8: STREAM('<a/>', '/Type /Metadata'),
      9: '<</Title (a)>>',
    };
    const changed = { 8: STREAM('<b/>', '/Type /Metadata'), 9: '<</Title (b)>>' };
    const info = { before: '/Info 9 0 R', after: '/Info 9 0 R' };
    expect(compare(changed, before, info)).toEqual({ signatures: false, metadata: true, others: false });
  });
});

describe('a revision changes the metadata', () => {
  const compareInfo = (before: string, after: string) =>
    compare({ 9: after }, { ...BEFORE, 9: before }, { before: '/Info 9 0 R', after: '/Info 9 0 R' });

  it.each([
    ['if it changes the title', '<</Title (a)>>', '<</Title (b)>>', true],
    ['if it takes the title away', '<</Title (a)>>', '<<>>', true],
    ['if it adds an author', '<<>>', '<</Author (a)>>', true],
    [
      'if it changes the title of an author',
      '<</Title (a) /Author (b)>>',
      '<</Title (c) /Author (b)>>',
      true,
    ],
    ['unless it writes the title in another way', '<</Title (a)>>', '<</Title <FEFF0061>>>', false],
    [
      'unless it only says who saved it, and when',
      '<</Title (a) /ModDate (b)>>',
      '<</Title (a) /ModDate (c) /Producer (d)>>',
      false,
    ],
  ])('%s', (_, before, after, metadata) => {
    expect(compareInfo(before, after)).toEqual({ signatures: false, metadata, others: false });
  });

  it.each<[string, Objects]>([
    ['if it changes the stream of them', { 8: STREAM('<b/>') }],
    ['if it takes them away', { 1: `<<${CATALOG}>>` }],
    ['if it names another stream of them', { 1: `<<${CATALOG} /Metadata 22 0 R>>`, 22: STREAM('<b/>') }],
  ])('%s', (_, changed) => {
    const before = { ...BEFORE, 1: `<<${CATALOG} /Metadata 8 0 R>>`, 8: STREAM('<a/>') };
    expect(compare(changed, before)).toEqual({ signatures: false, metadata: true, others: false });
  });

  it('if it adds a title to a document without information', () => {
    const added = compare({ 22: '<</Title (a)>>' }, BEFORE, { before: '', after: '/Info 22 0 R' });
    expect(added).toEqual({ signatures: false, metadata: true, others: false });
  });
});
