import { concat, TAGS } from './der.ts';

/** Writes DER; der.ts reads it. */
export const encode = (tag: number, ...parts: Uint8Array[]): Buffer => Buffer.from(joined(tag, parts).buffer);

/** Without Buffer, since browsers read signatures too. */
export function joined(tag: number, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concat([Uint8Array.of(tag, ...lengthBytes(length)), ...parts]);
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: Uint8Array[]): Buffer => encode(TAGS.sequence, ...parts);
export const octetString = (bytes: Uint8Array): Buffer => encode(TAGS.octetString, bytes);
export const derNull = (): Buffer => encode(TAGS.null);

/** A SET OF. DER sorts its elements by their encodings; BouncyCastle rejects unsorted ones. */
export const setOf = (...parts: Uint8Array[]): Buffer => encode(TAGS.set, ...parts.toSorted(Buffer.compare));

/** A non-negative INTEGER, from a number or its big-endian bytes. */
export function integer(value: Uint8Array | number): Buffer {
  const bytes = typeof value === 'number' ? Buffer.from(value.toString(16).padStart(16, '0'), 'hex') : value;
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first < 0 ? Uint8Array.of(0) : bytes.subarray(first);
  const sign = (significant[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array();
  return encode(TAGS.integer, sign, significant);
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const groups = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      groups.unshift(0x80 | (left % 128));
    return groups;
  });
  return encode(TAGS.oid, Buffer.from(bytes));
}

/** The same content under another tag, for IMPLICIT tagging. */
export const retag = (tag: number, encoded: Uint8Array): Buffer => {
  const copy = Buffer.from(encoded);
  copy[0] = tag;
  return copy;
};
