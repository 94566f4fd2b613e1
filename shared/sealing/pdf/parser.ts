import { sameBytes } from '../der.ts';
import { type Budget, COST, LIMITS } from './budget.ts';
import { damaged, tooComplex } from './refusal.ts';
import { hexValue, isDigit, latin1 } from './text.ts';
import {
  type ArrayItem,
  type DictEntry,
  PdfArray,
  PdfDict,
  PdfName,
  PdfRef,
  PdfString,
  type PdfValue,
} from './values.ts';

const WHITESPACE = 1;
const DELIMITER = 2;
const BYTE_CLASS = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) BYTE_CLASS[byte] = WHITESPACE;
for (const char of '()<>[]{}/%') BYTE_CLASS[char.charCodeAt(0)] = DELIMITER;

const code = (char: string): number => char.charCodeAt(0);
const PERCENT = code('%');
const SLASH = code('/');
const HASH = code('#');
const BACKSLASH = code('\\');
const ROUND_OPEN = code('(');
const ROUND_CLOSE = code(')');
const ANGLE_OPEN = code('<');
const ANGLE_CLOSE = code('>');
const SQUARE_OPEN = code('[');
const SQUARE_CLOSE = code(']');
const LETTER_R = code('R');

/** "1-2" is 1, 12 or two numbers, "1e2" is 1 or 100, and "[3 0R]" two numbers or a reference. */
const PLAIN_NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** In bytes as written, including the slash of a name: PDFium cuts off the rest. */
const LONGEST_WORD = 255;

/** Some programs end "/JavaScript#00" before the zero, and PDFium ends a name at bytes that it reads as white space. */
const UNCLEAR_NAME = 'a name holds a byte that ends it in some programs';

/** Viewer settings, which LaTeX writes twice. Differing duplicates are harmless. */
const OF_WINDOW: ReadonlySet<string> = new Set(['PageMode', 'PageLayout']);

/** Reads PDF syntax from a position. One parser reads one object, with limited depth and number of values. */
export class Parser {
  position: number;
  readonly #bytes: Uint8Array;
  readonly #budget: Budget;
  #valuesLeft: number = LIMITS.valuesPerObject;
  /** The largest object number referenced so far. */
  largestReference = 0;
  /** The first thing so far that programs read differently; null if there is none. */
  unclear: string | null = null;

  constructor(bytes: Uint8Array, position: number, budget: Budget) {
    this.#bytes = bytes;
    this.position = position;
    this.#budget = budget;
  }

  /** The byte at the position, or -1 past the end. */
  peek(ahead = 0): number {
    return this.#bytes[this.position + ahead] ?? -1;
  }

  get valuesRead(): number {
    return LIMITS.valuesPerObject - this.#valuesLeft;
  }

  skipWhitespace(): void {
    const bytes = this.#bytes;
    let at = this.position;
    while (at < bytes.length) {
      const byte = bytes[at] ?? -1;
      if (BYTE_CLASS[byte] === WHITESPACE) {
        at += 1;
      } else if (byte === PERCENT) {
        while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at += 1;
      } else {
        break;
      }
    }
    this.#budget.spend(COST.scannedByte, at - this.position);
    this.position = at;
  }

