import { DerError, spanAt, TAGS } from './der.ts';
import { lengthBytes } from './der-encode.ts';

/**
 * CMS as BouncyCastle writes it unless told otherwise, and so PDFBox and some timestamp authorities: values without a length, up to two
 * zeros (BER, ITU-T X.690, 8.1.3.6). `der` is the value with its lengths; what follows `end` is not part of it.
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
/** An OCTET STRING whose value is that of others; BouncyCastle writes the content of a signature so. */
const OCTETS_IN_PARTS = TAGS.octetString | CONSTRUCTED;
const MAX_DEPTH = 16;
/** Of those that stand in one without a length. */
const MAX_VALUES = 1_000;

function octetsOf(part: Uint8Array): Uint8Array {
  const { tag, from } = spanAt(part, 0);
  if (tag !== TAGS.octetString) throw new DerError('a part of an octet string is none');
  return part.subarray(from);
}

/** Without Buffer, since browsers read signatures too. */
function joined(tag: number, parts: readonly Uint8Array[]): Uint8Array {
  const header = [tag, ...lengthBytes(parts.reduce((sum, part) => sum + part.length, 0))];
  const all = [Uint8Array.from(header), ...parts];
  const value = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of all) {
    value.set(part, at);
    at += part.length;
  }
  return value;
}
