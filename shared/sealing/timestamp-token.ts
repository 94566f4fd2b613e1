import { constants, createHash, type KeyObject, verify } from 'node:crypto';
import { type Certificate, isIssuedBy, isValidAt, readCertificate, sameBytes } from './certificate.ts';
import {
  children,
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  expect,
  readOid,
  readSmallInteger,
  readTime,
  retag,
  tags,
} from './der.ts';
import { oids } from './oids.ts';

/** What the token must say, as it was asked for. */
export interface Expected {
  imprint: Uint8Array;
  /** The encoding of the nonce's INTEGER. */
  nonce: Uint8Array;
  policyOid?: string | undefined;
  /** Certificates that are trusted as they are. */
  anchors: readonly Certificate[];
  now: Date;
}

export interface VerifiedToken {
  time: Date;
  serial: string;
  policy: string;
  signer: Certificate;
}

/** A token, or an answer that should hold one, does not stand up to a check. */
export class TokenFault extends Error {
  override name = 'TokenFault';
}

/** How far the authority's clock may be from ours. */
const MAX_SKEW_MS = 5 * 60 * 1000;
const MAX_CHAIN = 6;

const digests: ReadonlyMap<string, string> = new Map([
  [oids.sha256, 'sha256'],
  [oids.sha384, 'sha384'],
  [oids.sha512, 'sha512'],
]);

/** Signature algorithms that name their hash themselves; null: the hash is the SignerInfo's. */
const signatureHashes: ReadonlyMap<string, string | null> = new Map([
  [oids.rsaEncryption, null],
  [oids.sha256WithRsa, 'sha256'],
  [oids.sha384WithRsa, 'sha384'],
  [oids.sha512WithRsa, 'sha512'],
  [oids.ecdsaWithSha256, 'sha256'],
  [oids.ecdsaWithSha384, 'sha384'],
  [oids.ecdsaWithSha512, 'sha512'],
]);

/** Reads the answer of an authority (RFC 3161, 2.4.2) and gives back its token, not yet verified. */
export function tokenOfResponse(response: Uint8Array): Uint8Array {
  const [statusInfo, token] = childrenOf(decode(response), tags.sequence);
  const status = readSmallInteger(childrenOf(statusInfo, tags.sequence)[0]);
  if (status !== 0 && status !== 1) throw new TokenFault(`the authority refused (status ${status})`);
  return expect(token, tags.sequence).raw;
}

/** Every check that makes a token worth embedding; throws a TokenFault or a DerError. */
export function verifyToken(token: Uint8Array, expected: Expected): VerifiedToken {
  const { tstInfo, certificates, signerInfo } = readSignedData(token);
  const info = readTstInfo(tstInfo);
  if (!sameBytes(info.imprint, expected.imprint)) throw new TokenFault('the imprint is of other data');
  if (info.nonce === null || !sameBytes(info.nonce, expected.nonce))
    throw new TokenFault('the nonce is not ours');
  if (expected.policyOid && info.policy !== expected.policyOid) throw new TokenFault(`policy ${info.policy}`);
  if (Math.abs(info.time.getTime() - expected.now.getTime()) > MAX_SKEW_MS) {
    throw new TokenFault(`the time ${info.time.toISOString()} is too far from ours`);
  }
  const signer = verifySigner(signerInfo, tstInfo, certificates);
  checkAuthorityCertificate(signer, info.time, expected.now);
  if (!leadsToAnchor(signer, certificates, expected.anchors, info.time)) {
    throw new TokenFault("the authority's certificate does not lead to a pinned root");
  }
  return { time: info.time, serial: info.serial, policy: info.policy, signer };
}

interface TokenParts {
  tstInfo: Uint8Array;
  certificates: Certificate[];
  signerInfo: DerNode[];
}

