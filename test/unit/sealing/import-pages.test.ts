import { importPages } from '../../../shared/sealing/import-pages.ts';
import { Increment } from '../../../shared/sealing/increment.ts';
import { PdfRef } from '../../../shared/sealing/pdf/values.ts';
import { openPdf } from '../../../shared/sealing/plan.ts';
import type { DocumentStructure } from '../../../shared/sealing/structure.ts';
import { CATALOG, craft, ONE_PAGE } from './craft.ts';

const WIDGET = new PdfRef(90, 0);
const PARENT = new PdfRef(91, 0);

interface Joined {
  element: string;
  parents: readonly string[];
}

/** The copies of all pages in a file whose next free number is 4, and what joins the structure of that. */
function imported(objects: Record<string, string>, isTagged = false) {
  const increment = new Increment(openPdf(craft({ objects: ONE_PAGE })).file);
  const joined: Joined[] = [];
  const structure: DocumentStructure = {
    parent: new PdfRef(92, 0),
    nextKey: 40,
    extend: (_, element, parents) => joined.push({ element: String(element), parents }),
  };
  const copies = importPages(openPdf(craft({ objects })).file, increment, {
    parent: PARENT,
    widgetOnLastPage: WIDGET,
    structure: isTagged ? structure : null,
  });
  const text = Buffer.concat(increment.chunks).toString('latin1');
  const written = [...text.matchAll(/(\d+) 0 obj\n(.*?)\nendobj\n/gs)];
  return {
    pages: copies.map(({ num }) => num),
    objects: Object.fromEntries(written.map(([, num = '', content = '']) => [num, content])),
    joined,
  };
}

const page = (entries: string) => ({
  1: CATALOG,
  2: '<</Type /Pages /Kids [3 0 R] /Count 1>>',
  3: `<</Type /Page /Parent 2 0 R ${entries}>>`,
});

const BOX = '/MediaBox [0 0 9 9]';
const WHOLE = `${BOX}/CropBox [0 0 8 8]/Rotate 90/Resources <<>>`;

describe('the copy of a page', () => {
  it('a copied page has the new parent, renumbered references, and the widget', () => {
    const { pages, objects } = imported({
      ...page(`${WHOLE}/Contents [20 0 R 21 0 R]/Deep <</In [<</Here 21 0 R>>]>>`),
      20: '<</Length 5/Next 22 0 R>>\nstream\nq 1 Q\nendstream',
      21: '[22 0 R 3 0 R 2.50 (21 0 R)]',
      22: '<</Name /N#41>>',
    });
    expect(pages).toEqual([4]);
    expect(objects).toEqual({
      4: `<</Type /Page /Parent  91 0 R ${WHOLE}/Contents [5 0 R 6 0 R]/Deep <</In [<</Here 6 0 R>>]>>\n/Annots [90 0 R]>>`,
      5: '<</Length 5/Next 7 0 R>>\nstream\nq 1 Q\nendstream',
      6: '[7 0 R 4 0 R 2.50 (21 0 R)]',
      7: '<</Name /N#41>>',
    });
  });

  it('a copied page has its inherited entries as written, and defaults for the others', () => {
    const { objects } = imported({
      ...page(''),
      2: `<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [1 0 0 1]${BOX} /Resources <</Font 20 0 R>> /Rotate 180>>`,
      20: 'null',
    });
    expect(objects[4]).toBe(
      '<</Type /Page /Parent  91 0 R \n/MediaBox [0 0 9 9]\n/CropBox [0 0 9 9]\n/Rotate 180\n/Resources <</Font 5 0 R>>\n/Annots [90 0 R]>>',
    );
    const plain = imported(page(BOX)).objects[4];
    expect(plain).toBe(
      `<</Type /Page /Parent  91 0 R ${BOX}\n/CropBox [0 0 9 9]\n/Rotate 0\n/Resources <<>>\n/Annots [90 0 R]>>`,
    );
    const cropped = imported({
      ...page(BOX),
      2: '<</Type /Pages /Kids [3 0 R] /Count 1 /CropBox [2 2 7 7]>>',
    }).objects[4];
    expect(cropped).toContain('\n/CropBox [2 2 7 7]\n');
  });

  it('a page without a size cannot be copied', () => {
    expect(() => imported(page(''))).toThrow('no MediaBox');
  });

  it('a copied page keeps its annotations', () => {
    const { objects } = imported({
      ...page(`${WHOLE}/Annots 20 0 R`),
      20: '[21 0 R <</A 22 0 R>>]',
      21: '<</B 3 0 R>>',
      22: '7',
    });
    expect(objects).toEqual({
      4: `<</Type /Page /Parent  91 0 R ${WHOLE}/Annots  [5 0 R <</A 6 0 R>> 90 0 R]>>`,
      5: '<</B 4 0 R>>',
      6: '7',
    });
  });

  it('only the last copied page has the widget', () => {
    const { pages, objects } = imported({
      ...page(`${WHOLE}/Annots []`),
      2: '<</Type /Pages /Kids [3 0 R 4 0 R] /Count 2>>',
      4: `<</Type /Page /Parent 2 0 R ${WHOLE}>>`,
    });
    expect(pages).toEqual([4, 5]);
    expect(objects).toEqual({
      4: `<</Type /Page /Parent  91 0 R ${WHOLE} >>`,
      5: `<</Type /Page /Parent  91 0 R ${WHOLE}\n/Annots [90 0 R]>>`,
    });
  });

  it.each(['null', 'true', '-2.5', '/Na#6de', '/A#20#23\xfc', '(text)', '<FF>', '[1]', '21 0 R'])(
    'may refer to an object that is %s',
    (written) => {
      const { objects } = imported({ ...page(`${WHOLE}/X 20 0 R`), 20: written, 21: '(other)' });
      const copies: Record<string, string> = {
        '/Na#6de': '/Name',
        '/A#20#23\xfc': '/A#20#23#fc',
        '21 0 R': '6 0 R',
      };
      expect(objects[5]).toBe(copies[written] ?? written);
      if (written === '21 0 R') expect(objects[6]).toBe('(other)');
    },
  );
});

