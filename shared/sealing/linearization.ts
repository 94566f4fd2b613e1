import type { PdfFile } from './pdf/file.ts';
import { Parser } from './pdf/parser.ts';
import { damaged } from './pdf/refusal.ts';
import { latin1 } from './pdf/text.ts';
import { isWholeNumber, PdfDict, type PdfRef, unclearNumberIn } from './pdf/values.ts';

/**
 * Some programs, pdf.js among them, trust the linearization dictionary (ISO 32000-1, Annex F) for the number of pages, one page and
 * the cross-reference, as long as the file has the stated length. Refuses a dictionary that contradicts the file.
 */
export function refuseFalseLinearization(file: PdfFile, pagesOf: () => readonly PdfRef[]): void {
  const dict = linearizationOf(file);
  if (dict === null) return;
  const length = dict.get('L');
  // No program trusts it once the file has grown. A file that is too short could grow to the stated length.
  if (isWholeNumber(length) && length < file.bytes.length - file.headerAt) return;
  const pages = pagesOf();
  const number = dict.get('P') ?? 0;
  const page = isWholeNumber(number) ? pages[number] : undefined;
  const isTrue =
    dict.get('N') === pages.length &&
    page !== undefined &&
    dict.get('O') === page.num &&
    isFirstSection(file);
  if (!isTrue) throw damaged('the linearization dictionary contradicts the file');
}

/** The first object in the file, if it is a linearization dictionary. Refuses numbers that programs read differently. */
function linearizationOf({ bytes, budget, headerAt }: PdfFile): PdfDict | null {
  const parser = new Parser(bytes, headerAt, budget);
  const mayBeObject = parser.isAtNumber();
  if (!parser.objectHeader()) {
    if (mayBeObject) throw damaged('the first object has an unclear number');
    return null;
  }
  const dict = parser.value();
  if (!(dict instanceof PdfDict) || dict.get('Linearized') === null) return null;
  const unclear = unclearNumberIn(dict, TRUSTED);
  if (unclear !== undefined) throw damaged(`/${unclear} of the linearization dictionary is unclear`);
  return dict;
}

const TRUSTED: ReadonlySet<string> = new Set(['L', 'N', 'O', 'P']);

/** Programs search for the end of the first object as text, and read the cross-reference that follows it. */
function isFirstSection({ bytes, budget, headerAt, xref: { base, startXref } }: PdfFile): boolean {
  const end = latin1(bytes.subarray(headerAt, headerAt + 1024)).indexOf(ENDOBJ);
  const [following, newest] = [headerAt + end + ENDOBJ.length, base + startXref].map((at) => {
    const parser = new Parser(bytes, at, budget);
    parser.skipWhitespace();
    return parser.position;
  });
  return end >= 0 && following === newest;
}

const ENDOBJ = 'endobj';
