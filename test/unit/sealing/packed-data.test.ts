import { inspect, stream, withCatalog, withPage } from './marked-page.ts';

/** Filters and parameters of a stream: the first one is drawn, the second one attached. */
const USES: [string, Record<string, string>][] = [
  ['that a page draws', { 3: withPage('/Contents 4 0 R') }],
  ['of an attachment', { 1: withCatalog('/AF [<</Type /Filespec /UF (a) /EF <</F 4 0 R>>>>]') }],
];

const PREDICTED = '/Filter /FlateDecode /DecodeParms';

describe.each(USES)('the data %s', (_, uses) => {
  it.each([
    '/Filter null',
    '/Filter []',
    '/Filter /Fl',
    '/Filter [/ASCII85Decode /LZWDecode] /DecodeParms [null <</EarlyChange 0>>]',
    '/Filter [5 0 R] /DecodeParms 6 0 R',
    '/Filter /CCITTFaxDecode /DecodeParms <</K -1 /Columns 8 /Rows 1 /BlackIs1 true>>',
    `${PREDICTED} <</Predictor 2 /Colors 3 /BitsPerComponent 8 /Columns 9>>`,
    `${PREDICTED} <</Predictor 15>>`,
    `${PREDICTED} <</Predictor 0>>`,
  ])('are unpacked alike by all programs: %s', (dict) => {
    const objects = { ...uses, 4: stream(dict, 'x'), 5: '/DCTDecode', 6: '[<</ColorTransform 1>>]' };
    expect(inspect(objects)).toMatchObject({ ok: true });
  });

  it.each([
    ['of another maker, which some programs pass over', '/Filter /Own'],
    ['of encryption, which PDFium does not know here', '/Filter [/Crypt /FlateDecode]'],
    ['that is missing in a list', '/Filter [/FlateDecode null]'],
    ['in a list of lists', '/Filter [[/FlateDecode]]'],
    ['that is no name', '/Filter (FlateDecode)'],
    ['whose predictor has a point, so that Poppler ignores it', `${PREDICTED} <</Predictor 12.0>>`],
    ['whose second parameters have a point', '/Filter [/Fl /Fl] /DecodeParms [null <</Columns 9.0>>]'],
    ['with another number of columns by a reference', `${PREDICTED} <</Predictor 12 /Columns 5 0 R>>`],
    ['with the colours of a name', `${PREDICTED} <</Predictor 12 /Colors /Three>>`],
    ['with a group of fax whose number has a point', '/Filter /CCF /DecodeParms <</K -1.0>>'],
    ['with a predictor that nobody defined', `${PREDICTED} <</Predictor 9>>`],
    ['with a short name for bits, by which pdf.js goes', `${PREDICTED} <</Predictor 12 /BPC 4>>`],
  ])('are refused with a filter %s', (_name, dict) => {
    expect(inspect({ ...uses, 4: stream(dict, 'x'), 5: '9.5' })).toMatchObject({
      code: 'pdf_damaged',
      detail: expect.stringContaining('unpack'),
    });
  });
});
