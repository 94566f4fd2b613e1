import { digestOfSignature } from './algorithms.ts';
import {
  children,
  childrenOf,
  contextTag,
  DerError,
  type DerNode,
  decode,
  expectTag,
  octets,
  readOid,
  readSmallInteger,
  readTime,
  type Signed,
  sameBytes,
  TAGS,
} from './der.ts';
import { isWithin, type NameLimits, readNameLimits } from './name-limits.ts';
import { OIDS } from './oids.ts';

/** The fields of a certificate (RFC 5280), read without any cryptography. */
export interface CertificateFields extends Signed {
  der: Uint8Array;
  /** DER including tag and length, exactly as in the certificate. */
  serial: Uint8Array;
  issuer: Uint8Array;
  subject: Uint8Array;
  notBefore: Date;
  notAfter: Date;
  key: PublicKey;
  /** Null when the extension is missing. */
  keyUsage: KeyUsage | null;
  extendedKeyUsage: { critical: boolean; purposes: string[] } | null;
  subjectKeyIdentifier: Uint8Array | null;
  /** True if the basic constraints make it a CA. */
  isAuthority: boolean;
  /** The maximum number of authorities between it and a chain's first certificate; null: any number. */
  pathLength: number | null;
  /** The names that it allows below it; null: all. */
  names: NameLimits | null;
  /** False if it has a critical extension that is not implemented here. */
  isUnderstood: boolean;
  /** True if the issuer signed it with SHA-256 or better. */
  isStronglySigned: boolean;
}

export interface KeyUsage {
  digitalSignature: boolean;
  nonRepudiation: boolean;
  keyCertSign: boolean;
  cRLSign: boolean;
}

export interface PublicKey {
  /** DER of the SubjectPublicKeyInfo. */
  spki: Uint8Array;
  type: 'rsa' | 'ec' | 'other';
  /** The OID of an EC key's curve. */
  curve: string | null;
  /** Of the modulus or the field. */
  bits: number;
}

/** Throws a DerError. */
export function readCertificateFields(der: Uint8Array): CertificateFields {
  const [tbs, signatureAlgorithm, signature] = childrenOf(decode(der), TAGS.sequence);
  const fields = childrenOf(tbs, TAGS.sequence);
  if (fields[0]?.tag !== contextTag(0)) throw new DerError('no X.509 v3 certificate');
  const [, serial, innerAlgorithm, issuer, validity, subject, key] = fields;
  const [inner, outer] = [innerAlgorithm, signatureAlgorithm].map(
    (each) => expectTag(each, TAGS.sequence).raw,
  );
  if (!inner || !outer || !sameBytes(inner, outer)) throw new DerError('two signature algorithms');
  const [notBefore, notAfter] = childrenOf(validity, TAGS.sequence);
  const extensions = readExtensions(fields.find((field) => field.tag === contextTag(3)));
  const read = <T>(id: string, parse: (value: Uint8Array, critical: boolean) => T): T | null => {
    const extension = extensions.get(id);
    return extension ? parse(extension.value, extension.critical) : null;
  };
  const limits = read(OIDS.basicConstraints, (value) => childrenOf(decode(value), TAGS.sequence)) ?? [];
  const length = limits.find(({ tag }) => tag === TAGS.integer);
  return {
    der,
    serial: expectTag(serial, TAGS.integer).raw,
    issuer: expectTag(issuer, TAGS.sequence).raw,
    subject: expectTag(subject, TAGS.sequence).raw,
    notBefore: readTime(notBefore),
    notAfter: readTime(notAfter),
    key: readPublicKey(expectTag(key, TAGS.sequence)),
    keyUsage: read(OIDS.keyUsage, readKeyUsage),
    extendedKeyUsage: read(OIDS.extendedKeyUsage, (value, critical) => ({
      critical,
      purposes: childrenOf(decode(value), TAGS.sequence).map(readOid),
    })),
    subjectKeyIdentifier: read(OIDS.subjectKeyIdentifier, (value) => octets(decode(value))),
    isAuthority: isTrue(limits[0]),
    pathLength: length ? readSmallInteger(length) : null,
    names: read(OIDS.nameConstraints, readNameLimits),
    isUnderstood: [...extensions].every(([id, { critical }]) => !critical || UNDERSTOOD.has(id)),
    signed: expectTag(tbs, TAGS.sequence).raw,
    signatureAlgorithm,
    signature: wholeBytes(signature),
    isStronglySigned: typeof digestOfSignature(signatureAlgorithm) === 'string',
  };
}

/** Extensions that may be critical. Policies are accepted without evaluation. */
const UNDERSTOOD: ReadonlySet<string> = new Set([
  OIDS.authorityKeyIdentifier,
  OIDS.basicConstraints,
  OIDS.certificatePolicies,
  OIDS.extendedKeyUsage,
  OIDS.inhibitAnyPolicy,
  OIDS.issuerAlternativeNames,
  OIDS.keyUsage,
  OIDS.nameConstraints,
  OIDS.ocspNoCheck,
  OIDS.policyConstraints,
  OIDS.policyMappings,
  OIDS.qualifiedStatements,
  OIDS.revocationLists,
  OIDS.subjectAlternativeNames,
  OIDS.subjectKeyIdentifier,
]);

/** The content of a BIT STRING of whole bytes. */
export function wholeBytes(node: DerNode | undefined): Uint8Array {
  const { content } = expectTag(node, TAGS.bitString);
  if (content[0] !== 0) throw new DerError('not whole bytes');
  return content.subarray(1);
}

