import { drawnEntries, drawnValues } from '../../shared/sealing/drawn-values.ts';
import { attempt } from '../../shared/sealing/faults.ts';
import { COST } from '../../shared/sealing/pdf/budget.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { Inheritance, readPageTree } from '../../shared/sealing/pdf/pages.ts';
import { readTextString } from '../../shared/sealing/pdf/text.ts';
import {
  EMPTY_DICT,
  isName,
  PdfArray,
  PdfDict,
  PdfName,
  type PdfObject,
  PdfRef,
  PdfStream,
  PdfString,
  type PdfValue,
} from '../../shared/sealing/pdf/values.ts';
import { streamData } from '../../shared/sealing/pdf/xref.ts';
import { Difference, dictOf, objectOf, walkObjects } from './difference.ts';
import { explainForm } from './form-changes.ts';
import { isPlainRevision } from './plain-revision.ts';
import { isSameText, sameExcept, sameValue } from './same-value.ts';
import { isStore } from './security-store.ts';

/** The kinds of changes in a revision of a file. */
export interface Changes {
  /** Signature fields, new or filled in, other than those of document timestamps. */
  signatures: boolean;
  /** Title, author and other metadata, which appear on no page. Their values are not checked. */
  metadata: boolean;
  /** Anything but signatures, validation data and metadata. */
  others: boolean;
}

/** An honest revision changes a few dozen objects. */
const MAX_CHANGED = 20_000;

/**
 * Compares two revisions. Each object that differs must be explained by a rule: it belongs to a new signature, to the
 * data that validates signatures (/DSS), or to the document's information. What no rule explains counts as a change of the
 * document. Throws a PdfRefusal.
 */
export function compareRevisions(before: PdfFile, after: PdfFile): Changes {
  return new Comparison(before, after).run();
}

class Comparison {
  readonly #before: PdfFile;
  readonly #after: PdfFile;
  readonly #difference: Difference;
  readonly #visited = new Set<number>();
  #metadata = false;

  constructor(before: PdfFile, after: PdfFile) {
    this.#before = before;
    this.#after = after;
    this.#difference = new Difference(before, after);
  }

