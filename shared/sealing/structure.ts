import type { Increment } from './increment.ts';
import { type Edit, extendedArray, setEntry, sourceText, withEdits, writtenBytes } from './pdf/edit.ts';
import type { PdfFile } from './pdf/file.ts';
import { PdfRefusal } from './pdf/refusal.ts';
import { isWholeNumber, PdfArray, PdfDict, PdfRef, type PdfValue } from './pdf/values.ts';
import { openPdf, type SealPlan, writtenAnew } from './plan.ts';

/**
 * The structure of a tagged document, such as Word makes (ISO 32000-1, 14.7). Added pages join it: a screen reader that
 * follows the structure would find them empty otherwise.
 */
export interface DocumentStructure {
  readonly root: PdfRef;
  /** The first key in /ParentTree that is free, with all after it. */
  readonly nextKey: number;
  /** Writes the tree with one more element, and with the entries of so many pages from `nextKey` on. */
  extend(increment: Increment, element: PdfRef, parents: readonly string[]): void;
}

/**
 * Null for a document without structure, and for one that is unusual or damaged: its pages show the same without. Read
 * apart from the rest, since what is wrong with a structure never keeps a document from being sealed.
 */
export function readStructure(plan: SealPlan): DocumentStructure | null {
  if (plan.catalog.dict.get('StructTreeRoot') === null) return null;
  try {
    const { file, catalog } = openPdf(plan.file.bytes);
    const structure = structureOf(file, catalog.dict.get('StructTreeRoot'), writtenAnew(plan));
    const isClear =
      !file.hasWrongGeneration && !file.hasTwoValues && file.largestReference < file.xref.nextNumber;
    return isClear ? structure : null;
  } catch (error) {
    if (error instanceof PdfRefusal) return null;
    throw error;
  }
}

/** Of 32 bits, as readers count, with room for the pages that are added. */
const LARGEST_KEY = 2 ** 31 - 1_000;

/** Of root, tree and their lists together; of a larger structure the added pages are left out. */
const MAX_BYTES = 1024 * 1024;

/** The root keeps its number, which the elements name, and so must be what the catalog itself names: see `changingObjects`. */
function structureOf(file: PdfFile, ref: PdfValue, taken: ReadonlySet<number>): DocumentStructure | null {
  if (!(ref instanceof PdfRef) || taken.has(ref.num) || file.isHidden(ref)) return null;
  const root = file.object(ref);
  const tree = root instanceof PdfDict ? file.resolve(root.get('ParentTree')) : null;
  if (!(root instanceof PdfDict && tree instanceof PdfDict)) return null;
  const entries = lastEntries(file, tree);
  const kids = file.resolve(root.get('K'));
  if (!entries || !(kids instanceof PdfArray || kids instanceof PdfDict)) return null;
  const declared = file.resolve(root.get('ParentTreeNextKey'));
  const nextKey = Math.max(entries.lastKey + 1, isWholeNumber(declared) ? declared : 0);
  if (nextKey > LARGEST_KEY || writtenBytes([root, kids, tree, entries.list]) > MAX_BYTES) return null;
  return {
    root: ref,
    nextKey,
    extend(increment, element, parents) {
      const pairs = parents.map((parent, index) => `${nextKey + index} ${parent}`).join('\n');
      const treeEdits = entries.adding(increment, pairs, nextKey, nextKey + parents.length - 1);
      // Written as another object: the old one may be something else as well, such as a node of the page tree.
      const newTree = increment.newRef();
      increment.put(newTree, ...withEdits(tree, treeEdits));
      const edits = [
        ...setEntry(root, 'K', withOneMore(root.get('K'), kids, element)),
        ...setEntry(root, 'ParentTree', String(newTree)),
        ...setEntry(root, 'ParentTreeNextKey', String(nextKey + parents.length)),
      ];
      increment.put(ref, ...withEdits(root, edits));
    },
  };
}

function withOneMore(value: PdfValue, kids: PdfArray | PdfDict, element: PdfRef): string {
  if (kids instanceof PdfArray) return extendedArray(kids, String(element));
  return `[${value instanceof PdfRef ? value : sourceText(kids, kids.from, kids.to)} ${element}]`;
}

interface Entries {
  list: PdfArray;
  lastKey: number;
  adding(increment: Increment, pairs: string, first: number, last: number): Edit[];
}

/** The end of a number tree (ISO 32000-1, 7.9.7): of its own entries, or of the last of its kids. */
function lastEntries(file: PdfFile, tree: PdfDict): Entries | null {
  const [nums, kids] = [file.resolve(tree.get('Nums')), file.resolve(tree.get('Kids'))];
  if (nums instanceof PdfArray && kids === null) {
    const lastKey = file.resolve(nums.items.at(-2)?.value ?? null);
    if (!isWholeNumber(lastKey)) return null;
    return { list: nums, lastKey, adding: (_, pairs) => setEntry(tree, 'Nums', extendedArray(nums, pairs)) };
  }
  if (!(kids instanceof PdfArray) || nums !== null) return null;
  const last = file.resolve(kids.items.at(-1)?.value ?? null);
  const limits = last instanceof PdfDict ? file.resolve(last.get('Limits')) : null;
  const lastKey = limits instanceof PdfArray ? file.resolve(limits.items[1]?.value ?? null) : null;
  if (!isWholeNumber(lastKey)) return null;
  return {
    list: kids,
    lastKey,
    adding(increment, pairs, first, end) {
      const leaf = increment.newRef();
      increment.put(leaf, `<</Limits [${first} ${end}] /Nums [${pairs}]>>`);
      return setEntry(tree, 'Kids', extendedArray(kids, String(leaf)));
    },
  };
}
