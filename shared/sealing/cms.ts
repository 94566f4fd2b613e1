import type { Certificate } from './certificate.ts';
import { sha256 } from './certificate.ts';
import { contextTag, TAGS } from './der.ts';
import { derNull, encode, integer, octetString, oid, retag, sequence, setOf } from './der-encode.ts';
import { SEAL_DIGESTS, type SealAlgorithm } from './keys/algorithm.ts';
import { OIDS } from './oids.ts';

/**
 * The signed attributes of a PAdES baseline signature, exactly three: content type, digest of the byte range, and
 * the signing certificate's hash. PAdES forbids a signing-time attribute: the time is in the dictionary and the token.
 * They are signed as a SET (tag 0x31) and stored in the SignerInfo under tag 0xA0.
 */
export function signedAttributes(byteRangeDigest: Uint8Array, own: Certificate): Buffer {
  return setOf(
    attribute(OIDS.contentType, oid(OIDS.data)),
    attribute(OIDS.messageDigest, octetString(byteRangeDigest)),
    attribute(OIDS.signingCertificateV2, sequence(sequence(sequence(octetString(sha256(own.der)))))),
  );
}

export interface SignatureParts {
  attributes: Uint8Array;
  signature: Uint8Array;
  algorithm: SealAlgorithm;
  chain: readonly Certificate[];
  timestampToken: Uint8Array;
}

/** The CMS SignedData (RFC 5652) that goes into /Contents. */
export function signedData(parts: SignatureParts): Buffer {
  const [own] = parts.chain;
  if (own === undefined) throw new Error('a signature needs its certificate');
  const certificates = setOf(...parts.chain.map(({ der }) => der));
  const signerInfo = sequence(
    integer(1),
    sequence(own.issuer, own.serial),
    digestAlgorithm(parts.algorithm),
    retag(contextTag(0), parts.attributes),
    SIGNATURE_ALGORITHMS[parts.algorithm],
    octetString(parts.signature),
    retag(contextTag(1), setOf(attribute(OIDS.timeStampToken, parts.timestampToken))),
  );
  const content = sequence(
    integer(1),
    setOf(digestAlgorithm(parts.algorithm)),
    sequence(oid(OIDS.data)),
    retag(contextTag(0), certificates),
    setOf(signerInfo),
  );
  return sequence(oid(OIDS.signedData), encode(contextTag(0), content));
}

const attribute = (type: string, value: Uint8Array): Buffer => sequence(oid(type), encode(TAGS.set, value));

/** Without parameters (RFC 5754). */
const digestAlgorithm = (algorithm: SealAlgorithm): Buffer => sequence(oid(OIDS[SEAL_DIGESTS[algorithm]]));

const SIGNATURE_ALGORITHMS: Readonly<Record<SealAlgorithm, Uint8Array>> = {
  rsa: sequence(oid(OIDS.sha256WithRsa), derNull()),
  'ecdsa-p256': sequence(oid(OIDS.ecdsaWithSha256)),
  'ecdsa-p384': sequence(oid(OIDS.ecdsaWithSha384)),
};
