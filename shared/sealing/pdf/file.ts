import { type Budget, COST, LIMITS } from './budget.ts';
import { decodeStructure } from './filters.ts';
import { Kept } from './kept.ts';
import { Parser } from './parser.ts';
import { damaged, PdfRefusal } from './refusal.ts';
import { latin1 } from './text.ts';
import {
  isName,
  isWholeNumber,
  PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfStream,
  type PdfValue,
  unclearNumberIn,
} from './values.ts';
import { findHeader, readXref, streamData, streamStart, type Xref } from './xref.ts';

/** A decompressed object stream, with the place of each object by its number. */
interface Pack {
  data: Uint8Array;
  places: Map<number, Place>;
}

interface Place {
  index: number;
  offset: number;
  /** The start of the next object. */
  end: number;
}

const NUMBERS_OF_PACK: ReadonlySet<string> = new Set(['N', 'First']);

const PACKED_BYTES_KEPT = 32 * 1024 * 1024;

/**
 * A strict PDF reader: a file whose cross-reference is wrong is refused, never repaired. Objects are read on demand and cached as
 * far as memory allows.
 */
export class PdfFile {
  readonly bytes: Uint8Array;
  /** Offset of "%PDF-". */
  readonly headerAt: number;
  readonly xref: Xref;
  readonly budget: Budget;
  readonly #packs = new Kept<Pack>(PACKED_BYTES_KEPT);
  readonly #objects = new Kept<PdfObject>(LIMITS.valuesKept);
  /** The largest object number referenced in the objects read so far. */
  largestReference = 0;
  /** The numbers of deleted objects that were asked for. */
  readonly deleted = new Set<number>();
  /** The numbers of objects in object streams that were read. */
  readonly #readPacked = new Set<number>();
  /** The first thing that programs read differently in the objects read so far; null if there is none. */
  unclear: string | null = null;

  constructor(bytes: Uint8Array, budget: Budget) {
    const headerAt = findHeader(bytes);
    if (headerAt < 0) throw new PdfRefusal('not_a_pdf', 'no %PDF- header');
    this.bytes = bytes;
    this.headerAt = headerAt;
    this.budget = budget;
    this.xref = readXref(bytes, headerAt, this.budget);
    if (this.xref.encrypted) throw new PdfRefusal('pdf_encrypted', 'the trailer names /Encrypt');
  }

  /** True if the cross-reference lists an object beyond the end: MuPDF then rebuilds it, until the file has grown to the offset. */
  get listsBeyondEnd(): boolean {
    return this.xref.base + this.xref.entries.farthest >= this.bytes.length;
  }

  /** Follows references to a value, and shows each to `check`; null if the object is missing or freed. */
  resolve(value: PdfObject, check?: (ref: PdfRef) => void): PdfObject {
    let object: PdfObject = value;
    for (let hops = 0; object instanceof PdfRef; hops += 1) {
      if (hops > 20) throw damaged('references lead in a circle');
      check?.(object);
      object = this.object(object);
    }
    return object;
  }

  /** Follows references to references: the last one names the object to change. */
  lastReference(ref: PdfRef): PdfRef {
    let last = ref;
    for (let object = this.object(ref); object instanceof PdfRef; object = this.object(last)) last = object;
    return last;
  }

  /** The version in the header, such as "1.7". */
  get headerVersion(): string {
    const from = this.headerAt + '%PDF-'.length;
    return latin1(this.bytes.subarray(from, from + 3));
  }

  get catalog(): PdfDict {
    return this.dict(this.xref.trailer.get('Root'), 'the catalog');
  }

  dict(value: PdfValue, what: string): PdfDict {
    const object = this.resolve(value);
    if (object instanceof PdfDict) return object;
    throw damaged(`${what} is not a dictionary`);
  }

  /** The array, or null if absent; refuses anything else. */
  array(value: PdfObject, what: string): PdfArray | null {
    const object = this.resolve(value);
    if (object === null || object instanceof PdfArray) return object;
    throw damaged(`${what} is not an array`);
  }

  /** The items of a list, as written; none of anything else. */
  items(value: PdfObject): PdfValue[] {
    const list = this.resolve(value);
    return list instanceof PdfArray ? list.items.map((item) => item.value) : [];
  }

  /** The items of a list; anything else alone. */
  itemsOrItself(value: PdfValue): PdfValue[] {
    return this.resolve(value) instanceof PdfArray ? this.items(value) : [value];
  }

