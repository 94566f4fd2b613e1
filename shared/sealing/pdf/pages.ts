import { LIMITS } from './budget.ts';
import type { PdfFile } from './file.ts';
import { damaged, PdfRefusal, tooComplex } from './refusal.ts';
import { hasPoint, isName, PdfDict, PdfRef, type PdfValue } from './values.ts';

export interface PageTree {
  root: PdfRef;
  rootDict: PdfDict;
  pages: PdfRef[];
  /** Numbers of the pages and of the nodes above them. */
  nodes: ReadonlySet<number>;
  /** A reason for which programs find different pages, or draw them differently; null if there is none. */
  ambiguity: string | null;
}

const INHERITABLE = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const;

/** Walks the whole page tree, so that a missing page, a loop or a wrong count is found at intake. */
export function readPageTree(file: PdfFile): PageTree {
  const root = file.catalog.get('Pages');
  if (!(root instanceof PdfRef)) throw damaged('the catalog names no page tree');
  const rootDict = file.dict(root, 'the page tree');
  const tree = new Tree(file);
  tree.visit(root, null, new Set(), 0);
  const { pages, nodes, ambiguity } = tree;
  if (pages.length === 0) throw new PdfRefusal('pdf_no_pages', 'the page tree has no leaf');
  if (pages[0] === root) throw damaged('the root of the page tree is a page');
  const count = file.resolve(rootDict.get('Count'));
  if (count !== pages.length)
    throw damaged(`the page tree counts ${String(count)} pages and has ${pages.length}`);
  return { root, rootDict, pages, nodes, ambiguity };
}

class Tree {
  readonly #file: PdfFile;
  readonly pages: PdfRef[] = [];
  readonly nodes = new Set<number>();
  ambiguity: string | null = null;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** `above`: the inheritable attributes of the nodes above. */
  visit(ref: PdfValue, parent: PdfRef | null, above: ReadonlySet<string>, depth: number): void {
    if (!(ref instanceof PdfRef)) throw damaged('a page is not a reference');
    if (depth > LIMITS.depth) throw tooComplex('the page tree is too deep');
    if (this.nodes.has(ref.num)) throw damaged('the page tree lists a page twice');
    this.nodes.add(ref.num);
    if (this.nodes.size > LIMITS.pages) throw tooComplex('too many pages');
    const node = this.#file.dict(ref, 'a page');
    const kids = this.#file.array(node.get('Kids'), 'the list of pages');
    if (isName(this.#file.resolve(node.get('Type')), kids === null ? 'Pages' : 'Page'))
      this.ambiguity ??= 'a page lists pages, or a list of pages is empty';
    if (inheritsElsewhere(this.#file, node, parent, above)) this.ambiguity ??= 'a page has another parent';
    if (hasUnclearTurn(this.#file, node)) this.ambiguity ??= 'programs turn a page differently';
    if (kids === null) {
      this.pages.push(ref);
      return;
    }
    const before = this.pages.length;
    const own = INHERITABLE.filter((key) => node.get(key) !== null);
    const all = own.length === 0 ? above : new Set([...above, ...own]);
    for (const kid of kids.items) this.visit(kid.value, ref, all, depth + 1);
    // Some programs, pdf.js among them, find pages by the counts.
    if (this.#file.resolve(node.get('Count')) !== this.pages.length - before)
      this.ambiguity ??= 'a list of pages has a wrong count';
  }
}

/** Programs truncate larger angles differently. */
const MAX_TURN = 36_000;

/** Poppler ignores an angle with a decimal point, as in 90.0, and programs round odd angles differently. */
function hasUnclearTurn(file: PdfFile, node: PdfDict): boolean {
  const turn = file.resolve(node.get('Rotate'));
  // Ignoring a zero makes no difference.
  if (typeof turn !== 'number' || turn === 0) return false;
  return hasPoint(node, 'Rotate') || turn % 90 !== 0 || Math.abs(turn) > MAX_TURN;
}

/**
 * True if /Parent is not the node that lists this one, and one of the two would pass on an attribute: some programs inherit from
 * /Parent, some from the listing node.
 */
function inheritsElsewhere(
  file: PdfFile,
  node: PdfDict,
  parent: PdfRef | null,
  above: ReadonlySet<string>,
): boolean {
  const stated = node.get('Parent');
  const isSame = parent === null ? stated === null : stated instanceof PdfRef && stated.num === parent.num;
  if (isSame) return false;
  const inherited = new Inheritance(file).of(node);
  return INHERITABLE.some((key) => node.get(key) === null && (above.has(key) || inherited.has(key)));
}

export type Attributes = ReadonlyMap<string, PdfDict>;

const NONE: Attributes = new Map();

/** The inheritable attributes of pages, each with the dictionary that holds it. */
export class Inheritance {
  readonly #file: PdfFile;
  /** Kept for the next page, which often has the same parent: that may have thousands of kids, and takes long to read. */
  #last: { parent: PdfRef; attributes: Attributes } | undefined;

  constructor(file: PdfFile) {
    this.#file = file;
  }

  of(node: PdfDict, depth = 0): Attributes {
    if (depth > LIMITS.depth) throw damaged('the page tree is too deep');
    const own = INHERITABLE.flatMap((key) => (node.get(key) === null ? [] : [[key, node] as const]));
    const found = new Map<string, PdfDict>(own);
    for (const [key, holder] of this.#above(node.get('Parent'), depth + 1))
      if (!found.has(key)) found.set(key, holder);
    return found;
  }

  #above(parent: PdfValue, depth: number): Attributes {
    const last = this.#last;
    if (parent instanceof PdfRef && last?.parent.num === parent.num && last.parent.gen === parent.gen)
      return last.attributes;
    const node = this.#file.resolve(parent);
    const attributes = node instanceof PdfDict ? this.of(node, depth) : NONE;
    if (parent instanceof PdfRef) this.#last = { parent, attributes };
    return attributes;
  }
}
