import type { Certificate } from './certificate.ts';
import { sha256 } from './certificate.ts';
import {
  contextTag,
  derNull,
  encode,
  integer,
  octetString,
  oid,
  retag,
  sequence,
  setOf,
  tags,
} from './der.ts';
import { oids } from './oids.ts';

/**
 * The signed attributes of a PAdES baseline signature, exactly three: content type, digest of the byte range, and
 * which certificate signs. A signing-time attribute is not allowed here; the time is in the dictionary and the token.
 * As a SET (0x31) they are what is signed; under the tag 0xA0 they go into the SignerInfo.
 */
export function signedAttributes(byteRangeDigest: Uint8Array, own: Certificate): Buffer {
  return setOf(
    attribute(oids.contentType, oid(oids.data)),
    attribute(oids.messageDigest, octetString(byteRangeDigest)),
    attribute(oids.signingCertificateV2, sequence(sequence(sequence(octetString(sha256(own.der)))))),
  );
}

export interface SignatureParts {
  attributes: Uint8Array;
  signature: Uint8Array;
  algorithm: 'rsa' | 'ecdsa-p256';
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
    digestAlgorithm(),
    retag(contextTag(0), parts.attributes),
    signatureAlgorithm(parts.algorithm),
    octetString(parts.signature),
    retag(contextTag(1), setOf(attribute(oids.timeStampToken, parts.timestampToken))),
  );
  const content = sequence(
    integer(1),
    setOf(digestAlgorithm()),
    sequence(oid(oids.data)),
    retag(contextTag(0), certificates),
    setOf(signerInfo),
  );
  return sequence(oid(oids.signedData), encode(contextTag(0), content));
}

const attribute = (type: string, value: Uint8Array): Buffer => sequence(oid(type), encode(tags.set, value));

/** SHA-256 without parameters (RFC 5754). */
const digestAlgorithm = (): Buffer => sequence(oid(oids.sha256));

const signatureAlgorithm = (algorithm: SignatureParts['algorithm']): Buffer =>
  algorithm === 'rsa' ? sequence(oid(oids.sha256WithRsa), derNull()) : sequence(oid(oids.ecdsaWithSha256));