export function readPublicKey(spki: DerNode): PublicKey {
  const [algorithm, bits] = childrenOf(spki, TAGS.sequence);
  const [id, parameters] = childrenOf(algorithm, TAGS.sequence);
  const type = KEY_TYPES.get(readOid(id)) ?? 'other';
  const key = wholeBytes(bits);
  return {
    spki: spki.raw,
    type,
    curve: type === 'ec' && parameters?.tag === TAGS.oid ? readOid(parameters) : null,
    bits: type === 'rsa' ? modulusBits(key) : type === 'ec' ? fieldBits(key) : 0,
  };
}

const KEY_TYPES: ReadonlyMap<string, PublicKey['type']> = new Map([
  [OIDS.rsaEncryption, 'rsa'],
  [OIDS.rsaPss, 'rsa'],
  [OIDS.ecPublicKey, 'ec'],
]);

function modulusBits(key: Uint8Array): number {
  const { content } = expectTag(childrenOf(decode(key), TAGS.sequence)[0], TAGS.integer);
  const first = content.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : (content.length - first) * 8 - Math.clz32(content[first] ?? 0) + 24;
}

/** An uncompressed point begins with 4 and has two coordinates, a compressed one has one. */
const fieldBits = (point: Uint8Array): number =>
  (point[0] === 4 ? (point.length - 1) / 2 : point.length - 1) * 8;

export interface Extension {
  critical: boolean;
  value: Uint8Array;
}

/** All extensions of a certificate by OID, for those that CertificateFields leaves out. */
export const extensionsOf = ({ signed }: CertificateFields): Map<string, Extension> =>
  readExtensions(childrenOf(decode(signed), TAGS.sequence).find((field) => field.tag === contextTag(3)));

/** Reads extensions inside their explicit tag. */
export const readExtensions = (node: DerNode | undefined): Map<string, Extension> =>
  node ? readExtensionList(children(node)[0]) : new Map();

export function readExtensionList(list: DerNode | undefined): Map<string, Extension> {
  const extensions = new Map<string, Extension>();
  for (const extension of childrenOf(list, TAGS.sequence)) {
    const parts = childrenOf(extension, TAGS.sequence);
    const value = octets(parts.at(-1));
    const critical = isTrue(parts[1]);
    const oid = readOid(parts[0]);
    // Programs differ in which of the two counts.
    if (extensions.has(oid)) throw new DerError('an extension twice');
    extensions.set(oid, { critical, value });
  }
  return extensions;
}

const isTrue = (node: DerNode | undefined): boolean => node?.tag === TAGS.boolean && node.content[0] !== 0;

function readKeyUsage(value: Uint8Array): KeyUsage {
  const bits = expectTag(decode(value), TAGS.bitString).content[1] ?? 0;
  return {
    digitalSignature: (bits & 0x80) !== 0,
    nonRepudiation: (bits & 0x40) !== 0,
    keyCertSign: (bits & 0x04) !== 0,
    cRLSign: (bits & 0x02) !== 0,
  };
}

export const isValidAt = ({ notBefore, notAfter }: CertificateFields, time: Date): boolean =>
  time >= notBefore && time <= notAfter;

/** RSA of 2,048 bits or more, or a curve of 256 bits or more. */
export const isStrongKey = ({ type, bits }: PublicKey): boolean =>
  (type === 'rsa' && bits >= 2048) || (type === 'ec' && bits >= 256);

/** True if the issuer has the right name and is a CA that may sign certificates. Does not verify the signature. */
export const mayHaveIssued = (issuer: CertificateFields, certificate: CertificateFields): boolean =>
  sameBytes(certificate.issuer, issuer.subject) &&
  issuer.isAuthority &&
  (issuer.keyUsage === null || issuer.keyUsage.keyCertSign);

/**
 * True if the issuer may be the next certificate of a chain (RFC 5280, 6.1): no certificate has an unknown critical extension, and
 * the issuer's limits allow the chain's length and names. `mayHaveIssued` and the signature are checked separately.
 */
export function mayExtend(chain: readonly CertificateFields[], issuer: CertificateFields): boolean {
  const { pathLength, names } = issuer;
  const authorities = chain.slice(1).filter((each) => !isSelfIssued(each));
  const named = [...chain.slice(0, 1), ...authorities];
  return (
    [...chain, issuer].every(({ isUnderstood }) => isUnderstood) &&
    (pathLength === null || authorities.length <= pathLength) &&
    (names === null || named.every(({ subject }) => isWithin(names, subject)))
  );
}

/** An authority's own certificate for its renewed key does not count towards the path length. */
const isSelfIssued = ({ subject, issuer }: CertificateFields): boolean => sameBytes(subject, issuer);

/**
 * Finds what is wrong with the certificates in a CMS, which nothing signs; null if nothing is. Each must have issued another one,
 * and be signed by its own issuer if that is included: other programs might trust a forged one, or fail on a broken one.
 */
export function faultAmong<T extends CertificateFields>(
  certificates: readonly T[],
  signer: T,
  isIssuedBy: (certificate: T, issuer: T) => boolean,
): string | null {
  const used = new Set([signer]);
  for (const certificate of certificates) {
    const named = certificates.filter((issuer) => mayHaveIssued(issuer, certificate));
    const issuers = named.filter((issuer) => isIssuedBy(certificate, issuer));
    if (named.length > 0 && issuers.length === 0 && certificate.isStronglySigned)
      return 'a certificate is not by the issuer that came along';
    for (const issuer of issuers) if (issuer !== certificate) used.add(issuer);
  }
  return used.size < certificates.length ? 'a certificate belongs to no other' : null;
}
