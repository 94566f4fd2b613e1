import { COST } from './pdf/budget.ts';
import type { PdfFile } from './pdf/file.ts';
import type { Attributes } from './pdf/pages.ts';
import { type DictEntry, PdfArray, PdfDict, type PdfValue, type Resolve } from './pdf/values.ts';

/** The entries of an annotation that determine how it is drawn. */
const OF_ANNOTATIONS = ['AP', 'MK', 'OC'];

/** The values that a page and its annotations are drawn with. */
export function drawnValues(
  file: PdfFile,
  page: PdfDict,
  resolve: Resolve,
  inherited: Attributes,
): PdfValue[] {
  const attributes = [...inherited].map(([key, holder]) => holder.get(key));
  const annotations = resolve(page.get('Annots'));
  const items = annotations instanceof PdfArray ? annotations.items : [];
  const ofAnnotations = items.flatMap(({ value }) => {
    // Many pages may share a list.
    file.budget.spend(COST.value);
    const annotation = resolve(value);
    return annotation instanceof PdfDict ? OF_ANNOTATIONS.map((key) => annotation.get(key)) : [];
  });
  return [...attributes, page.get('Contents'), ...ofAnnotations];
}

/** Lists of a page that lead to other pages. In resources an author may give these names to an image. */
const OUT_OF_PAGE: ReadonlySet<string> = new Set(['Kids', 'Annots']);

/** The entries of a page tree node that it may be drawn with, for a page that draws with such a node. */
export const drawnEntries = (node: PdfDict, resolve: Resolve): DictEntry[] =>
  node.entries.filter((entry) => !leadsOut(entry, resolve));

const leadsOut = ({ key, value }: DictEntry, resolve: Resolve): boolean =>
  OUT_OF_PAGE.has(key) && resolve(value) instanceof PdfArray;
