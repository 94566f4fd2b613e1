import { DerError, spanAt, TAGS } from './der.ts';
import { joined } from './der-encode.ts';

/**
 * Converts BER values of indefinite length, which end with two zeros (ITU-T X.690, 8.1.3.6). BouncyCastle writes CMS so by default,
 * and with it PDFBox and some timestamp authorities. `der` is the value with definite lengths, `end` where it ends in `bytes`.
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
    const der = tag === OCTETS_IN_PARTS ? joined(TAGS.octetString, parts.map(octetsOf)) : joined(tag, parts);
    return { der, end: end + 2 };
  };
  return read(0, 0);
}

export const lacksLength = (bytes: Uint8Array, at = 0): boolean => bytes[at + 1] === 0x80;

/** The bit in the tag of a value that holds others. */
const CONSTRUCTED = 0x20;
/** An OCTET STRING split into several; BouncyCastle writes the content of a signature so. */
const OCTETS_IN_PARTS = TAGS.octetString | CONSTRUCTED;
const MAX_DEPTH = 16;
/** Inside values of indefinite length. */
const MAX_VALUES = 1_000;

function octetsOf(part: Uint8Array): Uint8Array {
  const { tag, from } = spanAt(part, 0);
  if (tag !== TAGS.octetString) throw new DerError('a part of an octet string is not an octet string');
  return part.subarray(from);
}
