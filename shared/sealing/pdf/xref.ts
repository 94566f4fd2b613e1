import { type Budget, COST, LIMITS } from './budget.ts';
import { decodeStructure } from './filters.ts';
import { Parser } from './parser.ts';
import { damaged, tooComplex } from './refusal.ts';
import { latin1 } from './text.ts';
import {
  hasDuplicates,
  isName,
  isWholeNumber,
  PdfArray,
  PdfDict,
  type PdfObject,
  type PdfValue,
  unclearNumberIn,
} from './values.ts';
import { XrefEntries } from './xref-entries.ts';

export interface Xref {
  entries: XrefEntries;
  /** The newest trailer: its dictionary, or that of the cross-reference stream. */
  trailer: PdfDict;
  style: 'table' | 'stream';
  /** The next section's /Prev. */
  startXref: number;
  /** Newest first. */
  sections: readonly PlacedSection[];
  /** The begin of the first object that the newest section lists: in an update, all objects follow what was there before. */
  revisionAt: number;
  /** True if the newest section is a stream and an older one a table: PDFium then searches the file and prefers object streams. */
  isMixed: boolean;
  /** False if some programs do not find the offset after "startxref" and so rebuild the cross-reference. */
  hasClearStart: boolean;
  /** Bytes before the header if offsets count from the header; usually 0. */
  base: number;
  /** The first unused object number. */
  nextNumber: number;
  /** True if any section names an encryption dictionary. */
  encrypted: boolean;
  /** Reasons for which programs read sections differently. Reading goes on regardless; intake.ts refuses such a file. */
  ambiguities: readonly string[];
  /** Objects that a hybrid file's table lists as free and its hidden section has: some programs do not find them. */
  hidden: ReadonlySet<number>;
}

export interface PlacedSection {
  /** The offset that leads to it, from the first byte of the file. */
  at: number;
  style: 'table' | 'stream';
  trailer: PdfDict;
  /** The number of the object that a stream is; 0 for a table. */
  num: number;
}

interface Section extends PlacedSection {
  /** Added last, because a hybrid file's hidden section takes precedence. Maps to the number in the place of the offset. */
  free: Map<number, number>;
  /** The smallest offset of an object that it lists; Infinity if it lists none. */
  firstOffset: number;
  ambiguity: string | null;
}

export function readXref(bytes: Uint8Array, headerAt: number, budget: Budget): Xref {
  const { startXref, hasClearStart } = findStartXref(bytes, budget);
  const base = sectionBegins(bytes, startXref, budget) ? 0 : headerAt;
  const { entries, sections, ambiguities, hidden } = new Sections(bytes, { headerAt, base }, budget).read(
    startXref,
  );
  const [newest] = sections;
  if (newest === undefined) throw damaged('no cross-reference');
  const size = newest.trailer.get('Size');
  if (!isWholeNumber(size)) throw damaged('the trailer has no /Size');
  const nextNumber = Math.max(size, entries.largest + 1);
  if (nextNumber > LIMITS.nextObjectNumber) throw tooComplex(`/Size ${size}`);
  return {
    entries,
    trailer: newest.trailer,
    style: newest.style,
    startXref,
    sections,
    revisionAt: base + newest.firstOffset,
    isMixed: newest.style === 'stream' && sections.some(({ style }) => style === 'table'),
    hasClearStart,
    base,
    nextNumber,
    encrypted: sections.some(({ trailer }) => trailer.get('Encrypt') !== null),
    ambiguities,
    hidden,
  };
}

/** Reads the newest section and those that it leads to. */
class Sections {
  readonly #bytes: Uint8Array;
  readonly #headerAt: number;
  readonly #base: number;
  readonly #budget: Budget;
  readonly #visited = new Set<number>();
  readonly #entries = new XrefEntries();
  readonly #sections: Section[] = [];
  readonly #ambiguities: string[] = [];
  readonly #hidden = new Set<number>();

  constructor(bytes: Uint8Array, { headerAt, base }: { headerAt: number; base: number }, budget: Budget) {
    this.#bytes = bytes;
    this.#headerAt = headerAt;
    this.#base = base;
    this.#budget = budget;
  }

