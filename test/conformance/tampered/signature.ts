import { encode, integer, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import {
  CMS,
  cmsOf,
  contentsOf,
  inBer,
  partOf,
  withGap,
  withPart,
  withSignatureOf,
} from '../../support/tampering.ts';
import { HARMLESS, type Kind, plainKinds, UNPROVED } from './kinds.ts';

/** Parts of the signature exchanged, and the room that no signature covers. */

const PARTS = {
  'the signed attributes swapped': CMS.signedAttributes,
  'the value of the signature swapped': CMS.signature,
  'the timestamps swapped': CMS.unsignedAttributes,
  'the signers swapped': CMS.signers,
};

const fromElsewhere = (
  whose: 'other' | 'impostor',
  exchanges: Readonly<Record<string, readonly number[]>>,
): Kind[] =>
  Object.entries(exchanges).map(([what, path]) => ({
    name: `${what} with ${whose === 'other' ? 'another file’s' : 'an impostor’s'}`,
    tamper: (drawn) => withPart(drawn.bytes, path, partOf(drawn[whose], path).raw),
  }));

const sha512 = sequence(oid('2.16.840.1.101.3.4.2.3'));
const NONE = new Uint8Array();

/** The certificates and those of an impostor. */
const withMoreCertificates = (bytes: Buffer, more: Buffer): Buffer => {
  const [own, others] = [bytes, more].map((each) => partOf(each, CMS.certificates).content);
  return withPart(bytes, CMS.certificates, encode(0xa0, own ?? NONE, others ?? NONE));
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
  ...fromElsewhere('impostor', { ...PARTS, 'the certificates swapped': CMS.certificates }),
  { name: 'the signature of another file', tamper: ({ bytes, other }) => withSignatureOf(bytes, other) },
  { name: 'sealed by an impostor', tamper: ({ impostor }) => impostor, right: UNPROVED, shapes: ['table'] },
  {
    name: 'an impostor’s certificates added',
    tamper: ({ bytes, impostor }) => withMoreCertificates(bytes, impostor),
    right: UNPROVED,
  },
  ...plainKinds({
    'the certificates taken away': (bytes) => withPart(bytes, CMS.certificates, NONE),
    'the signature twice in the CMS': (bytes) => {
      const signer = partOf(bytes, CMS.signer).raw;
      return withPart(bytes, CMS.signers, encode(0x31, signer, signer));
    },
    'no signer in the CMS': (bytes) => withPart(bytes, CMS.signers, encode(0x31)),
    'the value of the signature is 1': (bytes) =>
      withPart(bytes, CMS.signature, encode(0x04, integer(1).subarray(2))),
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
      'the timestamp taken away': (bytes) => withPart(bytes, CMS.unsignedAttributes, NONE),
      'another digest named': (bytes) => withPart(bytes, CMS.signerDigest, sha512),
      'another digest listed': (bytes) => withPart(bytes, CMS.digests, encode(0x31, sha512)),
    },
    { right: UNPROVED },
  ),
  ...plainKinds({ 'the CMS in BER': inBer }, { right: HARMLESS }),
];
