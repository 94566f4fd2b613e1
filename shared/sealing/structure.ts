import { attempt } from './faults.ts';
import type { Increment } from './increment.ts';
import { type Edit, extendedArray, setEntry, sourceText, withEdits, writtenBytes } from './pdf/edit.ts';
import type { PdfFile } from './pdf/file.ts';
import { readTextString } from './pdf/text.ts';
import { isName, isWholeNumber, PdfArray, PdfDict, PdfRef, PdfString, type PdfValue } from './pdf/values.ts';
import { walk } from './pdf/walk.ts';
import { openPdf, type SealPlan, writtenAnew } from './plan.ts';

/**
 * The structure of a tagged document, such as Word makes (ISO 32000-1, 14.7). Added pages join it: a screen reader that
 * follows the structure would find them empty otherwise.
 */
export interface DocumentStructure {
  /** The parent of the added element. */
  readonly parent: PdfRef;
  /** The first key in /ParentTree that is free, with all after it. */
  readonly nextKey: number;
  /** Writes the tree with one more element, and with the entries of so many pages from `nextKey` on. */
  extend(increment: Increment, element: PdfRef, parents: readonly string[]): void;
}

/**
 * Null if the document has no structure, or an unusual or damaged one: pages show the same without it. Uses a reader of its own,
 * because a damaged structure must not prevent sealing.
 */
export function readStructure(plan: SealPlan): DocumentStructure | null {
  if (plan.catalog.dict.get('StructTreeRoot') === null) return null;
  const structure = attempt(() => {
    const { file, catalog } = openPdf(plan.file.bytes);
    const found = structureOf(file, catalog.dict.get('StructTreeRoot'), writtenAnew(plan));
    const isClear = file.unclear === null && file.largestReference < file.xref.nextNumber;
    return isClear ? found : null;
  });
  return structure ?? null;
}

/** Readers use 32-bit keys; leaves room for the added pages. */
const LARGEST_KEY = 2 ** 31 - 1_000;

/** For root, tree and their lists together. Added pages do not join a larger structure. */
const MAX_BYTES = 1024 * 1024;

/** Elements refer to the root, so it keeps its number and must be what the catalog refers to directly: see `changingObjects`. */
function structureOf(file: PdfFile, ref: PdfValue, taken: ReadonlySet<number>): DocumentStructure | null {
  if (!(ref instanceof PdfRef) || taken.has(ref.num) || file.isHidden(ref)) return null;
  const root = file.object(ref);
  const tree = root instanceof PdfDict ? file.resolve(root.get('ParentTree')) : null;
  if (!(root instanceof PdfDict && tree instanceof PdfDict)) return null;
  if (hasOtherRoles(file, root.get('RoleMap'))) return null;
  const entries = lastEntries(file, tree);
  const kids = file.resolve(root.get('K'));
  if (!entries || !(kids instanceof PdfArray || kids instanceof PdfDict)) return null;
  const declared = file.resolve(root.get('ParentTreeNextKey'));
  const largest = largestKey(file, tree);
  if (largest === null) return null;
  const nextKey = Math.max(largest + 1, isWholeNumber(declared) ? declared : 0);
  const sole = soleDocument(file, kids, root.get('K'));
  const parent =
    sole && sole.ref.num !== ref.num && !taken.has(sole.ref.num) ? sole : { ref, dict: root, kids };
  const written = [root, kids, tree, entries.list, parent.dict, parent.kids];
  if (nextKey > LARGEST_KEY || writtenBytes(written) > MAX_BYTES) return null;
  return {
    parent: parent.ref,
    nextKey,
    extend(increment, element, parents) {
      const pairs = parents.map((list, index) => `${nextKey + index} ${list}`).join('\n');
      const treeEdits = entries.adding(increment, pairs, nextKey, nextKey + parents.length - 1);
      // The tree gets a new object: the old one may have another role too, such as a node of the page tree.
      const newTree = increment.newRef();
      increment.put(newTree, ...withEdits(tree, treeEdits));
      const kidEdits = setEntry(parent.dict, 'K', withOneMore(parent.dict.get('K'), parent.kids, element));
      const edits = [
        ...setEntry(root, 'ParentTree', String(newTree)),
        ...setEntry(root, 'ParentTreeNextKey', String(nextKey + parents.length)),
        ...(parent.dict === root ? kidEdits : []),
      ];
      if (parent.dict !== root) increment.put(parent.ref, ...withEdits(parent.dict, kidEdits));
      increment.put(ref, ...withEdits(root, edits));
    },
  };
}

