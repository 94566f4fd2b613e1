import { sameBytes } from '../../shared/sealing/der.ts';
import { isHexadecimal, isText, latin1, readTextString, stringBytes } from '../../shared/sealing/pdf/text.ts';
import {
  type ArrayItem,
  PdfArray,
  PdfDict,
  PdfName,
  PdfRef,
  PdfString,
  type PdfValue,
} from '../../shared/sealing/pdf/values.ts';

/**
 * True if two values are the same for all programs, even if written differently: editors reorder keys and escape text in their own
 * ways. Two references are the same if they name the same object.
 */
export function sameValue(a: PdfValue, b: PdfValue, isSame = isSameString): boolean {
  if (a instanceof PdfName) return b instanceof PdfName && a.name === b.name;
  if (a instanceof PdfRef) return b instanceof PdfRef && a.num === b.num && a.gen === b.gen;
  if (a instanceof PdfString) return b instanceof PdfString && isSame(a.raw, b.raw);
  if (a instanceof PdfArray) return b instanceof PdfArray && sameList(writtenIn(a), writtenIn(b), isSame);
  if (a instanceof PdfDict) return b instanceof PdfDict && sameExcept(a, b, [], isSame);
  return a === b;
}

interface Written {
  value: PdfValue;
  text: string;
}

const writtenIn = ({ source, items }: PdfArray): Written[] => items.map((item) => written(source, item));

const isWord = (value: PdfValue): boolean =>
  typeof value === 'number' || value instanceof PdfName || value instanceof PdfRef;

const written = (source: Uint8Array, { value, from, to }: ArrayItem): Written => ({
  value,
  text: isWord(value) ? latin1(source.subarray(from, to)) : '',
});

const sameList = (a: readonly Written[], b: readonly Written[], isSame: typeof isSameString): boolean =>
  a.length === b.length && a.every((each, index) => sameWritten(each, b[index], isSame));

const sameWritten = (a: Written, b: Written | undefined, isSame: typeof isSameString): boolean =>
  b !== undefined &&
  sameValue(a.value, b.value, isSame) &&
  (a.text === b.text || PLAIN.some((form) => form.test(a.text) && form.test(b.text)));

/** PDFium truncates longer names and numbers, and ends a name at these two bytes. */
const PLAIN_NAME = /^\/[^\x80\xff]{0,200}$/;

/** Spellings of names, numbers and references that all programs read alike. Poppler ignores annotation flags such as 2.0. */
const PLAIN = [PLAIN_NAME, /^\d{1,10}\s+\d{1,5}\s+R$/, /^[-+]?\d{1,15}$/, /^[-+]?\d{0,15}\.\d{0,15}$/];

const isSameString = (a: Uint8Array, b: Uint8Array): boolean =>
  sameBytes(a, b) || (isPlain(a) && isPlain(b) && sameBytes(stringBytes(a), stringBytes(b)));

/** Compares text strings in any encoding. */
export const isSameText = (a: Uint8Array, b: Uint8Array): boolean =>
  isSameString(a, b) || (isText(a) && isText(b) && readTextString(a) === readTextString(b));

const ESCAPED = /\\(?:[nrtbf()\\]|[0-3][0-7]{2})/g;

/** True if all programs read the string as the standard says. */
function isPlain(raw: Uint8Array): boolean {
  const text = latin1(raw.subarray(1, -1));
  if (!isHexadecimal(raw)) return !/[\\\r]/.test(text.replaceAll(ESCAPED, ''));
  return text.length % 2 === 0 && !/[^\da-f]/i.test(text);
}

/** True if two dictionaries are the same except for these keys. Of duplicate keys, some programs take the first, some the last. */
export function sameExcept(
  before: PdfDict,
  after: PdfDict,
  keys: readonly string[],
  isSame = isSameString,
): boolean {
  const [inBefore, inAfter] = [writtenByKey(before), writtenByKey(after)];
  return [...new Set([...inBefore.keys(), ...inAfter.keys()])].every((key) => {
    const values = inAfter.get(key) ?? [];
    return keys.includes(key) ? values.length < 2 : sameList(inBefore.get(key) ?? [], values, isSame);
  });
}

/** Keeps null values: not all programs treat them as missing. */
function writtenByKey({ source, entries }: PdfDict): Map<string, Written[]> {
  const byKey = new Map<string, Written[]>();
  for (const entry of entries) {
    const { keyFrom, from } = entry;
    const text = latin1(source.subarray(keyFrom, from));
    const key = PLAIN_NAME.test(text) ? entry.key : text;
    const known = byKey.get(key);
    if (known) known.push(written(source, entry));
    else byKey.set(key, [written(source, entry)]);
  }
  return byKey;
}

/** True if a list starts with these values. */
export const startsWith = (all: readonly PdfValue[], start: readonly PdfValue[]): boolean =>
  all.length >= start.length && start.every((value, index) => sameValue(value, all[index] ?? null));
