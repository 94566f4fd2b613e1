import {
  BEFORE,
  CATALOG,
  compare,
  FILLED,
  NAMED,
  NEW_FIELD,
  type Objects,
  PLACE,
  SIGNATURE,
  STREAM,
  WITH_WIDGET,
} from './revisions.ts';

const SEALED = { ...BEFORE, 5: '<</FT /Sig /T (Seal) /V 8 0 R>>', 8: SIGNATURE };
const withForm = (form: string): Objects => ({ 1: `<<${CATALOG} /AcroForm <<${form}>>>>` });
const withStore = (store: string, more: Objects = {}): Objects => ({
  1: BEFORE[1]?.replace(/>>$/, ` /DSS ${store}>>`) ?? '',
  ...more,
});
const withExtensions = (value: string): Objects => ({
  1: BEFORE[1]?.replace(/>>$/, ` /Extensions ${value}>>`) ?? '',
});
const EMPTY = '/FT /Sig /T (Empty) /Rect [0 0 0 0]';
const HASH = 'AB'.repeat(20);
const LISTS = ['Certs', 'OCSPs', 'CRLs'];

describe('a revision, which pyHanko calls a change of the document,', () => {
  it.each<[string, Objects, Objects?]>([
    ['adds a signature field with the name of another', { ...NAMED, 20: '<</FT /Sig /T (Seal)>>' }, SEALED],
    [
      'adds a signature field whose name is that of a field below another',
      { ...NEW_FIELD, 20: NEW_FIELD[20].replace('Next', 'Price.Next') },
    ],
    ['writes that name in another way', { ...NAMED, 20: '<</FT /Sig /T <FEFF005300650061006C>>>' }, SEALED],
    [
      'adds one field twice',
      { ...NEW_FIELD, ...withForm('/Fields [4 0 R 5 0 R 20 0 R 20 0 R] /SigFlags 3') },
    ],
    ['adds a field without a name', { ...NAMED, 20: '<</FT /Sig /V 21 0 R>>', 21: SIGNATURE }],
    [
      'adds a field that names an earlier signature',
      { ...NAMED, 20: '<</FT /Sig /T (N) /V 8 0 R>>' },
      SEALED,
    ],
    [
      'fills in a field with an earlier signature',
      { 4: FILLED[4].replace('21', '8') },
      { ...WITH_WIDGET, 8: SIGNATURE },
    ],
    [
      'notes a date in an empty signature field with a look',
      { 4: `<<${PLACE} /AP <</N 8 0 R>> /M (D:2026)>>` },
      { ...BEFORE, 4: `<<${PLACE} /AP <</N 8 0 R>>>>`, 8: STREAM('0 g') },
    ],
    [
      'gives an empty signature field a look that draws nothing',
      { 4: `<<${EMPTY} /AP <</N 22 0 R>>>>`, 22: STREAM('') },
    ],
    ['says that the form has no signatures', withForm('/Fields [4 0 R 5 0 R] /SigFlags 0')],
    ['says no longer that the file must only grow', withForm('/Fields [4 0 R 5 0 R] /SigFlags 1')],
    ['takes the flags of the form away', withForm('/Fields [4 0 R 5 0 R]')],
    ['adds a security store that is a list', withStore('[2 0 R]')],
    ...LISTS.map((key): [string, Objects] => [
      `adds a security store whose /${key} leads to pages`,
      withStore(`<</${key} [23 0 R 2 0 R]>>`, { 23: STREAM('x') }),
    ]),
    [
      'adds a security store with a stream in place of a list',
      withStore('<</Certs 23 0 R>>', { 23: STREAM('x') }),
    ],
    ['adds a security store with proofs of no signature', withStore('<</VRI [2 0 R]>>')],
    ['adds a security store with anything else', withStore('<</Page 23 0 R>>', { 23: STREAM('x') })],
    ['adds the proofs of a signature without its hash', withStore('<</VRI <</AB <<>>>>>>')],
    ['adds the proofs of a signature with more behind its hash', withStore(`<</VRI <</${HASH}A <<>>>>>>`)],
    ['adds a page as the proofs of a signature', withStore(`<</VRI <</${HASH} 3 0 R>>>>`)],
    ['adds a page to the proofs of a signature', withStore(`<</VRI <</${HASH} <</Cert [3 0 R]>>>>>>`)],
    ['takes a security store away', { 1: BEFORE[1] ?? '' }, { ...BEFORE, ...withStore('<<>>') }],
    ['takes the extensions away', { 1: BEFORE[1] ?? '' }, { ...BEFORE, ...withExtensions('<<>>') }],
    ['names a page as the extensions', withExtensions('3 0 R')],
  ])('%s', (_, changed, before = BEFORE) => {
    expect(compare(changed, before)).toMatchObject({ others: true });
  });
});

it.each<[string, Objects]>([
  [
    'adds two fields',
    {
      ...NEW_FIELD,
      ...withForm('/Fields [4 0 R 5 0 R 20 0 R 22 0 R] /SigFlags 3'),
      22: '<</FT /Sig /T (M)>>',
    },
  ],
  ['adds a field', { ...NEW_FIELD, ...withForm('/Fields [4 0 R 5 0 R 20 0 R] /SigFlags 7') }],
  [
    'adds a store of every kind',
    withStore('<</Certs [23 0 R] /CRLs 24 0 R /VRI 25 0 R>>', {
      25: `<</${HASH} <</Cert [23 0 R] /TU (D:2026)>>>>`,
      23: STREAM('x'),
      24: '[23 0 R]',
    }),
  ],
  ['names other extensions', { ...withExtensions('22 0 R'), 22: '<</A <<>>>>' }],
  ['writes the extensions', withExtensions('<</A <<>>>>')],
])('a revision that %s is no change of the document', (_, changed) => {
  expect(compare(changed)).toMatchObject({ others: false });
});