  read(startXref: number) {
    for (let offset: number | undefined = startXref; offset !== undefined; ) {
      const section = this.#readOne(offset);
      // Ghostscript then prefers the stream.
      if (section.style === 'stream' && this.#sections[0]?.style === 'table')
        this.#ambiguities.push('a table follows a cross-reference stream');
      this.#readHidden(section);
      this.#addFree(section);
      offset = previousOf(section.trailer);
    }
    return {
      entries: this.#entries,
      sections: this.#sections,
      ambiguities: this.#ambiguities,
      hidden: this.#hidden,
    };
  }

  #readOne(offset: number): Section {
    if (this.#visited.has(offset)) throw damaged(`the cross-reference loops at ${offset}`);
    this.#visited.add(offset);
    const section = parseSection(this.#bytes, this.#base + offset, this.#budget, this.#entries);
    this.#sections.push(section);
    this.#ambiguities.push(...this.#ambiguitiesOf(section));
    return section;
  }

  /** Hybrid file: objects that the table marks free may be in the stream that its trailer names. */
  #readHidden({ style, trailer, free }: Section): void {
    const offset = style === 'table' ? trailer.get('XRefStm') : null;
    if (!isWholeNumber(offset) || this.#visited.has(offset)) return;
    const open = [...free.keys()].filter((num) => this.#entries.get(num) === undefined);
    const stream = this.#readOne(offset);
    for (const num of open) if (this.#entries.get(num) !== undefined) this.#hidden.add(num);
    this.#addFree(stream);
  }

  #addFree({ free }: Section): void {
    for (const [num, stated] of free) this.#entries.addFree(num, stated);
  }

  *#ambiguitiesOf({ style, trailer, ambiguity }: Section): Generator<string> {
    if (ambiguity !== null) yield ambiguity;
    if (hasDuplicates(trailer)) yield 'a trailer has two values of one key';
    const unclear = unclearNumberIn(trailer, OFFSETS);
    if (unclear !== undefined) yield `/${unclear} is not a plain number`;
    if (style === 'stream' && trailer.get('XRefStm') !== null)
      yield 'a cross-reference stream names another one';
    if (
      trailer.get('Prev') === 0 &&
      beginsWithSection(this.#bytes, this.#headerAt, this.#budget, this.#visited)
    )
      yield '/Prev 0 leads to another cross-reference section';
  }
}

const OFFSETS: ReadonlySet<string> = new Set(['Prev', 'XRefStm']);

/** Some writers end the chain with /Prev 0 instead of omitting it. */
function previousOf(trailer: PdfDict): number | undefined {
  const previous = trailer.get('Prev');
  if (previous === null || previous === 0) return undefined;
  if (!isWholeNumber(previous)) throw damaged('/Prev is not an offset');
  return previous;
}

/**
 * True if the file begins with a section that was not visited. Some programs follow /Prev 0 to it, and accept more forms of its
 * object number than this reader.
 */
function beginsWithSection(
  bytes: Uint8Array,
  headerAt: number,
  budget: Budget,
  visited: ReadonlySet<number>,
): boolean {
  const parser = new Parser(bytes, headerAt, budget);
  const mayBeObject = parser.isAtNumber();
  if (visited.has(parser.position - headerAt)) return false;
  if (!parser.objectHeader()) return mayBeObject || parser.keyword('xref');
  const dict = parser.value();
  return dict instanceof PdfDict && dict.get('W') !== null && parser.keyword('stream');
}

function findStartXref(bytes: Uint8Array, budget: Budget): Pick<Xref, 'startXref' | 'hasClearStart'> {
  const tail = tailOf(bytes);
  const at = tail.lastIndexOf(STARTXREF);
  if (at < 0) throw damaged('no startxref');
  const after = at + STARTXREF.length;
  const startXref = new Parser(bytes, bytes.length - tail.length + after, budget).wholeNumber();
  if (startXref <= 0 || startXref >= bytes.length) throw damaged('startxref points nowhere');
  const rest = tail.slice(after);
  // pdf.js skips only this white space here, and no comments. PDFium uses the previous "startxref" if this one is too close to the end.
  const hasClearStart = /^[ \t\r\n]+\d/.test(rest) && rest.length >= MIN_AFTER_STARTXREF;
  return { startXref, hasClearStart };
}

/** The last kilobyte if "startxref" is there, as in nearly every file: decoding 64 KB takes a third of a millisecond. */
function tailOf(bytes: Uint8Array): string {
  const short = latin1(bytes.subarray(-1_024));
  return short.includes(STARTXREF) ? short : latin1(bytes.subarray(-65_536));
}

const STARTXREF = 'startxref';
/** The shortest regular ending (a line end, an offset, "%%EOF") is longer. */
const MIN_AFTER_STARTXREF = 8;

function sectionBegins(bytes: Uint8Array, at: number, budget: Budget): boolean {
  const parser = new Parser(bytes, at, budget);
  if (parser.keyword('xref')) return true;
  return parser.objectHeader();
}

function parseSection(bytes: Uint8Array, at: number, budget: Budget, entries: XrefEntries): Section {
  if (at >= bytes.length) throw damaged('a cross-reference section lies outside the file');
  const parser = new Parser(bytes, at, budget);
  const parse = parser.keyword('xref') ? parseTable : parseStream;
  const section = parse(bytes, parser, budget, entries);
  if (parser.unclear !== null) section.ambiguity = `${parser.unclear} in a trailer`;
  return { at, ...section };
}

type Unplaced = Omit<Section, 'at'>;

function parseTable(bytes: Uint8Array, parser: Parser, budget: Budget, entries: XrefEntries): Unplaced {
  const free = new Map<number, number>();
  const seen = new Set<number>();
  let firstOffset = Number.POSITIVE_INFINITY;
  let ambiguity: string | null = null;
  for (const { num, first, offset, gen, inUse } of tableEntries(bytes, parser, budget)) {
    if (seen.has(num)) ambiguity = `object ${num} is twice in a cross-reference table`;
    seen.add(num);
    if (num === 0 && inUse) ambiguity = OBJECT_0_IN_USE;
    if (num === 1 && first === 1 && !inUse)
      ambiguity = 'a cross-reference table may begin with object 0 or 1';
    // Some writers mark a missing object as in use at offset 0, where only the header can be.
    if (inUse && offset > 0) {
      entries.addPlain(num, offset, gen);
      firstOffset = Math.min(firstOffset, offset);
    } else free.set(num, offset);
  }
  const trailer = parser.value();
  if (!(trailer instanceof PdfDict)) throw damaged('the trailer is not a dictionary');
  return { style: 'table', trailer, num: 0, firstOffset, free, ambiguity };
}

const OBJECT_0_IN_USE = 'object 0 is in use';

/** `first` is the first number of an entry's subsection. */
function* tableEntries(bytes: Uint8Array, parser: Parser, budget: Budget) {
  while (!parser.keyword('trailer')) {
    const first = parser.wholeNumber();
    const count = parser.wholeNumber();
    if (first < 0 || count < 0) throw damaged(`broken cross-reference table at ${parser.position}`);
    parser.skipWhitespace();
    for (let num = first; num < first + count; num += 1) {
      budget.spend(COST.entry);
      const at = parser.position;
      parser.position = entryEnd(bytes, at);
      const inUse = bytes[at + 17] === LETTER_N;
      yield { num, first, offset: digits(bytes, at, 10), gen: digits(bytes, at + 11, 5), inUse };
    }
  }
}

const SPACE = 32;
const LETTER_N = 'n'.charCodeAt(0);
const LETTER_F = 'f'.charCodeAt(0);
const endsEntry = (byte: number | undefined): boolean => byte === SPACE || byte === 10 || byte === 13;

/**
 * An entry is "0000000123 00000 n" and one or two bytes of white space: 20 bytes by the standard, 19 in many files. Refuses
 * looser entries, because validators read them differently.
 */
function entryEnd(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 17];
  const spaced = bytes[at + 10] === SPACE && bytes[at + 16] === SPACE;
  if (!spaced || (kind !== LETTER_N && kind !== LETTER_F) || !endsEntry(bytes[at + 18])) {
    throw damaged(`broken cross-reference entry at ${at}`);
  }
  return endsEntry(bytes[at + 19]) ? at + 20 : at + 19;
}

function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i += 1) {
    const digit = (bytes[i] ?? 0) - 48;
    if (digit < 0 || digit > 9) throw damaged(`broken cross-reference entry at ${at}`);
    value = value * 10 + digit;
  }
  return value;
}

