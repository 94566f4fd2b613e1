import { isDigit } from './text.ts';

/**
 * PDF values as read from a file. Dictionaries and arrays keep the offsets of their parts: an object is changed by replacing
 * pieces of its text, never by serializing it again.
 */
export class PdfName {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

export class PdfRef {
  readonly num: number;
  readonly gen: number;
  constructor(num: number, gen: number) {
    this.num = num;
    this.gen = gen;
  }

  toString(): string {
    return `${this.num} ${this.gen} R`;
  }
}

/** A string token as in the source, brackets included. */
export class PdfString {
  readonly raw: Uint8Array;
  constructor(raw: Uint8Array) {
    this.raw = raw;
  }
}

export interface ArrayItem {
  value: PdfValue;
  from: number;
  to: number;
}

export class PdfArray {
  readonly source: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly items: readonly ArrayItem[];
  constructor(source: Uint8Array, from: number, to: number, items: readonly ArrayItem[]) {
    this.source = source;
    this.from = from;
    this.to = to;
    this.items = items;
  }
}

export interface DictEntry {
  key: string;
  keyFrom: number;
  value: PdfValue;
  from: number;
  to: number;
}

const LARGE_DICTIONARY = 64;

export class PdfDict {
  readonly source: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly entries: readonly DictEntry[];
  /** An index for large dictionaries only, where linear searches would take long. */
  #values: Map<string, PdfValue> | undefined;

  constructor(source: Uint8Array, from: number, to: number, entries: readonly DictEntry[]) {
    this.source = source;
    this.from = from;
    this.to = to;
    this.entries = entries;
  }

  /** The value as written (a reference stays one), or null. The last of duplicate keys counts. */
  get(key: string): PdfValue {
    if (this.entries.length < LARGE_DICTIONARY)
      return this.entries.findLast((entry) => entry.key === key)?.value ?? null;
    this.#values ??= new Map(this.entries.map((entry) => [entry.key, entry.value]));
    return this.#values.get(key) ?? null;
  }
}

/** For a dictionary that is not there. */
export const EMPTY_DICT = new PdfDict(new Uint8Array(), 0, 0, []);

/** The first of these keys whose value is not written only in digits: programs read other forms differently. */
export const unclearNumberIn = (
  { source, entries }: PdfDict,
  keys: ReadonlySet<string>,
): string | undefined =>
  entries.find(
    ({ key, from, to }) => keys.has(key) && source.subarray(from, to).some((byte) => !isDigit(byte)),
  )?.key;

/** True for a number with a decimal point, as in 2.0. */
export const isPointed = (source: Uint8Array, { value, from, to }: ArrayItem): boolean =>
  typeof value === 'number' && source.subarray(from, to).includes(POINT);

/** True if the value of a key is such a number. */
export const hasPoint = ({ source, entries }: PdfDict, key: string): boolean =>
  entries.some((entry) => entry.key === key && isPointed(source, entry));

const POINT = 0x2e;

/** Programs differ in which of two equal keys counts. */
export const hasDuplicates = ({ entries }: PdfDict): boolean =>
  new Set(entries.map(({ key }) => key)).size < entries.length;

/** A dictionary followed by data, which begins at `start` in the dictionary's source. */
export class PdfStream {
  readonly dict: PdfDict;
  readonly start: number;
  constructor(dict: PdfDict, start: number) {
    this.dict = dict;
    this.start = start;
  }
}

export type PdfValue = null | boolean | number | PdfName | PdfRef | PdfString | PdfArray | PdfDict;
export type PdfObject = PdfValue | PdfStream;

/** Follows references to a value. */
export type Resolve = (value: PdfValue) => PdfObject;

export const isName = (value: PdfObject, name: string): boolean =>
  value instanceof PdfName && value.name === name;

/** Empty for anything else than a name. */
export const nameOf = (value: PdfObject): string => (value instanceof PdfName ? value.name : '');

export const isWholeNumber = (value: PdfObject): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
