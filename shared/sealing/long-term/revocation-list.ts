import { digestOfSignature } from '../algorithms.ts';
import type { Certificate } from '../certificate.ts';
import {
  type Extension,
  isStrongKey,
  readExtensionList,
  readExtensions,
  wholeBytes,
} from '../certificate-fields.ts';
import {
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  expectTag,
  readEnumerated,
  readTime,
  sameBytes,
  TAGS,
} from '../der.ts';
import { OIDS } from '../oids.ts';
import { isSignatureRight } from '../signer.ts';
import { addressesOf, fullNames, webAddresses } from './addresses.ts';
import { checkWindow, type Proof, ProofFault, type Question, Revoked } from './proof.ts';

/**
 * Checks a complete revocation list (RFC 5280, 6.3): issuer and its right to sign lists, strength, signature, scope,
 * window, and that the certificate is not on it. Throws a ProofFault, a Revoked or a DerError.
 */
export function verifyRevocationList(der: Uint8Array, { certificate, issuer, at }: Question): Proof {
  const [signed, algorithm, signature] = childrenOf(decode(der), TAGS.sequence);
  const list = readList(signed);
  if (!sameBytes(list.issuer, issuer.subject)) throw new ProofFault('the list is by another issuer');
  if (!algorithm || !sameBytes(list.algorithm, algorithm.raw))
    throw new ProofFault('two signature algorithms');
  checkSignature(
    { signed: list.raw, signatureAlgorithm: algorithm, signature: wholeBytes(signature) },
    issuer,
  );
  checkScope(list.extensions, certificate);
  const until = checkWindow(list.issuedAt, list.nextUpdate, at);
  const entry = list.revoked.find((each) => isOf(each, certificate));
  if (entry) throw revokedBy(entry);
  return { kind: 'crl', der, issuedAt: list.issuedAt, until };
}

interface RevocationList {
  raw: Uint8Array;
  algorithm: Uint8Array;
  issuer: Uint8Array;
  issuedAt: Date;
  nextUpdate: Date;
  revoked: DerNode[];
  extensions: Map<string, Extension>;
}

const isTime = (node: DerNode | undefined) =>
  node?.tag === TAGS.utcTime || node?.tag === TAGS.generalizedTime;

function readList(signed: DerNode | undefined): RevocationList {
  const fields = childrenOf(signed, TAGS.sequence);
  const [algorithm, issuer, thisUpdate, nextUpdate, ...rest] =
    fields[0]?.tag === TAGS.integer ? fields.slice(1) : fields;
  if (!isTime(nextUpdate)) throw new ProofFault('the list names no end');
  const revoked = rest.find(({ tag }) => tag === TAGS.sequence);
  return {
    raw: expectTag(signed, TAGS.sequence).raw,
    algorithm: expectTag(algorithm, TAGS.sequence).raw,
    issuer: expectTag(issuer, TAGS.sequence).raw,
    issuedAt: readTime(thisUpdate),
    nextUpdate: readTime(nextUpdate),
    revoked: revoked ? childrenOf(revoked, TAGS.sequence) : [],
    extensions: readExtensions(rest.find(({ tag }) => tag === contextTag(0))),
  };
}

function checkSignature(
  signed: Parameters<typeof isSignatureRight>[0],
  { key, keyUsage, x509 }: Certificate,
): void {
  if (keyUsage && !keyUsage.cRLSign) throw new ProofFault('the issuer may not sign revocation lists');
  if (!isStrongKey(key)) throw new ProofFault("the issuer's key is too weak");
  const digest = digestOfSignature(signed.signatureAlgorithm);
  if (typeof digest !== 'string') throw new ProofFault('the list is signed by a weak or unknown algorithm');
  if (!isSignatureRight(signed, x509.publicKey, digest))
    throw new ProofFault("the list's signature is wrong");
}

/** A list must be complete for this certificate: no delta, no indirect one, none of other certificates or some reasons. */
function checkScope(extensions: ReadonlyMap<string, Extension>, certificate: Certificate): void {
  if (extensions.has(OIDS.deltaRevocationList)) throw new ProofFault('the list holds changes alone');
  for (const [id, { critical }] of extensions) {
    if (critical && id !== OIDS.issuingDistributionPoint)
      throw new ProofFault(`unknown critical extension ${id}`);
  }
  const scope = extensions.get(OIDS.issuingDistributionPoint);
  if (scope === undefined) return;
  for (const part of childrenOf(decode(scope.value), TAGS.sequence)) {
    if (part.tag === contextTag(0)) checkPoint(part, certificate);
    else checkKind(part, certificate);
  }
}

function checkPoint(name: DerNode, certificate: Certificate): void {
  const { lists } = addressesOf(certificate);
  if (!webAddresses(fullNames(name)).some((url) => lists.includes(url)))
    throw new ProofFault('the list is of another distribution point');
}

const ONLY = { users: 0x81, authorities: 0x82 } as const;

function checkKind({ tag, content }: DerNode, { isAuthority }: Certificate): void {
  const isSet = content.some((byte) => byte !== 0);
  const fits = tag === ONLY.users ? !isAuthority : tag === ONLY.authorities && isAuthority;
  if (isSet && !fits) throw new ProofFault('the list is not complete for this certificate');
}

const isOf = (entry: DerNode, { serial }: Certificate): boolean =>
  sameBytes(expectTag(childrenOf(entry, TAGS.sequence)[0], TAGS.integer).raw, serial);

function revokedBy(entry: DerNode): Revoked {
  const [, time, extensions] = childrenOf(entry, TAGS.sequence);
  const reason = extensions && readExtensionList(extensions).get(OIDS.crlReason);
  return new Revoked(readTime(time), reason && readEnumerated(decode(reason.value)));
}