function parseStream(bytes: Uint8Array, parser: Parser, budget: Budget, entries: XrefEntries): Unplaced {
  const own = new Parser(bytes, parser.position, budget).wholeNumber();
  const dict = streamDict(parser);
  const data = streamData(bytes, streamStart(parser), dict.get('Length'), budget);
  const table = decodeStructure(data, dict, budget);
  const widths = fieldWidths(dict);
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const [secondAt, thirdAt] = [typeWidth, typeWidth + secondWidth];
  const width = thirdAt + thirdWidth;
  const free = new Map<number, number>();
  let firstOffset = Number.POSITIVE_INFINITY;
  let ambiguity: string | null = null;
  let at = 0;
  for (const num of listedObjects(dict)) {
    if (at + width > table.length) {
      ambiguity = 'a cross-reference stream is too short';
      break;
    }
    budget.spend(COST.entry);
    const type = typeWidth === 0 ? 1 : bigEndian(table, at, typeWidth);
    const second = bigEndian(table, at + secondAt, secondWidth);
    const third = bigEndian(table, at + thirdAt, thirdWidth);
    at += width;
    if (type === 2) entries.addPacked(num, second, third);
    else if (type === 1 && second > 0) {
      entries.addPlain(num, second, third);
      firstOffset = Math.min(firstOffset, second);
    } else free.set(num, second);
    ambiguity = ambiguityOfRow(num, type) ?? ambiguity;
  }
  // Programs disagree on a fourth field: PDFium skips it.
  if (widths.length > 3) ambiguity = 'a cross-reference stream has more than three fields';
  return { style: 'stream', trailer: dict, num: own, firstOffset, free, ambiguity };
}

