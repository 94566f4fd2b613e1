import { algorithmId, digestOfSignature } from '../algorithms.ts';
import {
  type CertificateFields,
  type Extension,
  extensionsOf,
  isStrongKey,
  isValidAt,
  mayHaveIssued,
  readCertificateFields,
  readExtensions,
  wholeBytes,
} from '../certificate-fields.ts';
import {
  children,
  childrenOf,
  contextTag,
  type DerNode,
  decode,
  expectTag,
  octets,
  readEnumerated,
  readOid,
  readTime,
  sameBytes,
  TAGS,
} from '../der.ts';
import { attempt } from '../faults.ts';
import { OIDS } from '../oids.ts';
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

/** An OCSP answer (RFC 6960, 4.2), read without any cryptography. */
export interface OcspAnswer {
  /** The signed part. */
  data: DerNode;
  signatureAlgorithm: DerNode | undefined;
  signature: Uint8Array;
  /** Certificates that came along. */
  certificates: CertificateFields[];
  responder: DerNode;
  producedAt: Date;
  /** Not decoded: the many responses of a crafted answer would take a thousand times its memory. */
  responses: DerNode;
  extensions: Map<string, Extension>;
}

/** A certificate's subject and key, or their hashes, by which OCSP names issuers and responders. */
export interface Named {
  name: Uint8Array;
  key: Uint8Array;
}

export type Naming = (hash: 'sha1' | 'sha256', certificate: CertificateFields) => Named;

/** The bytes that a Naming hashes. */
export const namedParts = ({ subject, key }: CertificateFields): Named => {
  const [, bits] = childrenOf(decode(key.spki), TAGS.sequence);
  return { name: subject, key: wholeBytes(bits) };
};

const ID_HASHES: ReadonlyMap<string, 'sha1' | 'sha256'> = new Map([
  [OIDS.sha1, 'sha1'],
  [OIDS.sha256, 'sha256'],
]);

const STATUSES = [
  '',
  'malformed request',
  'internal error',
  'try later',
  '',
  'signature required',
  'unauthorized',
];

/** Throws a SignatureFault if there is no answer that can be read. */
export function readOcsp(der: Uint8Array): OcspAnswer {
  const [status, bytes] = childrenOf(decode(der), TAGS.sequence);
  const code = readEnumerated(status);
  if (code !== 0) throw new ProofFault(`the responder refused (${STATUSES[code] || `status ${code}`})`);
  const [type, wrapped] = childrenOf(childrenOf(bytes, contextTag(0))[0], TAGS.sequence);
  if (readOid(type) !== OIDS.ocspBasic) throw new ProofFault('the answer is of an unknown type');
  const basic = childrenOf(decode(octets(wrapped)), TAGS.sequence);
  const [data, signatureAlgorithm, signature, sent] = basic;
  return {
    data: expectTag(data, TAGS.sequence),
    signatureAlgorithm,
    signature: wholeBytes(signature),
    certificates: sent ? readSent(childrenOf(sent, contextTag(0))[0]) : [],
    ...readResponseData(data),
  };
}

/** Certificates read of one answer: a responder sends its own, and perhaps its issuers'. */
const MAX_SENT = 10;

const readSent = (sent: DerNode | undefined): CertificateFields[] =>
  childrenOf(sent, TAGS.sequence)
    .slice(0, MAX_SENT)
    .flatMap(({ raw }) => attempt(() => readCertificateFields(raw)) ?? []);

function readResponseData(
  node: DerNode | undefined,
): Pick<OcspAnswer, 'responder' | 'producedAt' | 'responses' | 'extensions'> {
  const fields = childrenOf(node, TAGS.sequence);
  // The version has its own tag, and is left out if it is 1.
  const [responder, producedAt, responses, extensions] =
    fields[0]?.tag === contextTag(0) ? fields.slice(1) : fields;
  if (responder === undefined) throw new ProofFault('the answer names no responder');
  return {
    responder,
    producedAt: readTime(expectTag(producedAt, TAGS.generalizedTime)),
    responses: expectTag(responses, TAGS.sequence),
    extensions: readExtensions(extensions && expectTag(extensions, contextTag(1))),
  };
}

/**
 * Checks everything but signatures and the nonce: the responder and its right to answer, the certificate, its status and
 * the window. Throws a SignatureFault.
 */
