import { layersVary, printsHiddenLayer } from '../../../shared/sealing/layers.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import { craft, ONE_PAGE } from './craft.ts';

const PRINT = (state: string) => `<</Usage <</Print <</PrintState /${state}>>>>>>`;
const VIEW = (state: string) => `<</Usage <</View <</ViewState /${state}>>>>>>`;

function judged(properties: string, layers: Record<string, string> = {}) {
  const objects = { ...ONE_PAGE, 1: `<</Pages 2 0 R /OCProperties ${properties}>>`, ...layers };
  const { file, catalog } = openPdf(craft({ objects }));
  return [printsHiddenLayer(file, catalog.dict), layersVary(file, catalog.dict)];
}

describe('layers', () => {
  it.each<[string, string, Record<string, string>, [boolean, boolean]]>([
    ['no layers', '7', {}, [false, false]],
    ['no list of layers', '<</OCGs 7>>', {}, [false, false]],
    ['something else than layers', '<</OCGs [7 (text)]>>', {}, [false, false]],
    ['a layer', '<</OCGs [4 0 R]>>', { 4: '<<>>' }, [false, false]],
    ['a layer, off', '<</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>', { 4: '<<>>' }, [false, false]],
    ['an off list of other things', '<</OCGs [4 0 R] /D <</OFF [4 (x)]>>>>', { 4: '<<>>' }, [false, false]],
    ['one off in print', '<</OCGs [4 0 R]>>', { 4: PRINT('OFF') }, [false, true]],
    ['one on in print', '<</OCGs [4 0 R]>>', { 4: PRINT('ON') }, [false, false]],
    ['one off on screen', '<</OCGs [4 0 R]>>', { 4: VIEW('OFF') }, [true, true]],
    ['one off and on in print', '<</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>', { 4: PRINT('ON') }, [true, true]],
    ['one off and on on screen', '<</OCGs [4 0 R] /D <</OFF [4 0 R]>>>>', { 4: VIEW('ON') }, [false, true]],
    ['a configuration that is none', '<</OCGs [4 0 R] /D 7>>', { 4: PRINT('ON') }, [false, false]],
    [
      'the second of two, off in print',
      '<</OCGs [4 0 R 5 0 R]>>',
      { 4: '<<>>', 5: PRINT('OFF') },
      [false, true],
    ],
  ])(
    'layers are found to print while hidden, and to vary, or not: %s',
    (_what, properties, layers, expected) => {
      expect(judged(properties, layers)).toEqual(expected);
    },
  );
});