  /** Consumes the keyword if it comes next and is not the start of a longer word. */
  keyword(word: string): boolean {
    this.skipWhitespace();
    for (let i = 0; i < word.length; i += 1) if (this.peek(i) !== word.charCodeAt(i)) return false;
    if (this.#isRegular(this.peek(word.length))) return false;
    this.position += word.length;
    return true;
  }

  /** Consumes an unsigned whole number if one comes next; otherwise returns -1 and stays. */
  wholeNumber(): number {
    this.skipWhitespace();
    let at = this.position;
    let value = 0;
    while (isDigit(this.#bytes[at] ?? -1)) {
      value = value * 10 + (this.#bytes[at] ?? 48) - 48;
      at += 1;
    }
    this.#budget.spend(COST.scannedByte, at - this.position);
    this.#noteLength(at - this.position);
    if (at === this.position || this.#isRegular(this.#bytes[at] ?? -1)) return -1;
    this.position = at;
    return value;
  }

  #noteLength(bytes: number): void {
    if (bytes > LONGEST_WORD) this.unclear ??= 'a name or number is so long that some programs cut it off';
  }

  /** True if a number comes next in any form that some program reads, such as "+1" or "1.0". */
  isAtNumber(): boolean {
    this.skipWhitespace();
    return /[-+.\d]/.test(String.fromCharCode(this.peek()));
  }

  /** Consumes "12 0 obj". */
  objectHeader(): boolean {
    return this.wholeNumber() >= 0 && this.wholeNumber() >= 0 && this.keyword('obj');
  }

  value(depth = 0): PdfValue {
    this.#count(COST.value);
    if (depth > LIMITS.depth) throw tooComplex('nested too deeply');
    this.skipWhitespace();
    const byte = this.peek();
    if (byte === SLASH) return new PdfName(this.#name());
    if (byte === ROUND_OPEN) return this.#literalString();
    if (byte === SQUARE_OPEN) return this.#array(depth);
    if (byte === ANGLE_OPEN) return this.peek(1) === ANGLE_OPEN ? this.#dict(depth) : this.#hexString();
    if (this.#isRegular(byte)) return this.#numberOrWord(depth);
    throw damaged(`no value at ${this.position}`);
  }

  /** Moves past a value, and refuses what `value` would refuse. Makes nothing of it, and takes a third of the time. */
  skip(depth = 0): void {
    this.#count(COST.skippedValue);
    if (depth > LIMITS.depth) throw tooComplex('nested too deeply');
    this.skipWhitespace();
    const byte = this.peek();
    if (byte === SLASH) this.#skipName();
    else if (byte === ROUND_OPEN) this.#literalString();
    else if (byte === SQUARE_OPEN) this.#skipArray(depth);
    else if (byte === ANGLE_OPEN && this.peek(1) === ANGLE_OPEN) this.#skipDict(depth);
    else if (byte === ANGLE_OPEN) this.#hexString();
    else if (this.#isRegular(byte)) this.#numberOrWord(depth);
    else throw damaged(`no value at ${this.position}`);
  }

  #skipArray(depth: number): void {
    this.position += 1;
    while (!this.#isArrayEnd()) this.skip(depth + 1);
    this.position += 1;
  }

  #skipDict(depth: number): void {
    this.position += 2;
    while (!this.#isDictEnd()) {
      this.#budget.spend(COST.skippedValue);
      this.#skipName();
      this.skip(depth + 1);
    }
    this.position += 2;
  }

  #skipName(): void {
    const from = this.position;
    const isEscaped = this.#passName();
    this.#budget.spend(COST.scannedByte, this.position - from);
    if (isEscaped) unescaped(this.#bytes.subarray(from + 1, this.position));
  }

  #isArrayEnd(): boolean {
    this.skipWhitespace();
    return this.peek() === SQUARE_CLOSE;
  }

  /** Refuses anything that is neither the end nor a key. */
  #isDictEnd(): boolean {
    this.skipWhitespace();
    if (this.peek() === ANGLE_CLOSE && this.peek(1) === ANGLE_CLOSE) return true;
    if (this.peek() !== SLASH) throw damaged(`no key in the dictionary at ${this.position}`);
    return false;
  }

  #count(cost: number): void {
    this.#budget.spend(cost);
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw tooComplex('too many values in one object');
  }

  #isRegular(byte: number): boolean {
    return byte >= 0 && BYTE_CLASS[byte] === 0;
  }

  #dict(depth: number): PdfDict {
    const from = this.position;
    this.#budget.spend(COST.container);
    const entries: DictEntry[] = [];
    this.position += 2;
    while (!this.#isDictEnd()) {
      const keyFrom = this.position;
      this.#budget.spend(COST.value);
      const key = this.#name();
      this.skipWhitespace();
      const valueFrom = this.position;
      const value = this.value(depth + 1);
      entries.push({ key, keyFrom, value, from: valueFrom, to: this.position });
    }
    this.position += 2;
    if (this.#haveTwoValues(entries)) this.unclear ??= 'a dictionary has two values of one key';
    return new PdfDict(this.#bytes, from, this.position, entries);
  }

  /** Some programs use the first value, some the last. */
  #haveTwoValues(entries: readonly DictEntry[]): boolean {
    const seen = new Map<string, DictEntry>();
    return entries.some((entry) => {
      const first = seen.get(entry.key);
      if (first === undefined) seen.set(entry.key, entry);
      return first !== undefined && !OF_WINDOW.has(entry.key) && !this.#isSameText(first, entry);
    });
  }

  #isSameText(a: DictEntry, b: DictEntry): boolean {
    return sameBytes(this.#bytes.subarray(a.from, a.to), this.#bytes.subarray(b.from, b.to));
  }

  #array(depth: number): PdfArray {
    const from = this.position;
    this.#budget.spend(COST.container);
    const items: ArrayItem[] = [];
    this.position += 1;
    while (!this.#isArrayEnd()) {
      const itemFrom = this.position;
      const value = this.value(depth + 1);
      items.push({ value, from: itemFrom, to: this.position });
    }
    this.position += 1;
    return new PdfArray(this.#bytes, from, this.position, items);
  }

  /** Moves past a name. True if it has escapes. */
  #passName(): boolean {
    const from = this.position;
    let isEscaped = false;
    this.position += 1;
    for (let byte = this.peek(); this.#isRegular(byte); byte = this.peek()) {
      if (byte === HASH) isEscaped = true;
      if (byte === 0x80 || byte === 0xff) this.unclear ??= UNCLEAR_NAME;
      this.position += 1;
      if (this.position - from > LIMITS.nameBytes) throw damaged(`the name at ${from} has no end`);
    }
    return isEscaped;
  }

