import { COST } from './budget.ts';
import type { PdfFile } from './file.ts';
import { Parser } from './parser.ts';
import { PdfRefusal } from './refusal.ts';
import { isDigit } from './text.ts';
import { PdfDict } from './values.ts';
import type { PlacedSection } from './xref.ts';

/**
 * True if a search of the bytes finds the same objects and trailers as the cross-reference: programs that reject a
 * cross-reference rebuild it by such a search, using the last object of each number. Deleted objects do not count unless one was
 * asked for, because Poppler then searches.
 */
export function searchFindsTheSame(file: PdfFile, from = 0): boolean {
  const { bytes, budget, xref } = file;
  budget.spend(COST.scannedByte, bytes.length - from);
  const found = new Map<number, number>();
  for (const at of placesOf('obj', bytes, from)) {
    const num = numberBefore(bytes, at);
    if (num !== null) found.set(num, at);
  }
  const ofSections = new Set(xref.sections.map(({ at }) => keywordOf(file, at)));
  const mayHaveFormer = xref.style === 'stream' && !xref.sections.some(isHybrid);
  const isListed = ([num, at]: [number, number]): boolean => {
    const entry = xref.entries.get(num);
    if (entry?.kind === 'free') return !file.deleted.has(num);
    if (ofSections.has(at)) return true;
    const offset = entry?.kind === 'plain' ? entry.offset : mayHaveFormer && xref.entries.formerOffset(num);
    return typeof offset === 'number' && keywordOf(file, xref.base + offset) === at;
  };
  const tables = xref.sections.filter(
    ({ at, style, trailer }) => style === 'table' && at >= from && namesCatalog(trailer),
  );
  return [...found].every(isListed) && trailersIn(file, from) <= tables.length;
}

/** Poppler searches a file that ends with a table if it misses an object. Ghostscript reads only the last hidden section. */
const isHybrid = ({ trailer }: PlacedSection): boolean => trailer.get('XRefStm') !== null;

function* placesOf(word: string, bytes: Uint8Array, from: number): Generator<number> {
  const letters = Array.from(word, (letter) => letter.charCodeAt(0));
  const [first = 0] = letters;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let length = 1;
    while (length < letters.length && bytes[at + length] === letters[length]) length += 1;
    if (length === letters.length) yield at;
  }
}

/** The offset of "obj" in the header of an object, or a negative number. */
function keywordOf({ bytes, budget }: PdfFile, offset: number): number {
  budget.spend(COST.entry);
  const parser = new Parser(bytes, offset, budget);
  return parser.objectHeader() ? parser.position - 'obj'.length : -1;
}

function trailersIn({ bytes, budget }: PdfFile, from: number): number {
  let trailers = 0;
  for (const at of placesOf('trailer', bytes, from)) {
    const parser = new Parser(bytes, at + 'trailer'.length, budget);
    parser.skipWhitespace();
    if (parser.peek() === ANGLE_OPEN && parser.peek(1) === ANGLE_OPEN && mayNameCatalog(parser))
      trailers += 1;
  }
  return trailers;
}

/** No program accepts a trailer without /Root. Some writers end a file of cross-reference streams with one. */
function mayNameCatalog(parser: Parser): boolean {
  try {
    const trailer = parser.value();
    return !(trailer instanceof PdfDict) || namesCatalog(trailer);
  } catch (error) {
    if (error instanceof PdfRefusal && error.code === 'pdf_damaged') return true;
    throw error;
  }
}

const namesCatalog = (trailer: PdfDict): boolean => trailer.entries.some(({ key }) => key === 'Root');

const ANGLE_OPEN = 0x3c;

/** The number in "12 0 obj", where "obj" begins at that offset. */
function numberBefore(bytes: Uint8Array, at: number): number | null {
  const back = (place: number, isPart: (byte: number) => boolean): number => {
    let start = place;
    while (start > 0 && isPart(bytes[start - 1] ?? 0)) start -= 1;
    return start;
  };
  const generation = back(back(at, isSpace), isDigit);
  const to = back(generation, isSpace);
  const from = back(to, isDigit);
  // Empty too if the generation, or the space before it, is missing.
  if (from === to) return null;
  return bytes.subarray(from, to).reduce((number, byte) => number * 10 + byte - DIGIT_0, 0);
}

const DIGIT_0 = 0x30;
const isSpace = (byte: number): boolean => byte === 0 || byte === 32 || (byte >= 9 && byte <= 13);