  run(): Changes {
    this.#after.refuseTwins();
    const { open, reused } = this.#difference;
    const root = this.#after.xref.trailer.get('Root');
    const rootBefore = this.#before.xref.trailer.get('Root');
    if (
      open.size > MAX_CHANGED ||
      !isPlainRevision(this.#before, this.#after) ||
      !(root instanceof PdfRef) ||
      !sameValue(root, rootBefore)
    )
      return UNEXPLAINED;
    this.#explainWrittenAgain();
    const differing = [...open];
    const added = differing.filter((num) => this.#difference.isNew(num));
    // A seal that locks fields refers back to the catalog, whose technical keys are not part of the document.
    this.#visited.add(root.num);
    this.#explainContainers();
    this.#explainInformation(this.#after.xref.trailer.get('Info'));
    this.#explainCatalog(root);
    const { signatures, fields } = explainForm(this.#difference);
    this.#explainPages(fields);
    const others =
      !this.#difference.isExplained ||
      this.#isPartOfDocument(new Set([...added, ...reused])) ||
      this.#isDrawnWith(new Set(differing));
    return { signatures, metadata: this.#metadata, others };
  }

  /** Some programs rewrite the other annotations of a page when they add one. */
  #explainWrittenAgain(): void {
    for (const num of this.#difference.open) {
      const [object, again] = this.#difference.bothOf(num);
      if (!isComposite(object) || again instanceof PdfStream) continue;
      if (sameValue(object, again)) this.#difference.open.delete(num);
    }
  }

  /** Streams that only contain other objects, which are compared one by one, and new free entries. */
  #explainContainers(): void {
    for (const num of this.#difference.open) {
      if (!this.#difference.isNew(num)) continue;
      const entry = this.#after.xref.entries.get(num);
      if (entry?.kind === 'free') this.#difference.open.delete(num);
      if (entry?.kind !== 'plain') continue;
      const object = this.#after.object(new PdfRef(num, entry.gen));
      const type = object instanceof PdfStream ? object.dict.get('Type') : null;
      if (isName(type, 'XRef') || isName(type, 'ObjStm')) this.#difference.open.delete(num);
    }
  }

  /** The document information, whose strings appear on no page. */
  #explainInformation(info: PdfValue): void {
    const dict = dictOf(this.#after, info);
    // Some programs rebuild the cross-reference of a file whose information is missing.
    this.#difference.require(this.#lacksInformation(this.#after) === this.#lacksInformation(this.#before));
    if (dict !== null && this.#isOtherInformation(dict)) this.#metadata = true;
    if (!(info instanceof PdfRef) || dict === null) return;
    if (dict.entries.every(({ value }) => !isComposite(value))) this.#difference.explainTree(info, true);
  }

  #lacksInformation(file: PdfFile): boolean {
    const info = file.xref.trailer.get('Info');
    return info !== null && dictOf(file, info) === null;
  }

  #isOtherInformation(after: PdfDict): boolean {
    const before = dictOf(this.#before, this.#before.xref.trailer.get('Info')) ?? EMPTY_DICT;
    const keys = new Set([before, after].flatMap(({ entries }) => entries.map(({ key }) => key)));
    return [...keys].some((key) => !OF_EDITOR.has(key) && !this.#isSameText(before.get(key), after.get(key)));
  }

  /** Editors rewrite strings in other encodings. */
  #isSameText(a: PdfValue, b: PdfValue): boolean {
    if (!(a instanceof PdfString) || !(b instanceof PdfString) || sameValue(a, b)) return sameValue(a, b);
    this.#after.budget.spend(COST.decodedByte, a.raw.length + b.raw.length);
    return readTextString(a.raw) === readTextString(b.raw);
  }

  #explainCatalog(root: PdfRef): void {
    const before = this.#before.dict(root, 'the catalog');
    const after = this.#after.dict(root, 'the catalog');
    this.#difference.settle(root, root);
    const keys = [...TECHNICAL_KEYS, 'AcroForm', 'Version'];
    if (this.#hasSameNames(before.get('Names'), after.get('Names'))) keys.push('Names');
    this.#difference.require(sameExcept(before, after, keys));
    this.#difference.require(this.#isSameOrNewerVersion(before.get('Version'), after.get('Version')));
    this.#metadata ||= this.#isOther(before.get('Metadata'), after.get('Metadata'));
    for (const key of ['DSS', 'Extensions'])
      this.#difference.require(this.#isKeptOrNew(before.get(key), after.get(key)));
    this.#difference.require(isStore(this.#after));
    for (const key of TECHNICAL_KEYS) this.#difference.explainTree(after.get(key), true);
  }

  /** False if a value is gone, or an older object of the document took its place. */
  #isKeptOrNew(before: PdfValue, after: PdfValue): boolean {
    if (after === null) return before === null;
    return !(after instanceof PdfRef) || this.#difference.isNew(after.num) || sameValue(before, after);
  }

  /** Mostly the names of attachments. pyHanko rewrites them in another encoding. */
  #hasSameNames = (before: PdfValue, after: PdfValue): boolean =>
    before instanceof PdfDict && after instanceof PdfDict && sameValue(before, after, isSameText);

  /** A later signature may raise the PDF version. No program renders differently because of it. */
  #isSameOrNewerVersion(before: PdfValue, after: PdfValue): boolean {
    if (sameValue(before, after)) return true;
    const former = before instanceof PdfName ? before.name : this.#before.headerVersion;
    return after instanceof PdfName && VERSION.test(after.name) && after.name > former;
  }

  #isOther(before: PdfValue, after: PdfValue): boolean {
    return !sameValue(before, after) || (after instanceof PdfRef && this.#difference.open.has(after.num));
  }

  /** Pages may get only the widgets of new signature fields as annotations. */
  #explainPages(fields: ReadonlySet<number>): void {
    if (this.#difference.open.size === 0) return;
    for (const page of readPageTree(this.#before).pages) {
      const before = dictOf(this.#before, page);
      const annotations = before?.get('Annots') ?? null;
      const isChanged =
        this.#difference.open.has(page.num) ||
        (annotations instanceof PdfRef && this.#difference.open.has(annotations.num));
      if (!isChanged || before === null) continue;
      const after = this.#after.dict(page, 'a page');
      this.#difference.require(sameExcept(before, after, ['Annots']));
      const known = this.#before.items(annotations);
      const all = this.#after.items(after.get('Annots'));
      const added = all.slice(known.length);
      this.#difference.require(this.#difference.extends(all, known));
      this.#difference.require(added.every((value) => value instanceof PdfRef && fields.has(value.num)));
      this.#difference.settle(page, page);
      this.#difference.settle(after.get('Annots'), annotations);
    }
  }

  /**
   * True if the previous revision refers to any of these objects: a reference was prepared for a new object, or a technical
   * object has a second role.
   */
  #isPartOfDocument(numbers: ReadonlySet<number>): boolean {
    let isPart = false;
    for (const { key, value } of this.#before.catalog.entries) {
      if (TECHNICAL_KEYS.includes(key) || isPart) continue;
      walkObjects(this.#before, [value], (num) => {
        isPart ||= numbers.has(num) || this.#hasUnclearEnd(num);
        return !isPart && !this.#visited.has(num) && Boolean(this.#visited.add(num));
      });
    }
    return isPart;
  }

  /**
   * True if pages draw with any of these objects: a graphics state may have the name of any entry of the catalog, and the contents
   * of a page may be its list of annotations. What a revision may change in pages draws nothing.
   */
  #isDrawnWith(numbers: ReadonlySet<number>): boolean {
    const { pages, nodes } = readPageTree(this.#before);
    const resolve = (value: PdfValue) => this.#before.resolve(value);
    const form = dictOf(this.#before, this.#before.catalog.get('AcroForm'));
    const inheritance = new Inheritance(this.#before);
    const waiting: PdfObject[] = pages.flatMap((ref) => {
      const page = this.#before.dict(ref, 'a page');
      return drawnValues(this.#before, page, resolve, inheritance.of(page));
    });
    waiting.push(form?.get('DR') ?? null);
    let isDrawn = false;
    walkObjects(this.#before, waiting, (num) => {
      const node = nodes.has(num) ? objectOf(this.#before, num) : null;
      if (node instanceof PdfDict) {
        for (const { value } of drawnEntries(node, resolve)) waiting.push(value);
        return false;
      }
      isDrawn ||= numbers.has(num) || this.#hasUnclearEnd(num);
      return !isDrawn;
    });
    return isDrawn;
  }

  /** True for a stream that does not end where it says: programs then search for its end, and may find another in a longer file. */
  #hasUnclearEnd(num: number): boolean {
    const { bytes, budget } = this.#before;
    const stream = objectOf(this.#before, num);
    if (!(stream instanceof PdfStream)) return false;
    const length = this.#before.resolve(stream.dict.get('Length'));
    return attempt(() => streamData(bytes, stream.start, length, budget)) === undefined;
  }
}

export const UNEXPLAINED: Changes = { signatures: false, metadata: false, others: true };

const VERSION = /^(?:1\.\d|2\.0)$/;

/** Keys of the catalog that affect no page. */
const TECHNICAL_KEYS = ['DSS', 'Extensions', 'Metadata'];

/** Entries of the document information about the editing program. */
const OF_EDITOR: ReadonlySet<string> = new Set(['ModDate', 'CreationDate', 'Producer', 'Creator']);

const isComposite = (value: PdfObject): value is PdfRef | PdfArray | PdfDict =>
  value instanceof PdfRef || value instanceof PdfArray || value instanceof PdfDict;
