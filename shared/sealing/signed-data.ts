import { algorithmId, digestOfSignature, STRONG_DIGESTS } from './algorithms.ts';
import { withLengths } from './ber.ts';
import type { CertificateFields } from './certificate-fields.ts';
import {
  children,
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  expectTag,
  octets,
  readOid,
  readSmallInteger,
  type Signed,
  sameBytes,
  TAGS,
} from './der.ts';
import { SignatureFault, Unsupported } from './faults.ts';
import { OIDS } from './oids.ts';

/** The parts of a CMS SignedData (RFC 5652) with exactly one signer. */
export interface SignedData {
  digestAlgorithms: readonly string[];
  contentType: string;
  /** Null: the content is detached. */
  content: Uint8Array | null;
  certificates: readonly DerNode[];
  signer: SignerInfo;
}

/** The signature is over the signed attributes. */
export interface SignerInfo extends Signed {
  identifier: DerNode | undefined;
  digestAlgorithm: string;
  /** Maps the type of each signed attribute to the DER of its single value. */
  attributes: ReadonlyMap<string, Uint8Array>;
  unsigned: DerNode | undefined;
}

/** Throws a SignatureFault. */
export function readSignedData(contentInfo: DerNode): SignedData {
  const [type, wrapped, ...more] = childrenOf(contentInfo, TAGS.sequence);
  if (readOid(type) !== OIDS.signedData || more.length > 0) throw new SignatureFault('no signed data');
  const fields = childrenOf(childrenOf(wrapped, contextTag(0))[0], TAGS.sequence);
  const [contentType, content] = childrenOf(fields[2], TAGS.sequence);
  const signers = childrenOf(fields.at(-1), TAGS.set);
  if (signers.length !== 1) throw new SignatureFault(`${signers.length} signers`);
  readSmallInteger(fields[0]);
  return {
    digestAlgorithms: childrenOf(fields[1], TAGS.set).map(readAlgorithm),
    contentType: readOid(contentType),
    content: content ? expectTag(childrenOf(content, contextTag(0))[0], TAGS.octetString).content : null,
    certificates: fields
      .filter((field) => field.tag === contextTag(0))
      .flatMap(children)
      .map((certificate) => expectTag(certificate, TAGS.sequence)),
    signer: readSignerInfo(childrenOf(signers[0], TAGS.sequence)),
  };
}

function readSignerInfo([version, identifier, digestAlgorithm, ...rest]: readonly DerNode[]): SignerInfo {
  readSmallInteger(version);
  const [attributes, signatureAlgorithm, signature, unsigned] = rest;
  return {
    identifier,
    digestAlgorithm: readAlgorithm(digestAlgorithm),
    attributes: readAttributes(expectTag(attributes, contextTag(0))),
    signed: asSet(expectTag(attributes, contextTag(0)).raw),
    signatureAlgorithm,
    signature: octets(signature),
    unsigned,
  };
}

/** The OID of an algorithm that has no parameters other than NULL. */
export function readAlgorithm(algorithm: DerNode | undefined): string {
  const [id, parameters, ...more] = childrenOf(algorithm, TAGS.sequence);
  if (more.length > 0 || (parameters && (parameters.tag !== TAGS.null || parameters.content.length > 0)))
    throw new SignatureFault('unknown parameters of an algorithm');
  return readOid(id);
}

/** Attributes are stored under tag 0xA0 and signed as a SET. */
function asSet(attributes: Uint8Array): Uint8Array {
  const set = Uint8Array.from(attributes);
  set[0] = TAGS.set;
  return set;
}

export function readAttributes(attributes: DerNode): Map<string, Uint8Array> {
  const values = new Map<string, Uint8Array>();
  for (const attribute of children(attributes)) {
    const [type, set] = childrenOf(attribute, TAGS.sequence);
    const { content } = expectTag(set, TAGS.set);
    const name = readOid(type);
    if (content.length === 0 || values.has(name)) throw new SignatureFault('ambiguous attributes');
    // A timestamp may be in BER within a signature in DER.
    const { der, end } = withLengths(content);
    if (end < content.length) throw new SignatureFault('ambiguous attributes');
    values.set(name, der);
  }
  return values;
}

/** A signature over a file does not contain it. Throws a SignatureFault. */
export function requireDetached({ contentType, content }: SignedData): void {
  if (contentType !== OIDS.data || content !== null)
    throw new SignatureFault('the signature is not detached');
}

