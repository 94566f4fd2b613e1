import type { Budget } from './budget.ts';
import { damaged, tooComplex } from './refusal.ts';
import { isName, isWholeNumber, PdfArray, PdfDict, PdfName, type PdfObject } from './values.ts';

/** Decodes a cross-reference or object stream: stored plain or with Flate, with or without a predictor. */
export function decodeStructure(
  data: Uint8Array,
  filter: PdfObject,
  parameters: PdfObject,
  budget: Budget,
): Uint8Array {
  const filters = filter instanceof PdfArray ? filter.items.map((item) => item.value) : [filter];
  const parms = parameters instanceof PdfArray ? parameters.items.map((item) => item.value) : [parameters];
  const [only = null, ...more] = filters;
  if (only === null) return data;
  if (more.length > 0 || !(isName(only, 'FlateDecode') || isName(only, 'Fl'))) {
    const names = filters.map((each) => (each instanceof PdfName ? each.name : '?')).join(' ');
    throw tooComplex(`a structure stream is stored with ${names}`);
  }
  return unpredict(budget.inflate(data), parms[0] ?? null, budget);
}

function unpredict(data: Uint8Array, parameters: PdfObject, budget: Budget): Uint8Array {
  if (!(parameters instanceof PdfDict)) return data;
  const read = (key: string, standard: number): number => {
    const value = parameters.get(key) ?? standard;
    if (!isWholeNumber(value)) throw damaged(`${key} of a predictor is not a number`);
    return value;
  };
  const predictor = read('Predictor', 1);
  if (predictor === 1) return data;
  if (predictor < 10) throw tooComplex(`predictor ${predictor} in a structure stream`);
  const bits = read('Colors', 1) * read('BitsPerComponent', 8);
  const columns = read('Columns', 1);
  if (bits < 1 || bits > 1024 || columns < 1 || columns > 100_000) throw damaged('impossible predictor');
  budget.predicted(data.length);
  return unfilterPng(data, Math.ceil((columns * bits) / 8), Math.max(1, bits >> 3));
}

/** Undoes the PNG filters (RFC 2083, section 6) row by row; the last row may be incomplete. */
function unfilterPng(data: Uint8Array, rowLength: number, pixelLength: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowLength + 1));
  const result = new Uint8Array(Math.max(0, data.length - rows));
  for (let row = 0; row < rows; row += 1) {
    const source = row * (rowLength + 1);
    const target = row * rowLength;
    const length = Math.min(rowLength, data.length - source - 1);
    const filter = data[source] ?? 0;
    for (let i = 0; i < length; i += 1) {
      const left = i >= pixelLength ? (result[target + i - pixelLength] ?? 0) : 0;
      const up = row > 0 ? (result[target + i - rowLength] ?? 0) : 0;
      const upLeft = row > 0 && i >= pixelLength ? (result[target + i - rowLength - pixelLength] ?? 0) : 0;
      result[target + i] = (data[source + 1 + i] ?? 0) + prediction(filter, left, up, upLeft);
    }
  }
  return result;
}

function prediction(filter: number, left: number, up: number, upLeft: number): number {
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
