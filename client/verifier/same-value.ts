import { sameBytes } from '../../shared/sealing/der.ts';
import {
  hasDuplicates,
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
  const [inBefore, inAfter] = [keysOf(before), keysOf(after)];
  // A value of null is not the same as none: not all programs read it so.
  const isSame = (key: string) =>
    inBefore.has(key) && inAfter.has(key) && sameValue(before.get(key), after.get(key));
  return (
    !hasDuplicates(after) &&
    [...new Set([...inBefore, ...inAfter])].every((key) => keys.includes(key) || isSame(key))
  );
}

const keysOf = ({ entries }: PdfDict): Set<string> => new Set(entries.map(({ key }) => key));

/** True if the first values of a list are these. */
export const startsWith = (all: readonly PdfValue[], start: readonly PdfValue[]): boolean =>
  all.length >= start.length && start.every((value, index) => sameValue(value, all[index] ?? null));
