import fc from 'fast-check';
import { children, DerError, type DerNode, TAGS } from '../../shared/sealing/der.ts';
import { encode } from '../../shared/sealing/der-encode.ts';

/** Damage to one value inside DER. The lengths around it stay right, so that readers get as far as the damage. */

interface Damage {
  byte: number;
  place: number;
  bytes: Uint8Array;
  /** Another value of the same DER. */
  other: DerNode;
}

/** These bytes stand in the value's place. */
const WAYS: readonly ((node: DerNode, damage: Damage) => Uint8Array)[] = [
  () => new Uint8Array(),
  ({ content }, { byte }) => encode(byte, content),
  ({ tag }, { bytes }) => encode(tag, bytes),
  (_, { other }) => other.raw,
  ({ raw }, { other }) => Buffer.concat([other.raw, raw]),
  ({ raw }, { byte }) => Buffer.concat(Array.from({ length: byte + 1 }, () => raw)),
  ({ raw }, { byte }) =>
    Array.from({ length: byte }).reduce<Uint8Array>((der) => encode(TAGS.sequence, der), raw),
  ({ raw }, { place }) => raw.subarray(0, place % raw.length),
  ({ raw }, { place, byte }) => raw.map((old, at) => (at === place % raw.length ? byte : old)),
  ({ tag, content }) => Buffer.concat([Buffer.of(tag, 0x80), content, Buffer.alloc(2)]),
];

/** Draws a damage, to be done to any DER. */
export const derDamage: fc.Arbitrary<(der: Uint8Array) => Buffer> = fc
  .record({
    way: fc.constantFrom(...WAYS),
    at: fc.nat(2_000),
    otherAt: fc.nat(2_000),
    byte: fc.nat(255),
    place: fc.nat(5_000),
    bytes: fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant(new Uint8Array(20_000))),
  })
  .map(({ way, at, otherAt, ...damage }) => (der: Uint8Array) => {
    const values = valuesIn(der);
    const [value, other] = [values[at % values.length], values[otherAt % values.length]];
    if (value === undefined || other === undefined) throw new Error('The DER is empty.');
    return written(der, value, way(value, { ...damage, other }));
  });

/** The values in order, each before those inside it. */
const valuesIn = (der: Uint8Array): DerNode[] =>
  childrenIn(der).flatMap((node) => [node, ...valuesIn(insideOf(node) ?? new Uint8Array())]);

const childrenIn = (der: Uint8Array): DerNode[] => children({ tag: TAGS.sequence, raw: der, content: der });

/** The DER inside a value: strings of bytes and bits may hold some too. */
function insideOf({ tag, content }: DerNode): Uint8Array | null {
  const isString = tag === TAGS.octetString || tag === TAGS.bitString;
  if (!isString) return (tag & 0x20) === 0 ? null : content;
  const inside = content.subarray(unusedBits(tag));
  try {
    // To its end: the bytes of a digest may begin like a value.
    valuesIn(inside);
    return inside;
  } catch (error) {
    if (error instanceof DerError) return null;
    throw error;
  }
}

/** Bytes of a BIT STRING that say how many of its bits are unused. */
const unusedBits = (tag: number): number => (tag === TAGS.bitString ? 1 : 0);

function written(der: Uint8Array, value: DerNode, by: Uint8Array): Buffer {
  const parts = childrenIn(der).map((node) => {
    if (node.raw.byteOffset === value.raw.byteOffset && node.raw.length === value.raw.length) return by;
    const inside = insideOf(node);
    if (inside === null) return node.raw;
    return encode(node.tag, node.content.subarray(0, unusedBits(node.tag)), written(inside, value, by));
  });
  return Buffer.concat(parts);
}