  /** The value of a dictionary's key; null of anything else. */
  entry(value: PdfObject, key: string): PdfObject {
    const dict = this.resolve(value);
    return dict instanceof PdfDict ? this.resolve(dict.get(key)) : null;
  }

  object(ref: PdfRef): PdfObject {
    const entry = this.xref.entries.get(ref.num);
    if (entry?.kind === 'free') this.deleted.add(ref.num);
    if (entry === undefined || entry.kind === 'free') return null;
    if (ref.gen !== (entry.kind === 'packed' ? 0 : entry.gen)) {
      // Some programs ignore the generation and find the object.
      this.unclear ??= 'it refers to other generations of its objects';
      return null;
    }
    const kept = this.#objects.get(ref.num);
    if (kept !== undefined) {
      this.budget.spend(COST.knownObject);
      this.budget.spend(COST.knownValue, kept.weight);
      return kept.item;
    }
    this.budget.spend(COST.object);
    return entry.kind === 'packed' ? this.#packedObject(ref, entry) : this.#plainObject(ref, entry.offset);
  }

  /** True if a hybrid file hides the object, or the object stream that holds it. */
  isHidden({ num }: PdfRef): boolean {
    const { hidden, entries } = this.xref;
    const entry = entries.get(num);
    return hidden.has(num) || (entry?.kind === 'packed' && hidden.has(entry.container));
  }

