import type { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { searchFindsTheSame } from '../../shared/sealing/pdf/searched.ts';
import { latin1 } from '../../shared/sealing/pdf/text.ts';
import {
  isWholeNumber,
  PdfArray,
  type PdfDict,
  type PdfValue,
  unclearNumberIn,
} from '../../shared/sealing/pdf/values.ts';
import type { PlacedSection } from '../../shared/sealing/pdf/xref.ts';

/**
 * True if all programs read the appended part of a file in the same way. A program that finds an error rebuilds the cross-reference
 * from anything that looks like an object, and may then show what was hidden in the document before it was signed.
 */
export function isPlainRevision(before: PdfFile, after: PdfFile): boolean {
  const { xref } = after;
  return (
    xref.base === before.xref.base &&
    xref.startXref !== before.xref.startXref &&
    xref.hasClearStart &&
    xref.ambiguities.length === 0 &&
    xref.isMixed === before.xref.isMixed &&
    !before.listsBeyondEnd &&
    countsAll(before) &&
    countsAll(after) &&
    hidesTheSame(before, after) &&
    endsWithItsMark(after) &&
    followsOn(before, after) &&
    hasPlainHeaders(before, after) &&
    searchFindsTheSame(after, before.bytes.length)
  );
}

/** Some programs ignore objects beyond /Size, or rebuild the cross-reference because of them. */
function countsAll({ xref: { trailer, entries, sections } }: PdfFile): boolean {
  const size = trailer.get('Size');
  return isWholeNumber(size) && size > entries.largest && sections.every(({ num }) => num < size);
}

/** True if the new sections are plain and lead to the former ones, not to another one that was hidden in the signed part. */
function followsOn({ bytes: { length }, xref: { sections } }: PdfFile, { bytes, xref }: PdfFile): boolean {
  const former = new Set(sections.map(({ at }) => at));
  const added = xref.sections.filter(({ at }) => !former.has(at));
  return (
    xref.sections.length - added.length === sections.length &&
    added.every((section) => section.at >= length && isPlainSection(bytes, section))
  );
}

/** Of a hybrid file. */
const hidesTheSame = ({ xref: { hidden } }: PdfFile, after: PdfFile): boolean =>
  hidden.size === after.xref.hidden.size && [...hidden].every((num) => after.xref.hidden.has(num));

/** PDFium truncates long numbers and then misses the object. */
const HEADER = /^\s*\d{1,10}\s+\d{1,5}\s+obj/;

function hasPlainHeaders(before: PdfFile, { bytes, xref: { entries, base } }: PdfFile): boolean {
  for (const num of entries.differingFrom(before.xref.entries)) {
    const entry = entries.get(num);
    if (entry?.kind === 'plain' && !HEADER.test(lineAt(bytes, base + entry.offset))) return false;
  }
  return true;
}

const MAX_END = 1_024;
const END = /%%EOF(\r\n|\r|\n)?$/;
/** Comments may stand before it. */
const END_OF_TABLE = /^(?:\s|%[^\r\n]*[\r\n])*startxref\s+\d+\s+%%EOF(\r\n|\r|\n)?$/;

/** True if only a line end follows the end mark, and no second trailer follows the newest one. */
function endsWithItsMark({ bytes, xref }: PdfFile): boolean {
  const isTable = xref.style === 'table';
  const from = Math.max(bytes.length - MAX_END, isTable ? xref.trailer.to : 0);
  return (isTable ? END_OF_TABLE : END).test(latin1(bytes.subarray(from)));
}

const MAX_LINE = 64;
const STREAM = /^\d+ \d+ obj\s*<</;
const NUMBERS: ReadonlySet<string> = new Set(['Size', 'Length']);
const LIST_OF_NUMBERS = /^\[[\d\s]*\]$/;
const TABLE = /^xref ?(?:\r\n|\r|\n)/;
const SUBSECTION = /^\d+ (\d+) ?(?:\r\n|\r|\n)/;
const TRAILER = /^trailer\s*<</;
const ENTRY_END = /^(?: \r| \n|\r\n)$/;
const ENTRY_BYTES = 20;

/** True if a cross-reference section is at its offset and written exactly as in the standard. */
function isPlainSection(bytes: Uint8Array, { at, style, trailer }: PlacedSection): boolean {
  if (trailer.entries.some(({ value }) => value === null)) return false;
  return style === 'table' ? isPlainTable(bytes, at) : isPlainStream(bytes, at, trailer);
}

function isPlainStream(bytes: Uint8Array, at: number, dict: PdfDict): boolean {
  const [widths, index] = [dict.get('W'), dict.get('Index')];
  return (
    STREAM.test(lineAt(bytes, at)) &&
    unclearNumberIn(dict, NUMBERS) === undefined &&
    widths instanceof PdfArray &&
    widths.items.length === 3 &&
    [widths, index].every((list) => list === null || LIST_OF_NUMBERS.test(textOf(list)))
  );
}

const textOf = (list: PdfValue): string =>
  list instanceof PdfArray ? latin1(list.source.subarray(list.from, list.to)) : '';

/** Some programs expect entries of 20 bytes. */
function isPlainTable(bytes: Uint8Array, at: number): boolean {
  const [keyword = ''] = TABLE.exec(lineAt(bytes, at)) ?? [];
  let place = at + keyword.length;
  if (keyword === '' || !SUBSECTION.test(lineAt(bytes, place))) return false;
  for (;;) {
    const [line, count] = SUBSECTION.exec(lineAt(bytes, place)) ?? [];
    if (line === undefined) return TRAILER.test(lineAt(bytes, place));
    place += line.length;
    for (let left = Number(count); left > 0; left -= 1, place += ENTRY_BYTES) {
      const end = place + ENTRY_BYTES;
      if (!ENTRY_END.test(latin1(bytes.subarray(end - 2, end)))) return false;
    }
  }
}

const lineAt = (bytes: Uint8Array, at: number): string => latin1(bytes.subarray(at, at + MAX_LINE));
