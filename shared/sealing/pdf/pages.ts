import { LIMITS } from './budget.ts';
import type { PdfFile } from './file.ts';
import { damaged, PdfRefusal, tooComplex } from './refusal.ts';
import { isName, PdfDict, PdfRef, type PdfValue } from './values.ts';

export interface PageTree {
  root: PdfRef;
  rootDict: PdfDict;
  pages: PdfRef[];
  /** Numbers of the pages and of the nodes above them. */
  nodes: ReadonlySet<number>;
  /** True if a node says that it is a page and lists others, or the opposite: programs take it for the one or the other. */
  isAmbiguous: boolean;
}

/** Walks the whole page tree, so that a missing page, a loop or a wrong count is found at intake. */
export function readPageTree(file: PdfFile, catalog: PdfDict): PageTree {
  const root = catalog.get('Pages');
  if (!(root instanceof PdfRef)) throw damaged('the catalog names no page tree');
  const rootDict = file.dict(root, 'the page tree');
  const pages: PdfRef[] = [];
  const visited = new Set<number>();
  let isAmbiguous = false;
  const waiting: { ref: PdfValue; depth: number }[] = [{ ref: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { ref, depth } = next;
    if (!(ref instanceof PdfRef)) throw damaged('a page is not a reference');
    if (depth > LIMITS.depth) throw tooComplex('the page tree is too deep');
    if (visited.has(ref.num)) throw damaged('the page tree lists a page twice');
    visited.add(ref.num);
    if (visited.size > LIMITS.pages) throw tooComplex('too many pages');
    const node = file.dict(ref, 'a page');
    const kids = file.array(node.get('Kids'), 'the list of pages');
    if (isName(file.resolve(node.get('Type')), kids === null ? 'Pages' : 'Page')) isAmbiguous = true;
    if (kids === null) pages.push(ref);
    else for (const kid of [...kids.items].reverse()) waiting.push({ ref: kid.value, depth: depth + 1 });
    if (waiting.length > LIMITS.pages) throw tooComplex('too many pages');
  }
  if (pages.length === 0) throw new PdfRefusal('pdf_no_pages', 'the page tree has no leaf');
  if (pages[0] === root) throw damaged('the root of the page tree is a page');
  const count = file.resolve(rootDict.get('Count'));
  if (count !== pages.length)
    throw damaged(`the page tree counts ${String(count)} pages and has ${pages.length}`);
  return { root, rootDict, pages, nodes: visited, isAmbiguous };
}

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/** The inheritable attributes of a page, each with the dictionary that holds it. */
export function inheritedAttributes(file: PdfFile, page: PdfDict): Map<string, PdfDict> {
  const found = new Map<string, PdfDict>();
  let node: PdfDict | null = page;
  for (let depth = 0; node !== null; depth += 1) {
    if (depth > LIMITS.depth) throw damaged('the page tree is too deep');
    for (const key of INHERITABLE) {
      if (!found.has(key) && node.get(key) !== null) found.set(key, node);
    }
    const parent = file.resolve(node.get('Parent'));
    node = parent instanceof PdfDict ? parent : null;
  }
  return found;
}
