import { sameBytes } from '../../shared/sealing/der.ts';
import {
  PdfArray,
  PdfDict,
  PdfName,
  PdfRef,
  PdfString,
  type PdfValue,
} from '../../shared/sealing/pdf/values.ts';

/** True if two values are the same as written: a reference is the same as one to the same object. */
export function sameValue(a: PdfValue, b: PdfValue): boolean {
  if (a instanceof PdfName) return b instanceof PdfName && a.name === b.name;
  if (a instanceof PdfRef) return b instanceof PdfRef && a.num === b.num && a.gen === b.gen;
  if (a instanceof PdfString) return b instanceof PdfString && sameBytes(a.raw, b.raw);
  if (a instanceof PdfArray) {
    return b instanceof PdfArray && sameList(valuesOf(a), valuesOf(b));
  }
  if (a instanceof PdfDict) {
    return b instanceof PdfDict && sameKeys(a, b) && sameList(valuesOf(a), valuesOf(b));
  }
  return a === b;
}

const valuesOf = (composite: PdfArray | PdfDict): PdfValue[] =>
  (composite instanceof PdfArray ? composite.items : composite.entries).map(({ value }) => value);

const sameKeys = (a: PdfDict, b: PdfDict): boolean =>
  a.entries.length === b.entries.length && a.entries.every(({ key }, index) => key === b.entries[index]?.key);

const sameList = (a: readonly PdfValue[], b: readonly PdfValue[]): boolean =>
  a.length === b.length && a.every((value, index) => sameValue(value, b[index] ?? null));

/** True if two dictionaries say the same under all keys but these. */
export function sameExcept(before: PdfDict, after: PdfDict, keys: readonly string[]): boolean {
  const names = new Set([...before.entries, ...after.entries].map(({ key }) => key));
  return (
    !hasDuplicates(after) && [...names].every((key) => keys.includes(key) || sameEntry(before, after, key))
  );
}

/** Programs differ in which of two equal keys counts. */
export const hasDuplicates = ({ entries }: PdfDict): boolean =>
  new Set(entries.map(({ key }) => key)).size < entries.length;

/** A value of null is not the same as none: not all programs read it so. */
const sameEntry = (before: PdfDict, after: PdfDict, key: string): boolean =>
  isIn(before, key) && isIn(after, key) && sameValue(before.get(key), after.get(key));

const isIn = (dict: PdfDict, key: string): boolean => dict.entries.some((entry) => entry.key === key);

/** True if the first values of a list are these. */
export const startsWith = (all: readonly PdfValue[], start: readonly PdfValue[]): boolean =>
  all.length >= start.length && start.every((value, index) => sameValue(value, all[index] ?? null));