const PDF_2 = 'http://iso.org/pdf2/ssn';

/**
 * The one element of a document by PDF 2.0, which wants no other at its root (ISO/TS 32005). Pages could draw with it too, but with
 * no list that begins with a dictionary, so they look the same when its list grows.
 */
function soleDocument(
  file: PdfFile,
  ofRoot: PdfArray | PdfDict,
  value: PdfValue,
): { ref: PdfRef; dict: PdfDict; kids: PdfArray } | null {
  const [ref = null, ...more] = ofRoot instanceof PdfArray ? ofRoot.items.map((item) => item.value) : [value];
  if (!(ref instanceof PdfRef) || more.length > 0) return null;
  const dict = file.object(ref);
  const kids = dict instanceof PdfDict ? file.resolve(dict.get('K')) : null;
  if (!(dict instanceof PdfDict && kids instanceof PdfArray)) return null;
  const namespace = file.entry(dict.get('NS'), 'NS');
  const isOfPdf2 = namespace instanceof PdfString && readTextString(namespace.raw) === PDF_2;
  const hasElements = file.resolve(kids.items[0]?.value ?? null) instanceof PdfDict;
  return isOfPdf2 && hasElements && isName(file.resolve(dict.get('S')), 'Document')
    ? { ref, dict, kids }
    : null;
}

/** The types of our elements (`typesetting/structure.ts`). */
const OUR_ROLES = 'Document H1 H2 P Figure Table TR TH TD L LI LBody'.split(' ');

/** A document may remap standard types (ISO 32000-1, 14.8.4.1), which would change what our elements are read out as. */
function hasOtherRoles(file: PdfFile, value: PdfValue): boolean {
  const map = file.resolve(value);
  if (!(map instanceof PdfDict)) return map !== null;
  return OUR_ROLES.some((role) => {
    const other = file.resolve(map.get(role));
    return other !== null && !isName(other, role);
  });
}

function withOneMore(value: PdfValue, kids: PdfArray | PdfDict, element: PdfRef): string {
  if (kids instanceof PdfArray) return extendedArray(kids, String(element));
  return `[${value instanceof PdfRef ? value : sourceText(kids, kids.from, kids.to)} ${element}]`;
}

/**
 * The largest key anywhere in a number tree: if the tree is unsorted, a program could otherwise find an entry of the document
 * for the key of an added page. Null if a key is not a whole number.
 */
function largestKey(file: PdfFile, tree: PdfDict): number | null {
  const visited = new Set<number>();
  const waiting: PdfValue[] = [tree];
  let largest = -1;
  for (const { object: node } of walk(file, waiting, visited, 'a number tree is too large')) {
    if (!(node instanceof PdfDict)) continue;
    const keys = [
      ...file.items(node.get('Limits')),
      ...file.items(node.get('Nums')).filter((_, index) => index % 2 === 0),
    ];
    for (const value of keys) {
      const key = file.resolve(value);
      if (!isWholeNumber(key)) return null;
      largest = Math.max(largest, key);
    }
    for (const kid of file.items(node.get('Kids'))) waiting.push(kid);
  }
  return largest;
}

interface Entries {
  list: PdfArray;
  adding(increment: Increment, pairs: string, first: number, last: number): Edit[];
}

/** The end of a number tree (ISO 32000-1, 7.9.7), for more entries: its own list, or a leaf after its last kid. */
function lastEntries(file: PdfFile, tree: PdfDict): Entries | null {
  const [nums, kids] = [file.resolve(tree.get('Nums')), file.resolve(tree.get('Kids'))];
  if (nums instanceof PdfArray && kids === null) {
    if (nums.items.length < 2) return null;
    return { list: nums, adding: (_, pairs) => setEntry(tree, 'Nums', extendedArray(nums, pairs)) };
  }
  if (!(kids instanceof PdfArray) || nums !== null) return null;
  const limits = file.entry(kids.items.at(-1)?.value ?? null, 'Limits');
  if (file.items(limits).length !== 2) return null;
  return {
    list: kids,
    adding(increment, pairs, first, end) {
      const leaf = increment.newRef();
      increment.put(leaf, `<</Limits [${first} ${end}] /Nums [${pairs}]>>`);
      return setEntry(tree, 'Kids', extendedArray(kids, String(leaf)));
    },
  };
}
