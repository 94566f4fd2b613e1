import { sameBytes } from '../../shared/sealing/der.ts';
import { isText, latin1, readTextString, stringBytes } from '../../shared/sealing/pdf/text.ts';
import {
  PdfArray,
  PdfDict,
  PdfName,
  PdfRef,
  PdfString,
  type PdfValue,
} from '../../shared/sealing/pdf/values.ts';

/**
 * True if two values are the same for all programs, though others may write them: editors order keys and escape text in their
 * own ways. A reference is the same as one to the same object.
 */
export function sameValue(a: PdfValue, b: PdfValue, isSame = isSameString): boolean {
  if (a instanceof PdfName) return b instanceof PdfName && a.name === b.name;
  if (a instanceof PdfRef) return b instanceof PdfRef && a.num === b.num && a.gen === b.gen;
  if (a instanceof PdfString) return b instanceof PdfString && isSame(a.raw, b.raw);
  if (a instanceof PdfArray) {
    return b instanceof PdfArray && sameList(valuesOf(a), valuesOf(b), isSame);
  }
  if (a instanceof PdfDict) return b instanceof PdfDict && sameExcept(a, b, [], isSame);
  return a === b;
}

const valuesOf = ({ items }: PdfArray): PdfValue[] => items.map(({ value }) => value);

const isSameString = (a: Uint8Array, b: Uint8Array): boolean =>
  sameBytes(a, b) || (isPlain(a) && isPlain(b) && sameBytes(stringBytes(a), stringBytes(b)));

/** Of strings that are texts, whatever their encoding. */
export const isSameText = (a: Uint8Array, b: Uint8Array): boolean =>
  isSameString(a, b) || (isText(a) && isText(b) && readTextString(a) === readTextString(b));

const ESCAPED = /\\(?:[nrtbf()\\]|[0-3][0-7]{2})/g;

/** True if no program reads the string otherwise than the standard. */
function isPlain(raw: Uint8Array): boolean {
  const text = latin1(raw.subarray(1, -1));
  if (raw[0] !== ANGLE_OPEN) return !/[\\\r]/.test(text.replaceAll(ESCAPED, ''));
  return text.length % 2 === 0 && !/[^\da-f]/i.test(text);
}

const ANGLE_OPEN = 0x3c;

const sameList = (a: readonly PdfValue[], b: readonly PdfValue[], isSame: typeof isSameString): boolean =>
  a.length === b.length && a.every((value, index) => sameValue(value, b[index] ?? null, isSame));

/** True if two dictionaries say the same under all keys but these. Some programs take the first of two equal keys, some the last. */
export function sameExcept(
  before: PdfDict,
  after: PdfDict,
  keys: readonly string[],
  isSame = isSameString,
): boolean {
  const [inBefore, inAfter] = [valuesByKey(before), valuesByKey(after)];
  return [...new Set([...inBefore.keys(), ...inAfter.keys()])].every((key) => {
    const values = inAfter.get(key) ?? [];
    return keys.includes(key) ? values.length < 2 : sameList(inBefore.get(key) ?? [], values, isSame);
  });
}

/** A value of null is not the same as none: not all programs read it so. */
function valuesByKey({ entries }: PdfDict): Map<string, PdfValue[]> {
  const values = new Map<string, PdfValue[]>();
  for (const { key, value } of entries) {
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return values;
}

/** True if the first values of a list are these. */
export const startsWith = (all: readonly PdfValue[], start: readonly PdfValue[]): boolean =>
  all.length >= start.length && start.every((value, index) => sameValue(value, all[index] ?? null));
