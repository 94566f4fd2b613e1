import { digestOfSignature } from '../algorithms.ts';
import {
  type CertificateFields,
  type Extension,
  isStrongKey,
  readExtensionList,
  readExtensions,
  wholeBytes,
} from '../certificate-fields.ts';
import {
  childrenOf,
  contextTag,
  DerError,
  type DerNode,
  decode,
  expectTag,
  readEnumerated,
  readTime,
  type Signed,
  sameBytes,
  spanAt,
  TAGS,
} from '../der.ts';
import { OIDS } from '../oids.ts';
import { addressesOf, fullNames, webAddresses } from './addresses.ts';
import {
  type Claim,
  checkWindow,
  judgedAt,
  ProofFault,
  type Question,
  Revoked,
  refuseCritical,
  type SignatureBy,
} from './proof.ts';

/** A revocation list (RFC 5280, 5), read without any cryptography. */
export interface RevocationList extends Signed {
  /** The algorithm as the signed part names it. */
  algorithm: Uint8Array;
  issuer: Uint8Array;
  issuedAt: Date;
  nextUpdate: Date;
  revoked: DerNode | undefined;
  extensions: Map<string, Extension>;
}

const isTime = (node: DerNode | undefined) =>
  node?.tag === TAGS.utcTime || node?.tag === TAGS.generalizedTime;

/** Throws a SignatureFault. */
export function readRevocationList(der: Uint8Array): RevocationList {
  const [signed, signatureAlgorithm, signature] = childrenOf(decode(der), TAGS.sequence);
  const fields = childrenOf(signed, TAGS.sequence);
  const [algorithm, issuer, thisUpdate, nextUpdate, ...rest] =
    fields[0]?.tag === TAGS.integer ? fields.slice(1) : fields;
  if (!isTime(nextUpdate)) throw new ProofFault('the list names no end');
  return {
    signed: expectTag(signed, TAGS.sequence).raw,
    signatureAlgorithm,
    signature: wholeBytes(signature),
    algorithm: expectTag(algorithm, TAGS.sequence).raw,
    issuer: expectTag(issuer, TAGS.sequence).raw,
    issuedAt: readTime(thisUpdate),
    nextUpdate: readTime(nextUpdate),
    revoked: rest.find(({ tag }) => tag === TAGS.sequence),
    extensions: readExtensions(rest.find(({ tag }) => tag === contextTag(0))),
  };
}

/**
 * Checks everything about a complete list (RFC 5280, 6.3) but its signature: issuer and its right to sign lists, strength,
 * scope and window. Throws a SignatureFault.
 */
export function claimOfList(list: RevocationList, question: Question): Claim {
  const { certificate, issuer } = question;
  if (!sameBytes(list.issuer, issuer.subject)) throw new ProofFault('the list is by another issuer');
  const signature = signatureOf(list, issuer);
  checkScope(list.extensions, certificate);
  const { issuedAt } = list;
  const until = checkWindow(issuedAt, list.nextUpdate, judgedAt(issuedAt, question));
  const entry = list.revoked && entryOf(list.revoked, certificate);
  return { signatures: [signature], standing: entry ? revokedBy(entry) : { issuedAt, until } };
}

function signatureOf(
  { algorithm, signatureAlgorithm, signed, signature }: RevocationList,
  issuer: CertificateFields,
): SignatureBy {
  if (!signatureAlgorithm || !sameBytes(algorithm, signatureAlgorithm.raw))
    throw new ProofFault('two signature algorithms');
  if (issuer.keyUsage && !issuer.keyUsage.cRLSign)
    throw new ProofFault('the issuer may not sign revocation lists');
  if (!isStrongKey(issuer.key)) throw new ProofFault("the issuer's key is too weak");
  const digest = digestOfSignature(signatureAlgorithm);
  if (typeof digest !== 'string') throw new ProofFault('the list is signed by a weak or unknown algorithm');
  return {
    by: issuer,
    signed,
    signature,
    signatureAlgorithm,
    digest,
    fault: "the list's signature is wrong",
  };
}

/** Refuses a list that is not complete for this certificate: delta, indirect, or limited to other certificates or some reasons. */
function checkScope(extensions: ReadonlyMap<string, Extension>, certificate: CertificateFields): void {
  if (extensions.has(OIDS.deltaRevocationList)) throw new ProofFault('the list is a delta list');
  refuseCritical(extensions, [OIDS.issuingDistributionPoint]);
  const scope = extensions.get(OIDS.issuingDistributionPoint);
  if (scope === undefined) return;
  for (const part of childrenOf(decode(scope.value), TAGS.sequence)) {
    if (part.tag === contextTag(0)) checkPoint(part, certificate);
    else checkKind(part, certificate);
  }
}

function checkPoint(name: DerNode, certificate: CertificateFields): void {
  const { lists } = addressesOf(certificate);
  if (!webAddresses(fullNames(name)).some((url) => lists.includes(url)))
    throw new ProofFault('the list is of another distribution point');
}

const ONLY = { users: 0x81, authorities: 0x82 } as const;

function checkKind({ tag, content }: DerNode, { isAuthority }: CertificateFields): void {
  const isSet = content.some((byte) => byte !== 0);
  const fits = tag === ONLY.users ? !isAuthority : tag === ONLY.authorities && isAuthority;
  if (isSet && !fits) throw new ProofFault('the list is not complete for this certificate');
}

/** The entry of a certificate. Compares bytes without decoding, since a list may have a hundred thousand entries. */
function entryOf(revoked: DerNode, { serial }: CertificateFields): DerNode | undefined {
  const { content } = expectTag(revoked, TAGS.sequence);
  for (let at = 0; at < content.length; ) {
    const { tag, from, to } = spanAt(content, at);
    if (tag !== TAGS.sequence || content[from] !== TAGS.integer)
      throw new DerError('an entry of the list names no certificate');
    if (serial.every((byte, index) => content[from + index] === byte))
      return decode(content.subarray(at, to));
    at = to;
  }
  return undefined;
}

function revokedBy(entry: DerNode): Revoked {
  const [, time, extensions] = childrenOf(entry, TAGS.sequence);
  const reason = extensions && readExtensionList(extensions).get(OIDS.crlReason);
  return new Revoked(readTime(time), reason && readEnumerated(decode(reason.value)));
}