function readSignedData(token: Uint8Array): TokenParts {
  const [type, wrapped] = childrenOf(decode(token), tags.sequence);
  if (readOid(type) !== oids.signedData) throw new TokenFault('no signed data');
  const fields = childrenOf(childrenOf(wrapped, contextTag(0))[0], tags.sequence);
  const [contentType, content] = childrenOf(fields[2], tags.sequence);
  if (readOid(contentType) !== oids.tstInfo) throw new TokenFault('no timestamp inside');
  const tstInfo = expect(childrenOf(content, contextTag(0))[0], tags.octetString).content;
  const certificates = fields
    .filter((field) => field.tag === contextTag(0))
    .flatMap(children)
    .filter((certificate) => certificate.tag === tags.sequence)
    .map((certificate) => readCertificate(certificate.raw));
  const signers = childrenOf(fields.at(-1), tags.set);
  if (signers.length !== 1) throw new TokenFault(`${signers.length} signers`);
  return { tstInfo, certificates, signerInfo: childrenOf(signers[0], tags.sequence) };
}

interface TstInfo {
  policy: string;
  imprint: Uint8Array;
  serial: string;
  time: Date;
  nonce: Uint8Array | null;
}

function readTstInfo(encoded: Uint8Array): TstInfo {
  const [version, policy, imprint, serial, time, ...optional] = childrenOf(decode(encoded), tags.sequence);
  if (readSmallInteger(version) !== 1) throw new TokenFault('unknown version');
  const [algorithm, hashed] = childrenOf(imprint, tags.sequence);
  const [algorithmId] = childrenOf(algorithm, tags.sequence);
  if (readOid(algorithmId) !== oids.sha256) throw new TokenFault('the imprint is not SHA-256');
  return {
    policy: readOid(policy),
    imprint: expect(hashed, tags.octetString).content,
    serial: Buffer.from(expect(serial, tags.integer).content).toString('hex').toUpperCase(),
    time: readTime(expect(time, tags.generalizedTime)),
    nonce: optional.find((field) => field.tag === tags.integer)?.raw ?? null,
  };
}

/** Finds who signed, and checks the signed attributes and the signature over them. */
function verifySigner(
  signerInfo: readonly DerNode[],
  tstInfo: Uint8Array,
  certificates: readonly Certificate[],
): Certificate {
  const [, signerId, digestAlgorithm, attributes, signatureAlgorithm, signature] = signerInfo;
  const signer = certificates.find((certificate) => isNamedBy(certificate, signerId));
  if (signer === undefined) throw new TokenFault("the token lacks its signer's certificate");
  const digest = digests.get(readOid(childrenOf(digestAlgorithm, tags.sequence)[0]));
  if (digest === undefined) throw new TokenFault('the token is hashed with a weak or unknown algorithm');

  const values = readAttributes(expect(attributes, contextTag(0)));
  if (readOid(decode(values.get(oids.contentType) ?? new Uint8Array())) !== oids.tstInfo) {
    throw new TokenFault('the signed content type is wrong');
  }
  const messageDigest = expect(
    decode(values.get(oids.messageDigest) ?? new Uint8Array()),
    tags.octetString,
  ).content;
  if (!sameBytes(messageDigest, createHash(digest).update(tstInfo).digest())) {
    throw new TokenFault('the token was changed');
  }
  checkSigningCertificate(values, signer);

  const signed = retag(tags.set, expect(attributes, contextTag(0)).raw);
  const value = expect(signature, tags.octetString).content;
  if (!isSignatureRight(signed, value, signer.x509.publicKey, signatureAlgorithm, digest)) {
    throw new TokenFault("the token's signature is wrong");
  }
  return signer;
}

function isNamedBy(certificate: Certificate, signerId: DerNode | undefined): boolean {
  if (signerId?.tag === 0x80) {
    const { subjectKeyIdentifier } = certificate;
    return subjectKeyIdentifier !== null && sameBytes(subjectKeyIdentifier, signerId.content);
  }
  const [issuer, serial] = childrenOf(signerId, tags.sequence);
  return (
    sameBytes(certificate.issuer, expect(issuer, tags.sequence).raw) &&
    sameBytes(certificate.serial, expect(serial, tags.integer).raw)
  );
}

/** Attribute type to the encoding of its one value. */
function readAttributes(attributes: DerNode): Map<string, Uint8Array> {
  const values = new Map<string, Uint8Array>();
  for (const attribute of children(attributes)) {
    const [type, set] = childrenOf(attribute, tags.sequence);
    const [value, ...more] = childrenOf(set, tags.set);
    const name = readOid(type);
    if (value === undefined || more.length > 0 || values.has(name))
      throw new TokenFault('ambiguous attributes');
    values.set(name, value.raw);
  }
  return values;
}