describe('the structure of the pages', () => {
  const tagged = (root: string, others: Record<string, string> = {}) => ({
    ...page(`${WHOLE}/StructParents 1`),
    1: `<</Type /Catalog /Pages 2 0 R /StructTreeRoot ${root}>>`,
    20: '<</S /Document/P 22 0 R/K [21 0 R]>>',
    21: '<</S /P/P 20 0 R/Pg 3 0 R/K 0>>',
    22: '<</K 20 0 R/ParentTree <</Nums [0 23 0 R 1 24 0 R]>>>>',
    23: '[21 0 R]',
    24: '[21 0 R 21 0 R]',
    ...others,
  });

  it('the structure of copied pages joins that of the document, under keys that are free there', () => {
    const { objects, joined } = imported(tagged('22 0 R'), true);
    expect(objects).toEqual({
      4: `<</Type /Page /Parent  91 0 R ${WHOLE}/StructParents  41\n/Annots [90 0 R]>>`,
      5: '<</S /Document/P  92 0 R/K [6 0 R]>>',
      6: '<</S /P/P 5 0 R/Pg 4 0 R/K 0>>',
      7: '[6 0 R]',
      8: '[6 0 R 6 0 R]',
    });
    expect(joined).toEqual([{ element: '5 0 R', parents: ['7 0 R', '8 0 R'] }]);
  });

  it.each<[string, boolean, Record<string, string>]>([
    ['the document has none', false, tagged('22 0 R')],
    ['it is missing', true, tagged('null')],
    ['it is no dictionary', true, tagged('7')],
    ['its root names no element', true, tagged('22 0 R', { 22: '<</K [20 0 R]/ParentTree <</Nums []>>>>' })],
    ['its tree has no entries', true, tagged('22 0 R', { 22: '<</K 20 0 R/ParentTree <<>>>>' })],
  ])('the structure of copied pages is left out if %s', (_, isTagged, objects) => {
    const { objects: copies, joined } = imported(objects, isTagged);
    expect(copies).toEqual({ 4: `<</Type /Page /Parent  91 0 R ${WHOLE} \n/Annots [90 0 R]>>` });
    expect(joined).toEqual([]);
  });
});
