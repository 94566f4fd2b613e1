import { DerError, spanAt } from './der.ts';

/**
 * CMS as BouncyCastle writes it unless told otherwise, and so PDFBox: values without a length, up to two zeros (BER, ITU-T
 * X.690, 8.1.3.6). `der` is the value with its lengths; what follows `end` is not part of it.
 */
export function withLengths(bytes: Uint8Array): { der: Uint8Array; end: number } {
  let valuesLeft = MAX_VALUES;
  const read = (at: number, depth: number): { der: Uint8Array; end: number } => {
    valuesLeft -= 1;
    if (valuesLeft < 0 || depth > MAX_DEPTH) throw new DerError('too many values without a length');
    const tag = bytes[at] ?? 0;
    if (!lacksLength(bytes, at)) {
      const { to } = spanAt(bytes, at);
      return { der: bytes.subarray(at, to), end: to };
    }
    if (!(tag & CONSTRUCTED)) throw new DerError('a value that holds no others lacks its length');
    const parts: Uint8Array[] = [];
    let end = at + 2;
    while (bytes[end] !== 0 || bytes[end + 1] !== 0) {
      const part = read(end, depth + 1);
      parts.push(part.der);
      end = part.end;
    }
    return { der: joined(tag, parts), end: end + 2 };
  };
  return read(0, 0);
}

export const lacksLength = (bytes: Uint8Array, at = 0): boolean => bytes[at + 1] === 0x80;

/** The bit in the tag of a value that holds others. */
const CONSTRUCTED = 0x20;
const MAX_DEPTH = 16;
/** Of those that stand in one without a length. */
const MAX_VALUES = 1_000;

/** With a length of four bytes, whatever it is. */
function joined(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const value = new Uint8Array(6 + length);
  value.set([tag, 0x84]);
  new DataView(value.buffer).setUint32(2, length);
  let at = 6;
  for (const part of parts) {
    value.set(part, at);
    at += part.length;
  }
  return value;
}
