import { type Budget, COST } from './budget.ts';
import { damaged, tooComplex } from './refusal.ts';
import {
  hasPoint,
  isName,
  PdfArray,
  PdfDict,
  PdfName,
  type PdfObject,
  type PdfValue,
  type Resolve,
  unclearNumberIn,
} from './values.ts';

/**
 * Decodes a cross-reference or object stream: plain or Flate, with or without a predictor. Refuses what other programs decode
 * differently, because they would find other objects in it.
 */
export function decodeStructure(
  data: Uint8Array,
  dict: PdfDict,
  budget: Budget,
  resolve = (value: PdfValue): PdfValue => value,
): Uint8Array {
  if (hasShortFilterNames(dict)) throw damaged('a structure stream has short names for its filter');
  const filter = resolve(dict.get('Filter'));
  const filters = filter instanceof PdfArray ? filter.items.map((item) => item.value) : [filter];
  const [only = null, ...more] = filters;
  if (only === null && more.length === 0) return data;
  if (more.length > 0 || !(isName(only, 'FlateDecode') || isName(only, 'Fl'))) {
    const names = filters.map((each) => (each instanceof PdfName ? each.name : '?')).join(' ');
    throw tooComplex(`a structure stream is stored with ${names}`);
  }
  const parameters = resolve(dict.get('DecodeParms'));
  if (parameters !== null && parameters instanceof PdfArray !== filter instanceof PdfArray)
    throw damaged('only one of the filter of a structure stream and its parameters is a list');
  const own = parameters instanceof PdfArray ? resolve(parameters.items[0]?.value ?? null) : parameters;
  return unpredict(budget.inflate(data), own, budget);
}

/** Some programs, pdf.js among them, read these as /Filter and /DecodeParms, as in inline images. */
const hasShortFilterNames = ({ entries }: PdfDict): boolean =>
  entries.some(({ key }) => key === 'F' || key === 'DP');

/** The filters that all programs know, with their short names. */
const FILTERS: ReadonlySet<string> = new Set(
  [
    'ASCIIHexDecode AHx ASCII85Decode A85 LZWDecode LZW FlateDecode Fl RunLengthDecode RL',
    'CCITTFaxDecode CCF JBIG2Decode DCTDecode DCT JPXDecode',
  ].flatMap((names) => names.split(' ')),
);

/** True if all programs unpack a stream alike. They pass over or give up at filters that they do not know. */
export function isUnpackedAlike(dict: PdfDict, resolve: Resolve): boolean {
  const listOf = (key: string): PdfObject[] => {
    const value = resolve(dict.get(key));
    if (value instanceof PdfArray) return value.items.map((item) => resolve(item.value));
    return value === null ? [] : [value];
  };
  return (
    !hasShortFilterNames(dict) &&
    listOf('Filter').every((filter) => filter instanceof PdfName && FILTERS.has(filter.name)) &&
    listOf('DecodeParms').every((each) => !(each instanceof PdfDict) || hasClearNumbers(each, resolve))
  );
}

/** Poppler ignores a number with a point, as in 12.0, and unpacks other data. */
function hasClearNumbers(parameters: PdfDict, resolve: Resolve): boolean {
  const isWhole = (key: string): boolean => {
    const value = resolve(parameters.get(key));
    return value === null || (Number.isInteger(value) && !hasPoint(parameters, key));
  };
  const predictor = resolve(parameters.get('Predictor')) ?? 1;
  return (
    OF_FILTERS.every(isWhole) &&
    (Number(predictor) <= 2 || isPng(predictor)) &&
    parameters.get(SHORT_FOR_BITS) === null
  );
}

const OF_FILTERS = 'Predictor Colors BitsPerComponent Columns EarlyChange K Rows ColorTransform'.split(' ');

/** pdf.js prefers it over /BitsPerComponent. */
const SHORT_FOR_BITS = 'BPC';
const NUMBERS: ReadonlySet<string> = new Set([
  'Predictor',
  'Colors',
  'BitsPerComponent',
  SHORT_FOR_BITS,
  'Columns',
]);

function unpredict(data: Uint8Array, parameters: PdfValue, budget: Budget): Uint8Array {
  if (parameters === null) return data;
  if (!(parameters instanceof PdfDict))
    throw damaged('the parameters of a structure stream are no dictionary');
  const unclear = unclearNumberIn(parameters, NUMBERS);
  if (unclear !== undefined) throw damaged(`/${unclear} of a predictor is not a plain number`);
  const predictor = parameters.get('Predictor') ?? 1;
  if (predictor === 1) return data;
  if (!isPng(predictor) || !isOfBytes(parameters))
    throw tooComplex('an unusual predictor in a structure stream');
  const columns = Number(parameters.get('Columns') ?? 1);
  if (columns < 1 || columns > 100_000) throw damaged('impossible predictor');
  budget.spend(COST.predictedByte, data.length);
  return unfilterPng(data, columns);
}

const isPng = (predictor: PdfObject): boolean => Number(predictor) >= 10 && Number(predictor) <= 15;

function isOfBytes(parameters: PdfDict): boolean {
  const bits = [parameters.get('BitsPerComponent'), parameters.get(SHORT_FOR_BITS)];
  return (parameters.get('Colors') ?? 1) === 1 && bits.every((each) => (each ?? 8) === 8);
}

/** Undoes the PNG filters (RFC 2083, section 6) row by row; the last row may be incomplete. */
function unfilterPng(data: Uint8Array, rowLength: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowLength + 1));
  const result = new Uint8Array(data.length - rows);
  const byteAt = (at: number) => (at < 0 ? 0 : (result[at] ?? 0));
  // By positions: a row may have one byte, and parts of an array would cost more than that.
  for (let row = 0; row < rows; row += 1) {
    const start = row * rowLength;
    const end = Math.min(start + rowLength, result.length);
    const filter = data[start + row] ?? 0;
    for (let at = start; at < end; at += 1) {
      const left = at === start ? 0 : byteAt(at - 1);
      const upLeft = at === start ? 0 : byteAt(at - rowLength - 1);
      result[at] = (data[at + row + 1] ?? 0) + predicted(filter, left, byteAt(at - rowLength), upLeft);
    }
  }
  return result;
}

function predicted(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) throw damaged('unknown PNG filter');
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