export function claimOfOcsp(answer: OcspAnswer, question: Question, naming: Naming): Claim {
  refuseCritical(answer.extensions, [OIDS.ocspNonce]);
  const all = children(answer.responses).filter((response) => isAbout(response, question, naming));
  // A responder may answer once for each hash. If the answers contradict each other, "revoked" counts.
  const about = all.find((response) => childrenOf(response, TAGS.sequence)[1]?.tag === REVOKED) ?? all[0];
  if (about === undefined) throw new ProofFault('the answer is about another certificate');
  const [, , thisUpdate] = childrenOf(about, TAGS.sequence);
  const issuedAt = readTime(expectTag(thisUpdate, TAGS.generalizedTime));
  const at = judgedAt(issuedAt, question);
  return {
    signatures: signaturesOf(answer, { ...question, at }, naming),
    standing: readSingle(about, issuedAt, at),
  };
}

function signaturesOf(answer: OcspAnswer, { issuer, at }: Question, naming: Naming): SignatureBy[] {
  const { responder, producedAt, data, signatureAlgorithm, signature } = answer;
  const by = [issuer, ...answer.certificates].find((each) => isNamed(each, responder, naming));
  if (by === undefined) throw new ProofFault("the responder's certificate is missing");
  const appointed = sameBytes(by.der, issuer.der) ? [] : [appointment(by, issuer, [producedAt, at])];
  if (!isStrongKey(by.key)) throw new ProofFault("the responder's key is too weak");
  const digest = digestOfSignature(signatureAlgorithm);
  if (typeof digest !== 'string') throw new ProofFault('the answer is signed by a weak or unknown algorithm');
  const fault = "the answer's signature is wrong";
  return [...appointed, { by, signed: data.raw, signature, signatureAlgorithm, digest, fault }];
}

/** By name, or by the SHA-1 of its key (RFC 6960, 4.2.1). */
function isNamed(certificate: CertificateFields, responder: DerNode, naming: Naming): boolean {
  const [inside] = children(responder);
  if (responder.tag === contextTag(1)) return sameBytes(certificate.subject, inside?.raw ?? new Uint8Array());
  return sameBytes(naming('sha1', certificate).key, octets(inside));
}

const NOT_APPOINTED = 'the responder was not appointed by the issuer';

/**
 * The issuer may delegate answering (RFC 6960, 4.2.2.2). The delegate's certificate must have `ocsp-nocheck`: otherwise its own
 * revocation would have to be proved as well, and so on.
 */
function appointment(
  delegate: CertificateFields,
  issuer: CertificateFields,
  times: readonly Date[],
): SignatureBy {
  const { extendedKeyUsage, keyUsage, signed, signature, signatureAlgorithm } = delegate;
  const digest = digestOfSignature(signatureAlgorithm);
  if (typeof digest !== 'string' || !mayHaveIssued(issuer, delegate)) throw new ProofFault(NOT_APPOINTED);
  if (!extendedKeyUsage?.purposes.includes(OIDS.ocspSigning))
    throw new ProofFault("the responder's certificate is not for OCSP");
  if (keyUsage && !keyUsage.digitalSignature && !keyUsage.nonRepudiation)
    throw new ProofFault("the responder's certificate may not sign");
  if (!extensionsOf(delegate).has(OIDS.ocspNoCheck))
    throw new ProofFault("the responder's own revocation would have to be proved");
  if (!times.every((time) => isValidAt(delegate, time)))
    throw new ProofFault("the responder's certificate was not valid at the time");
  return { by: issuer, signed, signature, signatureAlgorithm, digest, fault: NOT_APPOINTED };
}

function isAbout(response: DerNode, { certificate, issuer }: Question, naming: Naming): boolean {
  const [id] = childrenOf(response, TAGS.sequence);
  const [algorithm, name, key, serial] = childrenOf(id, TAGS.sequence);
  const hash = ID_HASHES.get(algorithmId(algorithm));
  if (hash === undefined || !sameBytes(expectTag(serial, TAGS.integer).raw, certificate.serial)) return false;
  const expected = naming(hash, issuer);
  return sameBytes(octets(name), expected.name) && sameBytes(octets(key), expected.key);
}

const GOOD = 0x80;
const REVOKED = 0xa1;

function readSingle(response: DerNode, issuedAt: Date, at: Date): Claim['standing'] {
  const [, status, , ...optional] = childrenOf(response, TAGS.sequence);
  const find = (number: number) => optional.find(({ tag }) => tag === contextTag(number));
  const next = find(0);
  const until = checkWindow(issuedAt, next && readTime(children(next)[0]), at);
  refuseCritical(readExtensions(find(1)), []);
  if (status?.tag === REVOKED) {
    const [time, reason] = children(status);
    return new Revoked(readTime(time), reason && readEnumerated(childrenOf(reason, contextTag(0))[0]));
  }
  if (status?.tag !== GOOD) throw new ProofFault('the responder does not know the certificate');
  return { issuedAt, until };
}
