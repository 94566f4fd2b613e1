import type { Increment } from './increment.ts';
import { type Edit, removeEntry, setEntry, splice, withEdits } from './pdf/edit.ts';
import type { PdfFile } from './pdf/file.ts';
import { Inheritance, readPageTree } from './pdf/pages.ts';
import { damaged } from './pdf/refusal.ts';
import { PdfArray, PdfDict, PdfRef, PdfStream, type PdfValue } from './pdf/values.ts';
import type { DocumentStructure } from './structure.ts';

/**
 * Copies the pages of another PDF and everything they refer to into the increment: each object keeps its text, only
 * references get new numbers. Inheritable attributes are written out, so the pages inherit nothing from their new tree.
 * The structure of the pages joins the document's, if it has one.
 */
export function importPages(
  source: PdfFile,
  increment: Increment,
  { parent, widgetOnLastPage, structure }: Place,
): PdfRef[] {
  const copies = new Map<number, PdfRef>();
  const waiting: PdfRef[] = [];
  const copyOf = (ref: PdfRef): PdfRef => {
    const known = copies.get(ref.num);
    if (known !== undefined) return known;
    const copy = increment.newRef();
    copies.set(ref.num, copy);
    waiting.push(ref);
    return copy;
  };

  const { pages } = readPageTree(source);
  const own = structure && ownStructure(source);
  const copied = pages.map(copyOf);
  const element = own && copyOf(own.whole);
  waiting.length = 0;
  for (const page of pages) {
    const dict = source.dict(page, 'a page');
    const widget = page === pages.at(-1) ? widgetOnLastPage : undefined;
    const edits = [
      ...pageEdits(source, dict, parent, copyOf),
      ...annotationEdits(source, dict, widget, copyOf),
      ...keyEdits(dict, own && structure),
    ];
    increment.put(copyOf(page), ...splice(dict.source, dict.from, dict.to, edits));
  }
  if (structure && own && element) {
    const dict = source.dict(own.whole, 'the element of all pages');
    const entries = dict.entries.filter(({ key }) => key !== 'P');
    const edits = entries.flatMap(({ value, from, to }) => refEdits(value, from, to, copyOf));
    increment.put(element, ...withEdits(dict, [...edits, ...setEntry(dict, 'P', String(structure.parent))]));
    structure.extend(
      increment,
      element,
      own.parents.map((list) => String(copyOf(list))),
    );
  }
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    increment.put(copyOf(ref), ...copyObject(source, ref, copyOf));
  }
  return copied;
}

interface Place {
  parent: PdfRef;
  widgetOnLastPage: PdfRef;
  /** Null if the document has none. */
  structure: DocumentStructure | null;
}

type CopyOf = (ref: PdfRef) => PdfRef;

interface OwnStructure {
  /** The one element that holds all others. */
  whole: PdfRef;
  /** The lists of each page's elements, by the page's key. */
  parents: readonly PdfRef[];
}

/** The structure that `typesetting/structure.ts` gives its pages. */
function ownStructure(source: PdfFile): OwnStructure | null {
  const root = source.resolve(source.catalog.get('StructTreeRoot'));
  if (!(root instanceof PdfDict)) return null;
  const whole = root.get('K');
  const nums = source.array(
    source.dict(root.get('ParentTree'), 'the tree of parents').get('Nums'),
    'its entries',
  );
  if (!(whole instanceof PdfRef) || nums === null) return null;
  return { whole, parents: nums.items.flatMap(({ value }) => (value instanceof PdfRef ? [value] : [])) };
}

/** New parent, new reference numbers and written-out attributes; annotationEdits handles /Annots. */
function pageEdits(source: PdfFile, page: PdfDict, parent: PdfRef, copyOf: CopyOf): Edit[] {
  const attributes = new Inheritance(source).of(page);
  const textOf = (key: string): string | undefined => {
    const holder = attributes.get(key);
    const entry = holder?.entries.findLast((each) => each.key === key);
    return holder && entry && spanText(holder, entry, copyOf);
  };
  const mediaBox = textOf('MediaBox');
  if (mediaBox === undefined) throw damaged('the added page has no MediaBox');
  const own = new Set(page.entries.map(({ key }) => key));
  const missing: Record<string, string> = {
    MediaBox: mediaBox,
    CropBox: textOf('CropBox') ?? mediaBox,
    Rotate: textOf('Rotate') ?? '0',
    Resources: textOf('Resources') ?? '<<>>',
  };
  const edits = page.entries
    .filter(({ key }) => !['Parent', 'StructParents', 'Annots'].includes(key))
    .flatMap(({ value, from, to }) => refEdits(value, from, to, copyOf));
  for (const [key, text] of Object.entries(missing)) {
    if (!own.has(key)) edits.push(...setEntry(page, key, text));
  }
  return [...edits, ...setEntry(page, 'Parent', String(parent))];
}

/** Maps a page's key in its own parent tree to one in the document's. */
function keyEdits(page: PdfDict, structure: DocumentStructure | null): Edit[] {
  const key = page.get('StructParents');
  return structure && typeof key === 'number'
    ? setEntry(page, 'StructParents', String(structure.nextKey + key))
    : removeEntry(page, 'StructParents');
}

function annotationEdits(source: PdfFile, page: PdfDict, widget: PdfRef | undefined, copyOf: CopyOf): Edit[] {
  const list = source.array(page.get('Annots'), "a page's list of annotations");
  const copies = list === null ? [] : list.items.map((item) => spanText(list, item, copyOf));
  if (widget !== undefined) copies.push(String(widget));
  return copies.length > 0 ? setEntry(page, 'Annots', `[${copies.join(' ')}]`) : removeEntry(page, 'Annots');
}

function copyObject(source: PdfFile, ref: PdfRef, copyOf: CopyOf): (Uint8Array | string)[] {
  const object = source.object(ref);
  if (object instanceof PdfStream) {
    const { dict } = object;
    const edits = refEdits(dict, dict.from, dict.to, copyOf);
    const data = source.streamData(object);
    return [...splice(dict.source, dict.from, dict.to, edits), '\nstream\n', data, '\nendstream'];
  }
  if (object instanceof PdfRef) return [String(copyOf(object))];
  if (object instanceof PdfDict || object instanceof PdfArray) {
    return splice(object.source, object.from, object.to, refEdits(object, object.from, object.to, copyOf));
  }
  return [scalarText(object)];
}

function scalarText(value: Exclude<PdfValue, PdfRef | PdfDict | PdfArray>): string | Uint8Array {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return 'raw' in value ? value.raw : `/${value.name.replace(/[^!-~]|[#%/()<>[\]{}]/g, escaped)}`;
}

const escaped = (character: string) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Part of a container as text, with its references renumbered. */
function spanText(
  container: PdfDict | PdfArray,
  { value, from, to }: { value: PdfValue; from: number; to: number },
  copyOf: CopyOf,
): string {
  const chunks = splice(container.source, from, to, refEdits(value, from, to, copyOf));
  return Buffer.concat(chunks).toString('latin1');
}

/** One edit for each reference inside a value found between two offsets. */
function refEdits(value: PdfValue, from: number, to: number, copyOf: CopyOf): Edit[] {
  if (value instanceof PdfRef) return [{ from, to, text: String(copyOf(value)) }];
  if (value instanceof PdfArray)
    return value.items.flatMap((item) => refEdits(item.value, item.from, item.to, copyOf));
  if (value instanceof PdfDict)
    return value.entries.flatMap((item) => refEdits(item.value, item.from, item.to, copyOf));
  return [];
}
