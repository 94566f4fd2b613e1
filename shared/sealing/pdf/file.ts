import { Budget } from './budget.ts';
import { decodeStructure } from './filters.ts';
import { Parser } from './parser.ts';
import { damaged, PdfRefusal } from './refusal.ts';
import {
  isName,
  isWholeNumber,
  PdfArray,
  PdfDict,
  type PdfObject,
  PdfRef,
  PdfStream,
  type PdfValue,
} from './values.ts';
import { findHeader, readXref, streamData, streamStart, type Xref } from './xref.ts';

/** An object stream, decompressed: where each of its objects begins. */
interface Pack {
  data: Uint8Array;
  offsets: Map<number, number>;
}

const PACKED_BYTES_KEPT = 32 * 1024 * 1024;

/**
 * A PDF read strictly: the cross-reference is believed or the file is refused, nothing is guessed or repaired.
 * Objects are read when they are asked for and are not kept.
 */
export class PdfFile {
  readonly bytes: Uint8Array;
  readonly xref: Xref;
  readonly #budget: Budget;
  readonly #packs = new Map<number, Pack>();
  #packedBytes = 0;

  constructor(bytes: Uint8Array) {
    const headerAt = findHeader(bytes);
    if (headerAt < 0) throw new PdfRefusal('not_a_pdf', 'no %PDF- header');
    this.bytes = bytes;
    this.#budget = new Budget();
    this.xref = readXref(bytes, headerAt, this.#budget);
    if (this.xref.encrypted) throw new PdfRefusal('pdf_encrypted', 'the trailer names /Encrypt');
  }

  /** The value itself, or what the reference leads to: null when that is missing or freed. */
  resolve(value: PdfValue): PdfObject {
    let object: PdfObject = value;
    for (let hops = 0; object instanceof PdfRef; hops += 1) {
      if (hops > 20) throw damaged('references lead in a circle');
      object = this.object(object);
    }
    return object;
  }

  dict(value: PdfValue, what: string): PdfDict {
    const object = this.resolve(value);
    if (object instanceof PdfDict) return object;
    throw damaged(`${what} is no dictionary`);
  }

  /** The array, null when absent, a refusal when it is something else. */
  array(value: PdfValue, what: string): PdfArray | null {
    const object = this.resolve(value);
    if (object === null || object instanceof PdfArray) return object;
    throw damaged(`${what} is no array`);
  }

  object(ref: PdfRef): PdfObject {
    const entry = this.xref.entries.get(ref.num);
    if (entry === undefined || entry.kind === 'free') return null;
    if (entry.kind === 'packed') return ref.gen === 0 ? this.#packedObject(ref, entry.container) : null;
    return entry.gen === ref.gen ? this.#plainObject(ref, entry.offset) : null;
  }

  #plainObject(ref: PdfRef, offset: number): PdfObject {
    const parser = new Parser(this.bytes, this.xref.base + offset, this.#budget);
    if (parser.wholeNumber() !== ref.num || parser.wholeNumber() !== ref.gen || !parser.keyword('obj')) {
      throw damaged(`object ${ref.num} is not where the cross-reference says`);
    }
    const value = parser.value();
    if (parser.keyword('endobj') || !(value instanceof PdfDict)) return value;
    return new PdfStream(value, streamStart(parser));
  }

  #packedObject(ref: PdfRef, container: number): PdfObject {
    const pack = this.#pack(container);
    const offset = pack.offsets.get(ref.num);
    if (offset === undefined) throw damaged(`object ${ref.num} is not in its object stream`);
    return new Parser(pack.data, offset, this.#budget).value();
  }

  #pack(container: number): Pack {
    const kept = this.#packs.get(container);
    if (kept !== undefined) return kept;
    const pack = this.#readPack(container);
    this.#packs.set(container, pack);
    this.#packedBytes += pack.data.length;
    for (const [oldest, { data }] of this.#packs) {
      if (this.#packedBytes <= PACKED_BYTES_KEPT) break;
      this.#packs.delete(oldest);
      this.#packedBytes -= data.length;
    }
    return pack;
  }

  #readPack(container: number): Pack {
    const entry = this.xref.entries.get(container);
    if (entry?.kind !== 'plain') throw damaged(`object stream ${container} is missing`);
    const stream = this.#plainObject(new PdfRef(container, entry.gen), entry.offset);
    if (!(stream instanceof PdfStream) || !isName(stream.dict.get('Type'), 'ObjStm')) {
      throw damaged(`object ${container} is no object stream`);
    }
    const data = decodeStructure(
      this.streamData(stream),
      this.#unpacked(stream.dict.get('Filter')),
      this.#unpacked(stream.dict.get('DecodeParms')),
      this.#budget,
    );
    const count = this.#unpacked(stream.dict.get('N'));
    const first = this.#unpacked(stream.dict.get('First'));
    if (!isWholeNumber(count) || !isWholeNumber(first)) throw damaged(`object stream ${container} is broken`);
    const offsets = new Map<number, number>();
    const parser = new Parser(data, 0, this.#budget);
    for (let i = 0; i < count; i += 1) {
      this.#budget.entry();
      const num = parser.wholeNumber();
      const offset = parser.wholeNumber();
      if (num < 0 || offset < 0) throw damaged(`object stream ${container} is broken`);
      offsets.set(num, first + offset);
    }
    return { data, offsets };
  }

  streamData(stream: PdfStream): Uint8Array {
    const length = this.#unpacked(stream.dict.get('Length'));
    return streamData(stream.dict.source, stream.start, length, this.#budget);
  }

  /**
   * What an object stream's dictionary needs may be given by reference, but not to an object inside an object
   * stream: that could be the very one that is being opened.
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
