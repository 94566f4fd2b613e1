import { Layers } from '../../../shared/sealing/layers.ts';
import { PdfRef } from '../../../shared/sealing/pdf/values.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import { craft, ONE_PAGE } from './craft.ts';

const LAYER = '<</Type /OCG>>';
const PRINT = (state: string) => `<</Type /OCG /Usage <</Print <</PrintState /${state}>>>>>>`;
const VIEW = (state: string) => `<</Type /OCG /Usage <</View <</ViewState /${state}>>>>>>`;
const OFF_BY_USAGE = '<</Type /OCG /Usage <</View <</ViewState /OFF>> /Print <</PrintState /OFF>>>>>>';
const INTENT = (intent: string) => `<</Type /OCG /Intent ${intent}>>`;
const OFF = '<</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>';
const PRINTED = 'a layer that is printed but not shown';
const BY_SOME = 'a layer that only some programs show';

function open(properties: string, layers: Record<string, string>) {
  const catalog = `<</Pages 2 0 R ${properties && `/OCProperties ${properties}`}>>`;
  const { file, catalog: opened } = openPdf(craft({ objects: { ...ONE_PAGE, 1: catalog, ...layers } }));
  return { file, layers: new Layers(file, opened.dict) };
}

describe('layers', () => {
  it.each<[string, string, Record<string, string>, string | null, boolean]>([
    ['no layers', '7', {}, null, false],
    ['no list of layers', '<</OCGs 7>>', {}, null, false],
    ['something else than layers', '<</OCGs [7 (text)]>>', {}, null, false],
    ['a layer', '<</OCGs [4 0 R]>>', { 4: LAYER }, null, false],
    ['a layer, off', OFF, { 4: LAYER }, null, false],
    ['an off list of other things', '<</OCGs [4 0 R] /D <</OFF [4 (x)]>>>>', { 4: LAYER }, null, false],
    ['one off in print', '<</OCGs [4 0 R]>>', { 4: PRINT('OFF') }, null, true],
    ['one on in print', '<</OCGs [4 0 R]>>', { 4: PRINT('ON') }, null, false],
    ['one off on screen', '<</OCGs [4 0 R]>>', { 4: VIEW('OFF') }, PRINTED, true],
    ['one off on screen and in print', '<</OCGs [4 0 R]>>', { 4: OFF_BY_USAGE }, BY_SOME, true],
    ['one off and on in print', OFF, { 4: PRINT('ON') }, PRINTED, true],
    ['one off and on on screen', OFF, { 4: VIEW('ON') }, BY_SOME, true],
    ['a configuration that is none', '<</OCGs [4 0 R] /D 7>>', { 4: PRINT('ON') }, null, false],
    ['the second of two, off in print', '<</OCGs [4 0 R 5 0 R]>>', { 4: LAYER, 5: PRINT('OFF') }, null, true],
    ['one for design, off', OFF, { 4: INTENT('/Design') }, BY_SOME, false],
    ['one for design, on', '<</OCGs [4 0 R]>>', { 4: INTENT('/Design') }, null, false],
    ['one for all, off', OFF, { 4: INTENT('[/Design /View]') }, null, false],
    ['one for nothing, off', OFF, { 4: INTENT('[]') }, BY_SOME, false],
    ['one for nothing that is there, off', OFF, { 4: INTENT('[null]') }, BY_SOME, false],
    ['one without a type, off', OFF, { 4: '<<>>' }, BY_SOME, false],
    ['one without a type, on', '<</OCGs [4 0 R]>>', { 4: '<<>>' }, null, false],
  ])('are found to be shown by some or printed only, and to vary, or not: %s', (...given) => {
    const [, properties, objects, finding, vary] = given;
    const { layers } = open(properties, objects);
    expect([layers.finding, layers.vary]).toEqual([finding, vary]);
  });
});

describe('a membership of layers', () => {
  const findingIn = (membership: string, properties: string) => {
    const objects = { 4: LAYER, 5: LAYER, 6: `<<${membership}>>`, 7: '[/And 7 0 R]', 8: '7', 9: LAYER };
    const { file, layers } = open(properties, objects);
    return layers.findingIn(file.dict(new PdfRef(6, 0), 'it'), (value) => file.resolve(value));
  };

  it.each([
    ['/OCGs 4 0 R', true],
    ['/OCGs [4 0 R 5 0 R]', true],
    ['/OCGs [4 0 R 5 0 R] /P /AllOff', true],
    ['', true],
    ['/OCGs 4 0 R /P /AllOn', true],
    ['/OCGs 9 0 R /P /AnyOff', true],
    ['/OCGs 4 0 R /P /AnyOff', false],
    ['/OCGs []', false],
    ['/OCGs [4 0 R null]', false],
    ['/OCGs [4 0 R 9 0 R]', false],
    ['/OCGs [4 0 R] /P /Some', false],
    ['/VE [/And 4 0 R [/Not 5 0 R]]', true],
    ['/VE [/Or 4 0 R]', true],
    ['/VE 4 0 R', false],
    ['/VE []', false],
    ['/VE [/And]', false],
    ['/VE [/Or 9 0 R]', false],
    ['/VE [/Not 4 0 R 5 0 R]', false],
    ['/VE [/Xor 4 0 R]', false],
    ['/VE 7 0 R', false],
  ])('is read alike by all programs, or not: %s', (membership, ok) => {
    expect(findingIn(`/Type /OCMD ${membership}`, '<</OCGs [4 0 R 5 0 R]>>')).toBe(ok ? null : BY_SOME);
    expect(findingIn(membership, '<</OCGs [4 0 R 5 0 R]>>')).toBeNull();
  });

  it.each([
    ['/OCGs [4 0 R]', true],
    ['/OCGs [null]', true],
    ['/VE [/And 4 0 R]', true],
    ['/OCGs [4 0 R] /P /AllOff', false],
    ['/VE [/Not 4 0 R]', false],
  ])(
    'is clear in a document that lists no layers, unless it shows while they are off: %s',
    (membership, ok) => {
      expect(findingIn(`/Type /OCMD ${membership}`, '')).toBe(ok ? null : BY_SOME);
    },
  );
});