/** The timestamp token of a signature, or null. */
export function tokenOf({ signer }: SignedData): Uint8Array | null {
  if (signer.unsigned === undefined) return null;
  return readAttributes(expectTag(signer.unsigned, contextTag(1))).get(OIDS.timeStampToken) ?? null;
}

/** A signer's claims, read without cryptography. signer.ts and the verifier check them. */
export interface SignerClaims {
  /** The content's digest algorithm; `messageDigest` is the value. */
  digest: string;
  messageDigest: Uint8Array;
  /** The digests that the signer's certificate must have. */
  certificateDigests: readonly { algorithm: string; digest: Uint8Array }[];
  /** The digest algorithm of the signature. */
  signatureDigest: string;
}

/** Refuses weak or unknown algorithms and contradictions. Throws a SignatureFault. */
export function readSignerClaims({ signer, contentType }: SignedData): SignerClaims {
  const digest = STRONG_DIGESTS.get(signer.digestAlgorithm);
  if (digest === undefined) throw new Unsupported('the digest algorithm is weak or unknown');
  const signatureDigest = digestOfSignature(signer.signatureAlgorithm);
  if (signatureDigest === undefined) throw new Unsupported('the signature algorithm is weak or unknown');

  const value = (type: string): DerNode => decode(signer.attributes.get(type) ?? new Uint8Array());
  if (readOid(value(OIDS.contentType)) !== contentType)
    throw new SignatureFault('the signed content type is wrong');
  return {
    digest,
    messageDigest: octets(value(OIDS.messageDigest)),
    certificateDigests: readCertificateDigests(signer.attributes),
    signatureDigest: signatureDigest ?? digest,
  };
}

/** Other programs refuse a signature with two hashes, or one whose hash the data does not list. Throws Unsupported. */
export function checkDigests(
  { signer, digestAlgorithms }: SignedData,
  { digest, signatureDigest }: SignerClaims,
): void {
  if (signatureDigest !== digest || !digestAlgorithms.includes(signer.digestAlgorithm))
    throw new Unsupported('two digest algorithms');
}

/** The certificate that the signer's identifier names. Throws a SignatureFault if it is missing. */
export function signerAmong<T extends CertificateFields>(
  certificates: readonly T[],
  { signer }: SignedData,
): T {
  const certificate = certificates.find((each) => isNamedBy(each, signer.identifier));
  if (certificate === undefined) throw new SignatureFault("the signer's certificate is missing");
  return certificate;
}

/** True if the signer's identifier names the certificate. */
export function isNamedBy(certificate: CertificateFields, identifier: DerNode | undefined): boolean {
  if (identifier?.tag === 0x80) {
    const { subjectKeyIdentifier } = certificate;
    return subjectKeyIdentifier !== null && sameBytes(subjectKeyIdentifier, identifier.content);
  }
  const [issuer, serial] = childrenOf(identifier, TAGS.sequence);
  return (
    sameBytes(certificate.issuer, expectTag(issuer, TAGS.sequence).raw) &&
    sameBytes(certificate.serial, expectTag(serial, TAGS.integer).raw)
  );
}

/**
 * The signed attributes must name the certificate (RFC 5035, RFC 5816), or it could be swapped for another with the
 * same key. Version 1 names it by SHA-1; version 2 by SHA-256 unless it names another hash.
 */
function readCertificateDigests(
  attributes: ReadonlyMap<string, Uint8Array>,
): SignerClaims['certificateDigests'] {
  const first = attributes.get(OIDS.signingCertificate);
  const second = attributes.get(OIDS.signingCertificateV2);
  if (!first && !second) throw new Unsupported('the signature does not name its certificate');
  return [
    ...(first ? [readCertificateDigest(first, 'sha1')] : []),
    ...(second ? [readCertificateDigest(second, 'sha256')] : []),
  ];
}

function readCertificateDigest(attribute: Uint8Array, standardHash: string) {
  const [list] = childrenOf(decode(attribute), TAGS.sequence);
  const [id] = childrenOf(list, TAGS.sequence);
  const parts = childrenOf(id, TAGS.sequence);
  const algorithm =
    parts[0]?.tag === TAGS.sequence ? STRONG_DIGESTS.get(algorithmId(parts[0])) : standardHash;
  if (algorithm === undefined) throw new Unsupported('the certificate is named by a weak or unknown hash');
  return { algorithm, digest: octets(parts.find((part) => part.tag === TAGS.octetString)) };
}