  #plainObject(ref: PdfRef, offset: number): PdfObject {
    const parser = new Parser(this.bytes, this.xref.base + offset, this.budget);
    return this.#keep(ref, this.#readPlain(ref, parser), parser);
  }

  #keep({ num }: PdfRef, object: PdfObject, parser: Parser): PdfObject {
    this.largestReference = Math.max(this.largestReference, parser.largestReference);
    this.unclear ??= parser.unclear;
    if (object instanceof PdfRef) this.unclear ??= 'an object is only a reference to another one';
    // PDFium takes a reference to it for false.
    if (typeof object === 'boolean') this.unclear ??= 'an object is only true or false';
    return this.#objects.keep(num, object, parser.valuesRead);
  }

  #readPlain(ref: PdfRef, parser: Parser): PdfObject {
    if (parser.wholeNumber() !== ref.num || parser.wholeNumber() !== ref.gen || !parser.keyword('obj')) {
      throw damaged(`object ${ref.num} is not where the cross-reference says`);
    }
    const value = parser.value();
    if (parser.keyword('endobj') || !(value instanceof PdfDict)) return value;
    return new PdfStream(value, streamStart(parser));
  }

  /** Some programs find it by its number, others by its index. */
  #packedObject(ref: PdfRef, { container, index }: { container: number; index: number }): PdfObject {
    const pack = this.#pack(container);
    const place = pack.places.get(ref.num);
    if (place?.index !== index) throw damaged(`object ${ref.num} is not there in its object stream`);
    const parser = new Parser(pack.data, place.offset, this.budget);
    const object = parser.value();
    // Some programs would cut it off there: "/JavaScriptX" would become "/JavaScript".
    if (parser.position > place.end) throw damaged(`object ${ref.num} overlaps the next one`);
    // The standard forbids it, but pdf.js reads it.
    if (object instanceof PdfDict && parser.keyword('stream'))
      this.unclear ??= 'a stream is in an object stream';
    this.#readPacked.add(ref.num);
    return this.#keep(ref, object, parser);
  }

  #pack(container: number): Pack {
    const kept = this.#packs.get(container);
    if (kept !== undefined) return kept.item;
    const pack = this.#readPack(container);
    return this.#packs.keep(container, pack, pack.data.length);
  }

  #readPack(container: number): Pack {
    const entry = this.xref.entries.get(container);
    if (entry?.kind !== 'plain') throw damaged(`object stream ${container} is missing`);
    const stream = this.#plainObject(new PdfRef(container, entry.gen), entry.offset);
    if (!(stream instanceof PdfStream) || !isName(stream.dict.get('Type'), 'ObjStm')) {
      throw damaged(`object ${container} is not an object stream`);
    }
    if (entry.gen !== 0) this.unclear ??= 'an object stream has a generation';
    const data = this.decodedData(stream);
    const [count, first] = [stream.dict.get('N'), stream.dict.get('First')];
    // PDFium follows no references here, and Poppler takes no number with a point.
    const isClear = unclearNumberIn(stream.dict, NUMBERS_OF_PACK) === undefined;
    if (!isWholeNumber(count) || !isWholeNumber(first) || !isClear)
      throw damaged(`object stream ${container} is broken`);
    const places: Pack['places'] = new Map();
    const parser = new Parser(data, 0, this.budget);
    let last: Place = { index: -1, offset: first, end: first };
    for (let index = 0; index < count; index += 1) {
      this.budget.spend(COST.entry);
      const num = parser.wholeNumber();
      const offset = first + parser.wholeNumber();
      if (num < 0 || offset < last.offset || places.has(num))
        throw damaged(`object stream ${container} is broken`);
      last.end = offset;
      if (this.#isElsewhereToo(num, container))
        throw damaged(`object ${num} is in object stream ${container}, and elsewhere for some programs`);
      last = { index, offset, end: data.length };
      places.set(num, last);
    }
    // Poppler reads no further.
    if (parser.position > first) this.unclear ??= 'the index of an object stream is longer than it says';
    return { data, places };
  }

  /**
   * True if some programs prefer the copy of an object in this object stream over the listed one, or over a deletion: pdf.js does
   * if the listed offset is the number of the stream, and PDFium always does once it searches the file.
   */
  #isElsewhereToo(num: number, container: number): boolean {
    const { entries, isMixed } = this.xref;
    return (isMixed && !this.#isIn(num, container)) || entries.statedOffset(num) === container;
  }

  #isIn(num: number, container: number): boolean {
    const entry = this.xref.entries.get(num);
    return entry?.kind === 'packed' && entry.container === container;
  }

  /** Opens each object stream that may repeat an object, which refuses the file if one does. */
  refuseTwins(): void {
    const { entries, isMixed } = this.xref;
    const containers = this.#containers();
    for (const container of isMixed ? containers : []) this.#pack(container);
    for (const num of containers.size > 0 ? entries.numbers() : []) {
      const offset = entries.statedOffset(num);
      if (offset !== undefined && containers.has(offset)) this.#pack(offset);
    }
  }

  /**
   * Opens all object streams, which refuses the file if one repeats an object. Refuses one of which any object is broken, even an
   * unused one: MuPDF then finds none of the others. What was read is not read again.
   */
  refuseUnclearPacks(): void {
    for (const container of this.#containers()) {
      const { data, places } = this.#pack(container);
      for (const [num, { offset }] of places)
        if (!this.#readPacked.has(num) || !this.#isIn(num, container))
          new Parser(data, offset, this.budget).skip();
    }
  }

  /** The numbers of the object streams: those that hold a listed object, and in a mixed file all others that are listed. */
  #containers(): ReadonlySet<number> {
    const { entries, isMixed } = this.xref;
    const containers = new Set<number>();
    for (const num of entries.numbers()) {
      this.budget.spend(COST.entry);
      const entry = entries.get(num);
      if (entry?.kind === 'packed') containers.add(entry.container);
      else if (isMixed && entry?.kind === 'plain' && this.#isObjectStream(new PdfRef(num, entry.gen)))
        containers.add(num);
    }
    return containers;
  }

  #isObjectStream(ref: PdfRef): boolean {
    const object = this.object(ref);
    return object instanceof PdfStream && isName(this.resolve(object.dict.get('Type')), 'ObjStm');
  }

  streamData(stream: PdfStream): Uint8Array {
    const length = this.#unpacked(stream.dict.get('Length'));
    return streamData(stream.dict.source, stream.start, length, this.budget);
  }

  decodedData(stream: PdfStream): Uint8Array {
    const data = this.streamData(stream);
    return decodeStructure(data, stream.dict, this.budget, (value) => this.#unpacked(value));
  }

  /**
   * Values in an object stream's dictionary may be references, but not to an object inside an object stream: that
   * could be the very stream being opened.
   */
  #unpacked(value: PdfValue): PdfValue {
    if (!(value instanceof PdfRef)) return value;
    const entry = this.xref.entries.get(value.num);
    if (entry?.kind !== 'plain') throw damaged(`${value} is needed before it can be read`);
    const object = this.object(value);
    if (object instanceof PdfStream || object instanceof PdfRef) throw damaged(`${value} is a wrong value`);
    return object;
  }
}