/**
 * The token must name its certificate under the signature (RFC 5035, RFC 5816), or another certificate with the same
 * key could be put in its place. Version 1 names it by SHA-1, version 2 by SHA-256 unless it says otherwise.
 */
function checkSigningCertificate(attributes: ReadonlyMap<string, Uint8Array>, signer: Certificate): void {
  const first = attributes.get(oids.signingCertificate);
  const second = attributes.get(oids.signingCertificateV2);
  if (!first && !second) throw new TokenFault('the token does not name its certificate');
  if (first) checkCertificateId(first, signer, 'sha1');
  if (second) checkCertificateId(second, signer, 'sha256');
}

function checkCertificateId(attribute: Uint8Array, signer: Certificate, standardHash: string): void {
  const [list] = childrenOf(decode(attribute), tags.sequence);
  const [id] = childrenOf(list, tags.sequence);
  const parts = childrenOf(id, tags.sequence);
  const named = parts[0]?.tag === tags.sequence ? digests.get(readOid(children(parts[0])[0])) : standardHash;
  const hash = expect(
    parts.find((part) => part.tag === tags.octetString),
    tags.octetString,
  ).content;
  if (named === undefined || !sameBytes(hash, createHash(named).update(signer.der).digest())) {
    throw new TokenFault('the token names another certificate');
  }
}

function isSignatureRight(
  signed: Uint8Array,
  signature: Uint8Array,
  key: KeyObject,
  algorithm: DerNode | undefined,
  digest: string,
): boolean {
  const [id, parameters] = childrenOf(algorithm, tags.sequence);
  const name = readOid(id);
  if (name === oids.rsaPss) {
    const hash = pssHash(parameters);
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return verify(hash, signed, { key, padding, saltLength: constants.RSA_PSS_SALTLEN_AUTO }, signature);
  }
  const hash = signatureHashes.get(name);
  if (hash === undefined) throw new TokenFault(`unknown signature algorithm ${name}`);
  return verify(hash ?? digest, signed, key, signature);
}

/** The hash of RSASSA-PSS parameters (RFC 4055); their default, SHA-1, is not accepted. */
function pssHash(parameters: DerNode | undefined): string {
  const hash = childrenOf(parameters, tags.sequence).find((field) => field.tag === contextTag(0));
  const id = hash && childrenOf(children(hash)[0], tags.sequence)[0];
  const name = id && digests.get(readOid(id));
  if (name === undefined) throw new TokenFault('weak or unknown RSA-PSS parameters');
  return name;
}

function checkAuthorityCertificate(signer: Certificate, time: Date, now: Date): void {
  const { extendedKeyUsage, keyUsage } = signer;
  const sole = extendedKeyUsage?.purposes.length === 1 && extendedKeyUsage.purposes[0] === oids.timeStamping;
  if (!sole || !extendedKeyUsage.critical) {
    throw new TokenFault("the authority's certificate is not for timestamps alone");
  }
  if (keyUsage && !keyUsage.digitalSignature && !keyUsage.nonRepudiation) {
    throw new TokenFault("the authority's certificate may not sign");
  }
  if (!isValidAt(signer, time) || !isValidAt(signer, now)) {
    throw new TokenFault("the authority's certificate is not valid now");
  }
}

function leadsToAnchor(
  certificate: Certificate,
  others: readonly Certificate[],
  anchors: readonly Certificate[],
  time: Date,
  length = 1,
): boolean {
  if (anchors.some((anchor) => sameBytes(anchor.der, certificate.der))) return true;
  if (anchors.some((anchor) => isValidAt(anchor, time) && isIssuedBy(certificate, anchor))) return true;
  if (length >= MAX_CHAIN) return false;
  return others
    .filter((issuer) => !sameBytes(issuer.der, certificate.der))
    .filter((issuer) => isValidAt(issuer, time) && isIssuedBy(certificate, issuer))
    .some((issuer) => leadsToAnchor(issuer, others, anchors, time, length + 1));
}
