import { children, type DerNode, decode } from '../../../shared/sealing/der.ts';
import { encode, integer, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { cmsLength, contentsOf, inBer, withSignatureOf } from '../../support/tampering.ts';
import { HARMLESS, type Kind, plainKinds, UNPROVED } from './kinds.ts';

/** Parts of the signature exchanged, and the room that no signature covers. */

const cmsOf = (bytes: Buffer): Buffer => {
  const { from } = contentsOf(bytes);
  return Buffer.from(bytes.toString('latin1', from + 1, from + 1 + 2 * cmsLength(bytes)), 'hex');
};

/** Puts other text between the two ranges, padded with zeros within the brackets. */
function withGap(bytes: Buffer, text: string): Buffer {
  const { from, to } = contentsOf(bytes);
  const copy = Buffer.from(bytes);
  copy.write(text.slice(0, -1).padEnd(to - from - 1, '0') + text.slice(-1), from, 'latin1');
  return copy;
}

const withCmsBytes = (bytes: Buffer, cms: Uint8Array): Buffer =>
  withGap(bytes, `<${Buffer.from(cms).toString('hex')}>`);

/** Places in a CMS, as the indexes that lead there. */
const SIGNED_DATA = [1, 0];
const DIGESTS = [...SIGNED_DATA, 1];
const CERTIFICATES = [...SIGNED_DATA, 3];
const SIGNERS = [...SIGNED_DATA, 4];
const SIGNER = [...SIGNERS, 0];
const SIGNER_DIGEST = [...SIGNER, 2];
const SIGNED_ATTRIBUTES = [...SIGNER, 3];
const SIGNATURE = [...SIGNER, 5];
const UNSIGNED_ATTRIBUTES = [...SIGNER, 6];

function at(node: DerNode, [index, ...path]: readonly number[]): DerNode {
  if (index === undefined) return node;
  const child = children(node)[index];
  if (child === undefined) throw new Error('The CMS has no such part.');
  return at(child, path);
}

const partOf = (bytes: Buffer, path: readonly number[]): Uint8Array => at(decode(cmsOf(bytes)), path).raw;

/** Writes a value anew with one part replaced; no bytes take the part away. */
function replaced(node: DerNode, [index, ...path]: readonly number[], by: Uint8Array): Uint8Array {
  if (index === undefined) return by;
  const parts = children(node).map((child, place) =>
    place === index ? replaced(child, path, by) : child.raw,
  );
  return encode(node.tag, ...parts);
}

const withPart = (bytes: Buffer, path: readonly number[], by: Uint8Array): Buffer =>
  withCmsBytes(bytes, replaced(decode(cmsOf(bytes)), path, by));

const PARTS = {
  'the signed attributes swapped': SIGNED_ATTRIBUTES,
  'the value of the signature swapped': SIGNATURE,
  'the timestamps swapped': UNSIGNED_ATTRIBUTES,
  'the signers swapped': SIGNERS,
};

const fromElsewhere = (
  whose: 'other' | 'impostor',
  exchanges: Readonly<Record<string, readonly number[]>>,
): Kind[] =>
  Object.entries(exchanges).map(([what, path]) => ({
    name: `${what} with ${whose === 'other' ? 'another file’s' : 'an impostor’s'}`,
    tamper: (drawn) => withPart(drawn.bytes, path, partOf(drawn[whose], path)),
  }));

const sha512 = sequence(oid('2.16.840.1.101.3.4.2.3'));
const NONE = new Uint8Array();

/** The certificates and those of an impostor. */
const withMoreCertificates = (bytes: Buffer, more: Buffer): Buffer => {
  const [own, others] = [bytes, more].map((each) => at(decode(cmsOf(each)), CERTIFICATES).content);
  return withPart(bytes, CERTIFICATES, encode(0xa0, own ?? NONE, others ?? NONE));
};

/** Closes the hexadecimal text early, so that the room that is not signed holds keys of the dictionary. */
const withKeysInGap =
  (keys: (bytes: Buffer) => string) =>
  (bytes: Buffer): Buffer =>
    withGap(bytes, `<${cmsOf(bytes).toString('hex')}>${keys(bytes)}/X<>`);

const rangeOf = (bytes: Buffer, change = 0): string => {
  const { from, to } = contentsOf(bytes);
  return `/ByteRange [0 ${from} ${to + change} ${bytes.length - to - change}]`;
};

/** Signature wrapping: what was signed after the gap moves to the end, and a copy that is not signed takes its place. */
function wrapped(bytes: Buffer): Buffer {
  const { from, to } = contentsOf(bytes);
  const tail = bytes.subarray(to);
  const moved = bytes.length;
  const made = withKeysInGap(() => `/ByteRange [0 ${from} ${moved} ${tail.length}]`)(bytes);
  return Buffer.concat([made, tail]);
}

export const SIGNATURE_PARTS: readonly Kind[] = [
  ...fromElsewhere('other', PARTS),
  ...fromElsewhere('impostor', { ...PARTS, 'the certificates swapped': CERTIFICATES }),
  { name: 'the signature of another file', tamper: ({ bytes, other }) => withSignatureOf(bytes, other) },
  { name: 'sealed by an impostor', tamper: ({ impostor }) => impostor, right: UNPROVED, shapes: ['table'] },
  {
    name: 'an impostor’s certificates added',
    tamper: ({ bytes, impostor }) => withMoreCertificates(bytes, impostor),
    right: UNPROVED,
  },
  ...plainKinds({
    'the certificates taken away': (bytes) => withPart(bytes, CERTIFICATES, NONE),
    'the signature twice in the CMS': (bytes) => {
      const signer = partOf(bytes, SIGNER);
      return withPart(bytes, SIGNERS, encode(0x31, signer, signer));
    },
    'no signer in the CMS': (bytes) => withPart(bytes, SIGNERS, encode(0x31)),
    'the value of the signature is 1': (bytes) =>
      withPart(bytes, SIGNATURE, encode(0x04, integer(1).subarray(2))),
    'keys in the room that is not signed': withKeysInGap(() => '/Reason (Approved)'),
    'another range in the room that is not signed': withKeysInGap((bytes) => rangeOf(bytes, 40)),
    'the same range again in the room that is not signed': withKeysInGap((bytes) => rangeOf(bytes)),
    'other contents in the room that is not signed': withKeysInGap(() => '/Contents <00>'),
    'a certification in the room that is not signed': withKeysInGap(
      () => '/Reference [<</TransformMethod /DocMDP /TransformParams <</P 3>>>>]',
    ),
    'white space in the room that is not signed': (bytes) =>
      withGap(bytes, `<${cmsOf(bytes).toString('hex')}${' '.repeat(80)}>`),
    'a comment in the room that is not signed': withKeysInGap(() => '% more\n'),
    'the signature wrapped': wrapped,
  }),
  ...plainKinds(
    {
      'the timestamp taken away': (bytes) => withPart(bytes, UNSIGNED_ATTRIBUTES, NONE),
      'another digest named': (bytes) => withPart(bytes, SIGNER_DIGEST, sha512),
      'another digest listed': (bytes) => withPart(bytes, DIGESTS, encode(0x31, sha512)),
    },
    { right: UNPROVED },
  ),
  ...plainKinds({ 'the CMS in BER': inBer }, { right: HARMLESS }),
];