  #name(): string {
    const from = this.position;
    const isEscaped = this.#passName();
    this.#budget.spend(COST.nameByte, this.position - from);
    this.#noteLength(this.position - from);
    if (!isEscaped) return latin1(this.#bytes, from + 1, this.position);
    const name = latin1(unescaped(this.#bytes.subarray(from + 1, this.position)));
    if (name.includes('\0')) this.unclear ??= UNCLEAR_NAME;
    return name;
  }

  #literalString(): PdfString {
    const from = this.position;
    let open = 0;
    do {
      const byte = this.peek();
      if (byte < 0) throw damaged(`the string at ${from} has no end`);
      if (byte === BACKSLASH) this.position += 1;
      else if (byte === ROUND_OPEN) open += 1;
      else if (byte === ROUND_CLOSE) open -= 1;
      this.position += 1;
    } while (open > 0);
    this.#budget.spend(COST.scannedByte, this.position - from);
    return new PdfString(this.#bytes.subarray(from, this.position));
  }

  #hexString(): PdfString {
    const from = this.position;
    do {
      this.position += 1;
    } while (hexValue(this.peek()) >= 0 || BYTE_CLASS[this.peek()] === WHITESPACE);
    if (this.peek() !== ANGLE_CLOSE) throw damaged(`the string at ${from} is broken`);
    this.position += 1;
    this.#budget.spend(COST.scannedByte, this.position - from);
    return new PdfString(this.#bytes.subarray(from, this.position));
  }

  #numberOrWord(depth: number): PdfValue {
    const whole = this.wholeNumber();
    if (whole >= 0) return this.#refAfter(whole) ?? whole;
    const from = this.position;
    while (this.#isRegular(this.peek())) {
      this.position += 1;
      if (this.position - from > 128) throw damaged(`no value at ${from}`);
    }
    const word = String.fromCharCode(...this.#bytes.subarray(from, this.position));
    if (word === 'true') return true;
    if (word === 'false') return false;
    if (word === 'null') return null;
    if (!/^[-+.\d]/.test(word)) throw damaged(`no value at ${from}`);
    // Some programs write "59endobj" without a space.
    const number = depth === 0 ? word.replace(/endobj$/, '') : word;
    if (PLAIN_NUMBER.test(number)) {
      const value = Number(number);
      if (depth === 0 && value !== 0 && Number.isInteger(value) && number.includes('.'))
        this.unclear ??= 'an object is a whole number with a point';
      return value;
    }
    this.unclear ??= 'a number is not a plain one';
    return Number.NaN;
  }

  /** A reference ("12 0 R") starts like a number. */
  #refAfter(num: number): PdfRef | undefined {
    const back = this.position;
    const gen = this.wholeNumber();
    if (gen >= 0) {
      this.skipWhitespace();
      if (this.peek() === LETTER_R && !this.#isRegular(this.peek(1))) {
        this.position += 1;
        this.largestReference = Math.max(this.largestReference, num);
        return new PdfRef(num, gen);
      }
    }
    this.position = back;
    return undefined;
  }
}

/** A name with each "#41" replaced by its byte. */
function unescaped(name: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(name.length);
  let length = 0;
  for (let at = 0; at < name.length; at += 1) {
    let byte = name[at] ?? 0;
    if (byte === HASH) {
      const [high, low] = [hexValue(name[at + 1] ?? 0), hexValue(name[at + 2] ?? 0)];
      if (high < 0 || low < 0) throw damaged('a name holds a stray #');
      byte = high * 16 + low;
      at += 2;
    }
    bytes[length] = byte;
    length += 1;
  }
  return bytes.subarray(0, length);
}
