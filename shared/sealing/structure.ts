import type { Increment } from './increment.ts';
import { type Edit, extendedArray, setEntry, sourceText, withEdits } from './pdf/edit.ts';
import type { PdfFile } from './pdf/file.ts';
import { PdfRefusal } from './pdf/refusal.ts';
import {
  isName,
  isWholeNumber,
  PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  type PdfValue,
} from './pdf/values.ts';
import { openPdf, type SealPlan, writtenAnew } from './plan.ts';

/**
 * The structure of a tagged document, such as Word makes (ISO 32000-1, 14.7). Added pages join it: a screen reader that
 * follows the structure would find them empty otherwise.
 */
export interface DocumentStructure {
  /** Of the added element: the document's one element, or the root of the structure. */
  readonly parent: PdfRef;
  readonly isInElement: boolean;
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

function structureOf(file: PdfFile, value: PdfValue, taken: ReadonlySet<number>): DocumentStructure | null {
  const root = changeable(file, value);
  const tree = root && changeable(file, root.dict.get('ParentTree'), root);
  if (root?.ref === undefined || !tree) return null;
  const refs = tree.ref ? [root.ref, tree.ref] : [root.ref];
  if (refs.some((ref) => taken.has(ref.num) || file.isHidden(ref)) || root.ref.num === tree.ref?.num)
    return null;
  const entries = lastEntries(file, tree.dict);
  const kids = file.resolve(root.dict.get('K'));
  if (!entries || !(kids instanceof PdfArray || kids instanceof PdfDict)) return null;
  const declared = file.resolve(root.dict.get('ParentTreeNextKey'));
  const nextKey = Math.max(entries.lastKey + 1, isWholeNumber(declared) ? declared : 0);
  if (nextKey > LARGEST_KEY) return null;
  const { ref, dict } = root;
  const one = onlyElement(file, dict.get('K'));
  const isUsable = one && !taken.has(one.ref.num) && one.ref.num !== ref.num && one.ref.num !== tree.ref?.num;
  const parent = isUsable && !file.isHidden(one.ref) ? one : { ref, dict };
  return {
    parent: parent.ref,
    isInElement: parent.ref !== ref,
    nextKey,
    extend(increment, element, parents) {
      const pairs = parents.map((list, index) => `${nextKey + index} ${list}`).join('\n');
      const treeEdits = entries.adding(increment, pairs, nextKey, nextKey + parents.length - 1);
      const kidEdits = withOneMore(file, parent.dict, element);
      const edits = setEntry(dict, 'ParentTreeNextKey', String(nextKey + parents.length));
      if (tree.ref) increment.put(tree.ref, ...withEdits(tree.dict, treeEdits));
      else edits.push(...treeEdits);
      if (parent.ref === ref) edits.push(...kidEdits);
      else increment.put(parent.ref, ...withEdits(parent.dict, kidEdits));
      increment.put(ref, ...withEdits(dict, edits));
    },
  };
}

/** Elements that hold others, whatever these are (ISO 32000-1, 14.8.4.2). */
const GROUPS = ['Document', 'Part', 'Art', 'Sect', 'Div'];

/** The one element at the root, as PDF 2.0 wants it and most programs write it, if others can join what it holds. */
function onlyElement(file: PdfFile, value: PdfValue): { ref: PdfRef; dict: PdfDict } | null {
  const kids = file.resolve(value);
  const [kid, ...others] = kids instanceof PdfArray ? kids.items.map((item) => item.value) : [value];
  if (!(kid instanceof PdfRef) || others.length > 0) return null;
  const dict = file.resolve(kid);
  if (
    !(dict instanceof PdfDict) ||
    !canHold(file.resolve(dict.get('K'))) ||
    !GROUPS.some((group) => isName(file.resolve(dict.get('S')), group))
  )
    return null;
  return { ref: file.lastReference(kid), dict };
}

/** A dictionary, with the reference to the object that it is; without one inside the dictionary that holds it. */
function changeable(
  file: PdfFile,
  value: PdfValue,
  holder?: { dict: PdfDict },
): { ref?: PdfRef; dict: PdfDict } | null {
  const dict = file.resolve(value);
  if (!(dict instanceof PdfDict)) return null;
  if (value instanceof PdfRef) return { ref: file.lastReference(value), dict };
  return holder ? { dict } : null;
}

const canHold = (kids: PdfObject): boolean =>
  kids === null || isWholeNumber(kids) || kids instanceof PdfArray || kids instanceof PdfDict;

/** The kids of an element: none, one, which may be a number or a dictionary, or a list. */
function withOneMore(file: PdfFile, holder: PdfDict, element: PdfRef): Edit[] {
  const value = holder.get('K');
  const kids = file.resolve(value);
  if (kids === null) return setEntry(holder, 'K', String(element));
  if (kids instanceof PdfArray) return setEntry(holder, 'K', extendedArray(kids, String(element)));
  const one = value instanceof PdfDict ? sourceText(value, value.from, value.to) : String(value);
  return setEntry(holder, 'K', `[${one} ${element}]`);
}

interface Entries {
  lastKey: number;
  adding(increment: Increment, pairs: string, first: number, last: number): Edit[];
}

/** The end of a number tree (ISO 32000-1, 7.9.7): of its own entries, or of the last of its kids. */
function lastEntries(file: PdfFile, tree: PdfDict): Entries | null {
  const [nums, kids] = [file.resolve(tree.get('Nums')), file.resolve(tree.get('Kids'))];
  if (nums instanceof PdfArray && kids === null) {
    const lastKey = file.resolve(nums.items.at(-2)?.value ?? null);
    if (!isWholeNumber(lastKey)) return null;
    return { lastKey, adding: (_, pairs) => setEntry(tree, 'Nums', extendedArray(nums, pairs)) };
  }
  if (!(kids instanceof PdfArray) || nums !== null) return null;
  const last = file.resolve(kids.items.at(-1)?.value ?? null);
  const limits = last instanceof PdfDict ? file.resolve(last.get('Limits')) : null;
  const lastKey = limits instanceof PdfArray ? file.resolve(limits.items[1]?.value ?? null) : null;
  if (!isWholeNumber(lastKey)) return null;
  return {
    lastKey,
    adding(increment, pairs, first, end) {
      const leaf = increment.newRef();
      increment.put(leaf, `<</Limits [${first} ${end}] /Nums [${pairs}]>>`);
      return setEntry(tree, 'Kids', extendedArray(kids, String(leaf)));
    },
  };
}
