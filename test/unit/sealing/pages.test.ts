import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget, LIMITS } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { Inheritance, readPageTree } from '../../../shared/sealing/pdf/pages.ts';
import { PdfRef } from '../../../shared/sealing/pdf/values.ts';
import { CATALOG, craft } from './craft.ts';
import { codeOf } from './inspected.ts';

const TREE = {
  1: CATALOG,
  2: '<</Type /Pages /Kids [3 0 R 4 0 R] /Count 3>>',
  3: '<</Type /Pages /Parent 2 0 R /Kids [5 0 R] /Count 1>>',
  4: '<</Type /Pages /Parent 2 0 R /Kids [6 0 R 7 0 R] /Count 2>>',
  5: '<</Type /Page /Parent 3 0 R /MediaBox [0 0 9 9]>>',
  6: '<</Type /Page /Parent 4 0 R /MediaBox [0 0 9 9]>>',
  7: '<</Type /Page /Parent 4 0 R /MediaBox [0 0 9 9]>>',
  8: '<</Rotate 90>>',
};

const fileWith = (objects: Record<string, string>) =>
  new PdfFile(craft({ objects: { ...TREE, ...objects } }), new Budget(inflate));

const treeOf = (objects: Record<string, string>) => readPageTree(fileWith(objects));

const OWN = '/MediaBox [0 0 9 9] /CropBox [0 0 9 9] /Resources <<>> /Rotate 0';