function streamDict(parser: Parser): PdfDict {
  if (!parser.objectHeader()) throw damaged('no cross-reference section at the expected place');
  const dict = parser.value();
  if (!(dict instanceof PdfDict) || !isName(dict.get('Type'), 'XRef'))
    throw damaged('no cross-reference stream');
  return dict;
}

function fieldWidths(dict: PdfDict): number[] {
  const widths = wholeNumbers(dict.get('W'));
  const isEmpty = widths.slice(0, 3).every((width) => width === 0);
  if (widths.length < 3 || isEmpty || widths.some((width) => width > 8)) throw damaged('impossible /W');
  return widths;
}

function ambiguityOfRow(num: number, type: number): string | null {
  if (type > 2) return `a cross-reference stream has an entry of type ${type}`;
  return num === 0 && type !== 0 ? OBJECT_0_IN_USE : null;
}

/** The numbers of the objects that a cross-reference stream has rows for, by its /Index. */
function* listedObjects(dict: PdfDict): Generator<number> {
  const index = dict.get('Index') === null ? [0, Number(dict.get('Size'))] : wholeNumbers(dict.get('Index'));
  let end = 0;
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const first = index[pair] ?? 0;
    if (first < end) throw damaged('/Index of a cross-reference stream is not in order');
    end = first + (index[pair + 1] ?? 0);
    for (let num = first; num < end; num += 1) yield num;
  }
}

/** Consumes "stream" and its line end; returns where the data begins. */
export function streamStart(parser: Parser): number {
  if (!parser.keyword('stream')) throw damaged(`no stream at ${parser.position}`);
  const from = parser.position;
  if (parser.peek() === 13) parser.position += 1;
  if (parser.peek() === 10) parser.position += 1;
  // Most programs begin the data at the next line.
  if (parser.position === from) throw damaged(`"stream" does not end its line at ${from}`);
  return parser.position;
}

/** A stream's data; refuses a /Length that "endstream" does not follow. */
export function streamData(bytes: Uint8Array, start: number, length: PdfObject, budget: Budget): Uint8Array {
  if (!isWholeNumber(length) || start + length > bytes.length) throw damaged('a stream has no right /Length');
  if (!new Parser(bytes, start + length, budget).keyword('endstream')) {
    throw damaged(`the stream at ${start} does not end where /Length says`);
  }
  return bytes.subarray(start, start + length);
}

function wholeNumbers(value: PdfValue): number[] {
  if (!(value instanceof PdfArray)) throw damaged('numbers are missing in a cross-reference stream');
  return value.items.map((item) => {
    if (!isWholeNumber(item.value)) throw damaged('numbers are missing in a cross-reference stream');
    return item.value;
  });
}

function bigEndian(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}

/** The offset of "%PDF-" within the first kilobyte, or -1. */
export function findHeader(bytes: Uint8Array): number {
  return latin1(bytes.subarray(0, 1029)).indexOf('%PDF-');
}
