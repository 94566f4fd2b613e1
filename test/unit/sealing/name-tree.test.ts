import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { nameTreeValues } from '../../../shared/sealing/pdf/name-tree.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { withCatalog } from './marked-page.ts';

/** The values, which are numbers, of a tree whose root is object 10. */
function valuesOf(nodes: Record<number, string>): unknown[] {
  const objects = { ...ONE_PAGE, 1: withCatalog('/Names <</Dests 10 0 R>>'), ...nodes };
  return [...nameTreeValues(new PdfFile(craft({ objects }), new Budget(inflate)), 'Dests')].toSorted();
}

describe('the values of a name tree', () => {
  it.each<[string, Record<number, string>, number[]]>([
    ['stand after their names', { 10: '<</Names [(a) 1 (b) 2]>>' }, [1, 2]],
    [
      'are found in all nodes below',
      {
        10: '<</Kids [11 0 R 12 0 R]>>',
        11: '<</Names [(a) 1]>>',
        12: '<</Kids 13 0 R>>',
        13: '[14 0 R <</Names [(c) 3]>>]',
        14: '<</Names 15 0 R>>',
        15: '[(b) 2]',
      },
      [1, 2, 3],
    ],
    [
      'are found once where nodes lead in a circle',
      { 10: '<</Kids [11 0 R 11 0 R]>>', 11: '<</Names [(a) 1] /Kids [10 0 R 11 0 R]>>' },
      [1],
    ],
    ['lack a name without one', { 10: '<</Names [(a) 1 (b)]>>' }, [1]],
    ['do not count what is no node', { 10: '<</Kids [(text) 11 0 R 99 0 R] /Names 7>>', 11: '[(a) 1]' }, []],
    ['are none without a tree', {}, []],
  ])('%s', (_, nodes, values) => {
    expect(valuesOf(nodes)).toEqual(values);
  });

  it('are too many to read if a list is shared by very many nodes', () => {
    const names = `[${'(a) 1 '.repeat(1_000)}]`;
    const kids = `[${'<</Names 11 0 R>> '.repeat(10_000)}]`;
    expect(() => valuesOf({ 10: `<</Kids ${kids}>>`, 11: names })).toThrow('too many steps');
  });
});