describe('a page tree', () => {
  it('lists its pages in order, and knows all its nodes', () => {
    const { pages, nodes, root } = treeOf({});
    expect(pages.map(({ num }) => num)).toEqual([5, 6, 7]);
    expect([...nodes].sort()).toEqual([2, 3, 4, 5, 6, 7]);
    expect(root.num).toBe(2);
  });

  it.each<[string, Record<string, string>]>([
    ['its pages name the nodes that list them', {}],
    [
      'a page without a parent has all that others inherit',
      { 5: `<<${OWN}>>`, 2: `${TREE[2].slice(0, -2)} ${OWN}>>` },
    ],
    ['a page with another parent has all that it could inherit', { 5: `<</Parent 8 0 R ${OWN}>>` }],
    [
      'pages inherit from the nodes that list them',
      { 2: `${TREE[2].slice(0, -2)} /Resources <<>>>>`, 4: `${TREE[4].slice(0, -2)} /Rotate 90>>` },
    ],
    ['a page without a parent could inherit nothing', { 5: '<</MediaBox [0 0 9 9]>>' }],
    [
      'a list of pages is empty',
      {
        4: '<</Type /Pages /Parent 2 0 R /Kids [6 0 R 7 0 R 9 0 R] /Count 2>>',
        9: '<</Type /Pages /Parent 4 0 R /Kids [] /Count 0>>',
      },
    ],
  ])('is the same for all programs if %s', (_, objects) => {
    expect(treeOf(objects).ambiguity).toBeNull();
  });

  it.each<[string, Record<string, string>]>([
    [
      'its counts are wrong, though their sum is not',
      { 3: TREE[3].replace('/Count 1', '/Count 2'), 4: TREE[4].replace('/Count 2', '/Count 1') },
    ],
    ['a count is missing', { 3: TREE[3].replace('/Count 1', '') }],
    [
      'a page lacks what the node that lists it has, and names another',
      { 3: `${TREE[3].slice(0, -2)} /Rotate 90>>`, 5: '<</Parent 2 0 R /MediaBox [0 0 9 9]>>' },
    ],
    [
      'a page lacks what its root has, and names no parent',
      { 2: `${TREE[2].slice(0, -2)} /Resources <<>>>>`, 5: '<</MediaBox [0 0 9 9]>>' },
    ],
    [
      'a page lacks what another node has, which it names as its parent',
      { 5: '<</Parent 8 0 R /MediaBox [0 0 9 9]>>' },
    ],
    [
      'a list of pages lacks what another node has, which it names as its parent',
      { 3: TREE[3].replace('2 0 R', '8 0 R') },
    ],
    [
      'the parent of a page is no reference',
      {
        2: `${TREE[2].slice(0, -2)} /CropBox [0 0 5 5]>>`,
        5: '<</Parent <</CropBox [0 0 4 4]>> /MediaBox [0 0 9 9]>>',
      },
    ],
    [
      'its root names a parent, which has what the root lacks',
      { 2: `${TREE[2].slice(0, -2)} /Parent 8 0 R>>` },
    ],
  ])('is refused, since programs show different pages, if %s', (_, objects) => {
    expect(treeOf(objects).ambiguity).not.toBeNull();
    expect(codeOf(craft({ objects: TREE }))).toBe('ok');
    expect(codeOf(craft({ objects: { ...TREE, ...objects } }))).toBe('pdf_damaged');
  });

  it.each<[string, string]>([
    ['ok', '90'],
    ['ok', '-90'],
    ['ok', '450'],
    ['ok', '9 0 R'],
    ['ok', 'null'],
    ['ok', '0.0'],
    ['pdf_damaged', '90.0'],
    ['pdf_damaged', '10 0 R'],
    ['pdf_damaged', '45'],
    ['pdf_damaged', '4294967370'],
  ])('intake answers %s if it turns its pages by %s', (code, turn) => {
    const turned = { 2: `${TREE[2].slice(0, -2)} /Rotate ${turn}>>`, 9: '90', 10: '90.0' };
    expect(codeOf(craft({ objects: { ...TREE, ...turned } }))).toBe(code);
  });

  /** Nodes of a tree below one another, with a page at the end. */
  const deep = (levels: number): Record<string, string> => {
    const nodes = Array.from({ length: levels }, (_, level): [string, string] => [
      `${100 + level}`,
      `<</Type /Pages /Parent ${level === 0 ? 2 : 99 + level} 0 R /Kids [${level === levels - 1 ? 5 : 101 + level} 0 R] /Count 1>>`,
    ]);
    return {
      ...Object.fromEntries(nodes),
      2: '<</Type /Pages /Kids [100 0 R] /Count 1>>',
      5: TREE[5].replace('3 0 R', `${99 + levels} 0 R`),
    };
  };

  it.each<[string, string, Record<string, string>]>([
    ['pdf_damaged', 'the catalog holds it itself', { 1: `<</Type /Catalog /Pages ${TREE[2]}>>` }],
    ['pdf_damaged', 'it is a page', { 1: CATALOG.replace('2 0 R', '5 0 R') }],
    ['pdf_damaged', 'a list holds a page itself', { 3: TREE[3].replace('5 0 R', TREE[5]) }],
    ['pdf_damaged', 'a list has itself below it', { 3: TREE[3].replace('5 0 R', '2 0 R') }],
    ['pdf_damaged', 'its count is wrong', { 2: TREE[2].replace('/Count 3', '/Count 2') }],
    ['pdf_damaged', 'a page says that it is a list', { 5: TREE[5].replace('/Page', '/Pages') }],
    [
      'pdf_no_pages',
      'no list has a page',
      { 2: '<</Type /Pages /Kids [8 0 R] /Count 0>>', 8: '<</Type /Pages /Parent 2 0 R /Kids [] /Count 0>>' },
    ],
    ['pdf_too_complex', 'it is too deep', deep(LIMITS.depth)],
    ['ok', 'it is as deep as it may be', deep(LIMITS.depth - 1)],
  ])('intake answers %s if %s', (code, _, objects) => {
    expect(codeOf(craft({ objects: { ...TREE, ...objects } }))).toBe(code);
  });
});

it('a page inherits what it lacks from the nearest node above that has it, whatever page was asked for before', () => {
  const file = fileWith({
    2: `${TREE[2].slice(0, -2)} /MediaBox [2] /CropBox [2] /Rotate 2>>`,
    4: `${TREE[4].slice(0, -2)} /CropBox [4] /Rotate 4>>`,
    5: '<</Type /Page /Parent 3 0 R>>',
    6: '<</Type /Page /Parent 4 0 R /Rotate 6>>',
    7: '<</Type /Page /Parent 4 0 R>>',
  });
  const inheritance = new Inheritance(file);
  const holders = (num: number) => {
    const found = inheritance.of(file.dict(new PdfRef(num, 0), 'a page'));
    return [...found].map(([key, { from }]) => `${key} ${/\d+(?= 0 obj\s*$)/.exec(textBefore(from))}`);
  };
  const textBefore = (at: number) => Buffer.from(file.bytes.subarray(0, at)).toString('latin1');
  for (const _again of [1, 2]) {
    expect(holders(6)).toEqual(['Rotate 6', 'CropBox 4', 'MediaBox 2']);
    expect(holders(7)).toEqual(['CropBox 4', 'Rotate 4', 'MediaBox 2']);
    expect(holders(5)).toEqual(['MediaBox 2', 'CropBox 2', 'Rotate 2']);
  }
});
