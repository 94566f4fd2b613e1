import { drawnEntries, drawnValues } from '../../shared/sealing/drawn-values.ts';
import { COST } from '../../shared/sealing/pdf/budget.ts';
import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { readPageTree } from '../../shared/sealing/pdf/pages.ts';
import { PdfRefusal } from '../../shared/sealing/pdf/refusal.ts';
import { latin1, readTextString } from '../../shared/sealing/pdf/text.ts';
import {
  hasDuplicates,
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
import { attempt } from './attempt.ts';
import { isDetached, isInForm, isTimestamp } from './located.ts';
import { isPlainRevision } from './plain-revision.ts';
import { isSameText, sameExcept, sameValue, startsWith } from './same-value.ts';
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
  /** Object numbers that differ and are not explained yet. */
  readonly #open: Set<number>;
  /** Object numbers of new signature fields and their widgets. */
  readonly #fields = new Set<number>();
  /** Existing objects that were changed for a technical reason. */
  readonly #reused = new Set<number>();
  readonly #visited = new Set<number>();
  #others = false;
  #signatures = false;
  #metadata = false;

  constructor(before: PdfFile, after: PdfFile) {
    this.#before = before;
    this.#after = after;
    this.#open = new Set(after.xref.entries.differingFrom(before.xref.entries));
  }

  run(): Changes {
    this.#after.refuseTwins();
    const root = this.#after.xref.trailer.get('Root');
    const rootBefore = this.#before.xref.trailer.get('Root');
    if (
      this.#open.size > MAX_CHANGED ||
      !isPlainRevision(this.#before, this.#after) ||
      !(root instanceof PdfRef) ||
      !sameValue(root, rootBefore)
    )
      return UNEXPLAINED;
    this.#explainWrittenAgain();
    const differing = [...this.#open];
    const added = differing.filter((num) => this.#isNew(num));
    // A seal that locks fields refers back to the catalog, whose technical keys are not part of the document.
    this.#visited.add(root.num);
    this.#explainContainers();
    this.#explainInformation(this.#after.xref.trailer.get('Info'));
    this.#explainCatalog(root);
    this.#explainFilledFields();
    this.#explainPages();
    const isChanged = this.#others || this.#open.size > 0;
    const others =
      isChanged ||
      this.#isPartOfDocument(new Set([...added, ...this.#reused])) ||
      this.#isDrawnWith(new Set(differing));
    return { signatures: this.#signatures, metadata: this.#metadata, others };
  }

  #isNew(num: number): boolean {
    return this.#before.xref.entries.get(num) === undefined;
  }

  #require(isAllowed: boolean): void {
    if (!isAllowed) this.#others = true;
  }

  #dict(file: PdfFile, value: PdfValue): PdfDict | null {
    const object = file.resolve(value);
    return object instanceof PdfDict ? object : null;
  }

  #items(file: PdfFile, value: PdfValue): PdfValue[] {
    const object = file.resolve(value);
    return object instanceof PdfArray ? object.items.map((item) => item.value) : [];
  }

  /** Marks the target of a reference as explained, if it is new or was referenced in the same place before. */
  #settle(after: PdfValue, before: PdfValue): void {
    if (after instanceof PdfRef && (this.#isNew(after.num) || sameValue(after, before)))
      this.#open.delete(after.num);
  }

  /** Some programs rewrite the other annotations of a page when they add one. */
  #explainWrittenAgain(): void {
    for (const num of this.#open) {
      const [object, again] = this.#bothOf(num);
      if (!isComposite(object) || again instanceof PdfStream) continue;
      if (sameValue(object, again)) this.#open.delete(num);
    }
  }

  /** Streams that only contain other objects, which are compared one by one, and new free entries. */
  #explainContainers(): void {
    for (const num of this.#open) {
      if (!this.#isNew(num)) continue;
      const entry = this.#after.xref.entries.get(num);
      if (entry?.kind === 'free') this.#open.delete(num);
      if (entry?.kind !== 'plain') continue;
      const object = this.#after.object(new PdfRef(num, entry.gen));
      const type = object instanceof PdfStream ? object.dict.get('Type') : null;
      if (isName(type, 'XRef') || isName(type, 'ObjStm')) this.#open.delete(num);
    }
  }

  /** The document information, whose strings appear on no page. */
  #explainInformation(info: PdfValue): void {
    const dict = this.#dict(this.#after, info);
    // Some programs rebuild the cross-reference of a file whose information is missing.
    this.#require(this.#lacksInformation(this.#after) === this.#lacksInformation(this.#before));
    if (dict !== null && this.#isOtherInformation(dict)) this.#metadata = true;
    if (!(info instanceof PdfRef) || dict === null) return;
    if (dict.entries.every(({ value }) => !isComposite(value))) this.#explainTree(info, true);
  }

  #lacksInformation(file: PdfFile): boolean {
    const info = file.xref.trailer.get('Info');
    return info !== null && this.#dict(file, info) === null;
  }

  #isOtherInformation(after: PdfDict): boolean {
    const before = this.#dict(this.#before, this.#before.xref.trailer.get('Info')) ?? EMPTY;
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
    this.#settle(root, root);
    const keys = [...TECHNICAL_KEYS, 'AcroForm', 'Version'];
    if (this.#hasSameNames(before.get('Names'), after.get('Names'))) keys.push('Names');
    this.#require(sameExcept(before, after, keys));
    this.#require(this.#isSameOrNewerVersion(before.get('Version'), after.get('Version')));
    this.#metadata ||= this.#isOther(before.get('Metadata'), after.get('Metadata'));
    for (const key of ['DSS', 'Extensions'])
      this.#require(this.#isKeptOrNew(before.get(key), after.get(key)));
    this.#require(isStore(this.#after));
    for (const key of TECHNICAL_KEYS) this.#explainTree(after.get(key), true);
    this.#explainForm(before.get('AcroForm'), after.get('AcroForm'));
  }

  /** False if a value is gone, or an older object of the document took its place. */
  #isKeptOrNew(before: PdfValue, after: PdfValue): boolean {
    if (after === null) return before === null;
    return !(after instanceof PdfRef) || this.#isNew(after.num) || sameValue(before, after);
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
    return !sameValue(before, after) || (after instanceof PdfRef && this.#open.has(after.num));
  }

  /** Explains all new objects below a value, and below technical values also changed ones that nothing else uses. */
  #explainTree(value: PdfValue, isTechnical = false): void {
    this.#walk(this.#after, [value], (num) => {
      const isNew = this.#isNew(num);
      if (!isNew && !(isTechnical && this.#open.has(num))) return false;
      if (!isNew) this.#reused.add(num);
      this.#open.delete(num);
      return true;
    });
  }

  /** Visits the objects below these values, but not below those for which `visit` returns false. Consumes the list. */
  #walk(file: PdfFile, waiting: PdfObject[], visit: (num: number) => boolean): void {
    const seen = new Set<number>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next instanceof PdfRef) {
        if (seen.has(next.num)) continue;
        seen.add(next.num);
        if (visit(next.num)) waiting.push(file.object(next));
      } else for (const part of partsOf(next)) waiting.push(part);
    }
  }

  /** A list that begins with a name could also be used as a colour space. */
  #extends = (after: readonly PdfValue[], before: readonly PdfValue[]): boolean =>
    startsWith(after, before) && !(this.#before.resolve(before[0] ?? null) instanceof PdfName);

  #explainForm(before: PdfValue, after: PdfValue): void {
    const formBefore = this.#dict(this.#before, before);
    const form = this.#dict(this.#after, after);
    if (form === null) {
      this.#require(formBefore === null);
      return;
    }
    this.#require(sameExcept(formBefore ?? EMPTY, form, ['Fields', 'SigFlags']));
    const flags = this.#flagsOf(this.#before, formBefore);
    this.#require((this.#flagsOf(this.#after, form) & flags) === flags);
    this.#settle(after, before);
    this.#settle(form.get('Fields'), formBefore?.get('Fields') ?? null);
    const fieldsBefore = this.#items(this.#before, formBefore?.get('Fields') ?? null);
    const fields = this.#items(this.#after, form.get('Fields'));
    this.#require(this.#extends(fields, fieldsBefore));
    const added = fields.slice(fieldsBefore.length);
    this.#require(added.length === 0 || this.#haveOwnNames(added, fieldsBefore));
    for (const field of added) this.#explainNewField(field);
  }

  #flagsOf(file: PdfFile, form: PdfDict | null): number {
    const flags = form && file.resolve(form.get('SigFlags'));
    return typeof flags === 'number' ? flags : 0;
  }

  /** Programs take two fields of one name for one field. A period stands between the names of a field and of one below it. */
  #haveOwnNames(added: readonly PdfValue[], known: readonly PdfValue[]): boolean {
    const names = new Set(known.map((field) => this.#nameOf(this.#before, field)).filter(isPresent));
    const own = added.map((field) => this.#nameOf(this.#after, field)).filter(isPresent);
    const areOwn = new Set([...names, ...own]).size === names.size + own.length;
    return areOwn && own.length === added.length && !own.some((name) => name.includes('.'));
  }

  #nameOf(file: PdfFile, field: PdfValue): string | null {
    const name = file.entry(field, 'T');
    if (!(name instanceof PdfString)) return null;
    file.budget.spend(COST.decodedByte, name.raw.length);
    return readTextString(name.raw);
  }

  /** A new signature field, or a widget below the given one. */
  #explainNewField(value: PdfValue, above?: { isSigned: boolean }): void {
    const dict = this.#dict(this.#after, value);
    if (!(value instanceof PdfRef) || dict === null || !this.#isNew(value.num)) {
      this.#others = true;
      return;
    }
    const type = this.#after.resolve(dict.get('FT'));
    this.#require(isName(type, 'Sig') || (above !== undefined && type === null));
    this.#require(dict.entries.every(({ key }) => FIELD_KEYS.has(key)) && !hasDuplicates(dict));
    const isSigned = above?.isSigned || this.#isSigned(dict);
    this.#require(isSigned || this.#isInvisible(dict));
    this.#fields.add(value.num);
    if (above === undefined || dict.get('V') !== null) this.#noteSignature(dict);
    this.#settle(value, null);
    for (const key of OWN_KEYS) this.#explainTree(dict.get(key));
    if (above !== undefined) return;
    for (const kid of this.#items(this.#after, dict.get('Kids'))) this.#explainNewField(kid, { isSigned });
  }

  /**
   * True if this revision wrote the field's signature. An appearance could show anything, so somebody must answer for it: a signer
   * who is judged. An older signature does not cover it, one outside the form is not judged, and a timestamp is nobody's consent.
   */
  #isSigned(field: PdfDict): boolean {
    const signature = this.#dict(this.#after, field.get('V'));
    const isNew = signature?.source === this.#after.bytes && signature.from >= this.#before.bytes.length;
    return isNew && isDetached(signature) && isInForm(this.#after, signature);
  }

  /**
   * True without a size, border and background, and with an appearance that draws nothing. The size alone is not enough: Ghostscript
   * ignores it, and so does PDFium for appearances without /BBox. Programs draw other annotations by themselves.
   */
  #isInvisible(widget: PdfDict, file = this.#after): boolean {
    const type = widget.get('Subtype');
    const look = widget.get('AP');
    const style = widget.get('MK');
    return (
      (type === null || isName(type, 'Widget')) &&
      this.#hasNoSize(widget, file) &&
      (look === null || this.#isEmpty(look, file)) &&
      (style === null || this.#dict(file, style)?.entries.length === 0)
    );
  }

  #hasNoSize(widget: PdfDict, file: PdfFile): boolean {
    const place = widget.get('Rect');
    if (place === null) return true;
    const [left, bottom, right, top, ...more] = this.#items(file, place);
    const isPlace = [left, bottom, right, top].every((number) => typeof number === 'number');
    return isPlace && more.length === 0 && (left === right || bottom === top);
  }

  #isEmpty(look: PdfValue, file: PdfFile): boolean {
    const states = this.#dict(file, look)?.entries.map(({ value }) => file.resolve(value));
    return (
      states?.every((stream) => stream instanceof PdfStream && this.#holdsNothing(stream, file)) ?? false
    );
  }

  #holdsNothing(stream: PdfStream, file: PdfFile): boolean {
    try {
      return latin1(file.decodedData(stream)).trim() === '';
    } catch (error) {
      if (error instanceof PdfRefusal) return false;
      throw error;
    }
  }

  /** A document timestamp is no change of the document, even after a certification that forbids all (ISO 32000-2, table 257). */
  #noteSignature(field: PdfDict): void {
    const value = field.get('V');
    // An earlier signature would have two fields.
    this.#require(value === null || (value instanceof PdfRef && this.#isNew(value.num)));
    const signature = this.#dict(this.#after, value);
    this.#signatures ||= signature === null || !isTimestamp(signature);
  }

  /** Signature fields that were empty before. */
  #explainFilledFields(): void {
    for (const num of this.#open) {
      const [before, after] = this.#bothOf(num);
      if (!(before instanceof PdfDict) || !(after instanceof PdfDict)) continue;
      if (!isName(before.get('FT'), 'Sig') || before.get('V') !== null) continue;
      const isSigned = this.#isSigned(after);
      const isFilled = after.get('V') !== null;
      // A text field below would inherit a text value and show it.
      this.#require(!isFilled || this.#dict(this.#after, after.get('V')) !== null);
      this.#noteSignature(after);
      this.#explainFilled(num, ['V', 'M'], { isSigned, isFilled });
      for (const kid of this.#items(this.#before, before.get('Kids')))
        if (kid instanceof PdfRef) this.#explainFilled(kid.num, ['M'], { isSigned, isFilled });
    }
  }

  /** A signature field that was filled in, or a widget of it. `keys`: entries that may change besides the appearance. */
  #explainFilled(
    num: number,
    keys: readonly string[],
    { isSigned, isFilled }: { isSigned: boolean; isFilled: boolean },
  ): void {
    const [before, after] = this.#bothOf(num);
    if (!(before instanceof PdfDict) || !(after instanceof PdfDict) || !hasSignatureType(before)) return;
    this.#require(sameExcept(before, after, [...keys, 'AP']));
    // MuPDF shows an existing appearance only once the field is signed.
    const showsItAnyway = !isFilled || before.get('AP') === null;
    const drawsTheSame = showsItAnyway && sameExcept(before, after, keys);
    this.#require(
      drawsTheSame || isSigned || (this.#isInvisible(before, this.#before) && this.#isInvisible(after)),
    );
    this.#open.delete(num);
    for (const key of ['V', 'AP']) this.#explainTree(after.get(key));
  }

  /** The object with this number before and after. */
  #bothOf(num: number): [PdfObject, PdfObject] {
    const ref = this.#refTo(this.#before, num);
    return ref ? [this.#before.object(ref), this.#after.object(ref)] : [null, null];
  }

  #objectOf(file: PdfFile, num: number): PdfObject {
    const ref = this.#refTo(file, num);
    return ref && file.object(ref);
  }

  #refTo(file: PdfFile, num: number): PdfRef | null {
    const entry = file.xref.entries.get(num);
    if (entry === undefined || entry.kind === 'free') return null;
    return new PdfRef(num, entry.kind === 'plain' ? entry.gen : 0);
  }

  /** Pages may get only the widgets of new signature fields as annotations. */
  #explainPages(): void {
    if (this.#open.size === 0) return;
    for (const page of readPageTree(this.#before).pages) {
      const before = this.#dict(this.#before, page);
      const annotations = before?.get('Annots') ?? null;
      const isChanged =
        this.#open.has(page.num) || (annotations instanceof PdfRef && this.#open.has(annotations.num));
      if (!isChanged || before === null) continue;
      const after = this.#after.dict(page, 'a page');
      this.#require(sameExcept(before, after, ['Annots']));
      const known = this.#items(this.#before, annotations);
      const all = this.#items(this.#after, after.get('Annots'));
      const added = all.slice(known.length);
      this.#require(this.#extends(all, known));
      this.#require(added.every((value) => value instanceof PdfRef && this.#fields.has(value.num)));
      this.#settle(page, page);
      this.#settle(after.get('Annots'), annotations);
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
      this.#walk(this.#before, [value], (num) => {
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
    const form = this.#dict(this.#before, this.#before.catalog.get('AcroForm'));
    const waiting: PdfObject[] = pages.flatMap((page) =>
      drawnValues(this.#before, this.#before.dict(page, 'a page'), resolve),
    );
    waiting.push(form?.get('DR') ?? null);
    let isDrawn = false;
    this.#walk(this.#before, waiting, (num) => {
      const node = nodes.has(num) ? this.#objectOf(this.#before, num) : null;
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
    const stream = this.#objectOf(this.#before, num);
    if (!(stream instanceof PdfStream)) return false;
    const length = this.#before.resolve(stream.dict.get('Length'));
    return attempt(() => streamData(bytes, stream.start, length, budget)) === undefined;
  }
}

export const UNEXPLAINED: Changes = { signatures: false, metadata: false, others: true };

const EMPTY = new PdfDict(new Uint8Array(), 0, 0, []);

const VERSION = /^(?:1\.\d|2\.0)$/;

/** Keys of the catalog that affect no page. */
const TECHNICAL_KEYS = ['DSS', 'Extensions', 'Metadata'];

/** Entries of the document information about the editing program. */
const OF_EDITOR: ReadonlySet<string> = new Set(['ModDate', 'CreationDate', 'Producer', 'Creator']);

/** Allowed keys of a signature field or its widget. No actions. */
const FIELD_KEYS: ReadonlySet<string> = new Set([
  'Type',
  'Subtype',
  'FT',
  'T',
  'TU',
  'V',
  'F',
  'Ff',
  'Rect',
  'P',
  'AP',
  'MK',
  'DA',
  'Lock',
  'SV',
  'Kids',
  'Parent',
]);

/** Keys whose values only the field uses. */
const OWN_KEYS = ['V', 'AP', 'MK', 'Lock', 'SV'];

/** A widget inherits the type of its field. */
const hasSignatureType = (field: PdfDict): boolean =>
  field.get('FT') === null || isName(field.get('FT'), 'Sig');

const isPresent = (name: string | null): name is string => name !== null;

const isComposite = (value: PdfObject): value is PdfRef | PdfArray | PdfDict =>
  value instanceof PdfRef || value instanceof PdfArray || value instanceof PdfDict;

function partsOf(object: PdfObject): PdfValue[] {
  if (object instanceof PdfStream) return partsOf(object.dict);
  if (object instanceof PdfArray) return object.items.map(({ value }) => value);
  return object instanceof PdfDict ? object.entries.map(({ value }) => value) : [];
}
