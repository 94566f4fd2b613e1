import { createHash } from 'node:crypto';
import { digestOfSignature } from '../algorithms.ts';
import { type Certificate, isIssuedBy, readCertificate } from '../certificate.ts';
import {
  type Extension,
  extensionsOf,
  isStrongKey,
  isValidAt,
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
  readEnumerated,
  readOid,
  readTime,
  sameBytes,
  TAGS,
} from '../der.ts';
import { derNull, encode, octetString, oid, sequence } from '../der-encode.ts';
import { OIDS } from '../oids.ts';
import { isSignatureRight } from '../signer.ts';
import { checkWindow, type Proof, ProofFault, type Question, Revoked } from './proof.ts';

/**
 * An OCSP request (RFC 6960, 4.1) for one certificate. It names the issuer by SHA-1, the one hash that every responder
 * knows; nothing depends on its strength, since the answer must be signed by that issuer's key or a delegate.
 */
export function ocspRequest({ certificate, issuer }: Omit<Question, 'at'>, nonce: Uint8Array): Buffer {
  const [name, key] = namedBy('sha1', issuer);
  const id = sequence(
    sequence(oid(OIDS.sha1), derNull()),
    octetString(name),
    octetString(key),
    certificate.serial,
  );
  const extension = sequence(oid(OIDS.ocspNonce), octetString(octetString(nonce)));
  return sequence(sequence(sequence(sequence(id)), encode(contextTag(2), sequence(extension))));
}

/** Issuer's name and key, hashed. */
function namedBy(algorithm: string, { subject, key }: Certificate): [Buffer, Buffer] {
  const [, bits] = childrenOf(decode(key.spki), TAGS.sequence);
  const hash = (bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();
  return [hash(subject), hash(wholeBytes(bits))];
}

const STATUSES = [
  '',
  'malformed request',
  'internal error',
  'try later',
  '',
  'signature required',
  'unauthorized',
];

/**
 * Checks an OCSP answer: status, signature by the issuer or its delegate, the certificate, its status, the window, and
 * the nonce if it repeats one. Throws a ProofFault, a Revoked or a DerError.
 */
export function verifyOcsp(der: Uint8Array, question: Question, nonce?: Uint8Array): Proof {
  const [status, bytes] = childrenOf(decode(der), TAGS.sequence);
  const code = readEnumerated(status);
  if (code !== 0) throw new ProofFault(`the responder refused (${STATUSES[code] || `status ${code}`})`);
  const [type, wrapped] = childrenOf(childrenOf(bytes, contextTag(0))[0], TAGS.sequence);
  if (readOid(type) !== OIDS.ocspBasic) throw new ProofFault('the answer is of an unknown type');
  const basic = childrenOf(decode(expectTag(wrapped, TAGS.octetString).content), TAGS.sequence);
  const data = readResponseData(basic[0]);
  verifySignature(basic, data, question);
  checkNonce(data.extensions.get(OIDS.ocspNonce), nonce);
  refuseCritical(data.extensions, [OIDS.ocspNonce]);
  const about = data.responses.find((response) => isAbout(response, question));
  if (about === undefined) throw new ProofFault('the answer is about another certificate');
  const { issuedAt, until } = readSingle(about, question.at);
  return { kind: 'ocsp', der, issuedAt, until };
}

interface ResponseData {
  responder: DerNode;
  producedAt: Date;
  responses: DerNode[];
  extensions: Map<string, Extension>;
}

function readResponseData(node: DerNode | undefined): ResponseData {
  const fields = childrenOf(node, TAGS.sequence);
  // The version has its own tag, and is left out if it is 1.
  const [responder, producedAt, responses, extensions] =
    fields[0]?.tag === contextTag(0) ? fields.slice(1) : fields;
  if (responder === undefined) throw new ProofFault('the answer names no responder');
  return {
    responder,
    producedAt: readTime(expectTag(producedAt, TAGS.generalizedTime)),
    responses: childrenOf(responses, TAGS.sequence),
    extensions: readExtensions(extensions && expectTag(extensions, contextTag(1))),
  };
}

function verifySignature(
  [signed, signatureAlgorithm, signature, certificates]: readonly DerNode[],
  { responder, producedAt }: ResponseData,
  { issuer, at }: Question,
): void {
  const sent = certificates ? childrenOf(childrenOf(certificates, contextTag(0))[0], TAGS.sequence) : [];
  const signer = [issuer, ...sent.map(({ raw }) => readCertificate(raw))].find((each) =>
    isNamed(each, responder),
  );
  if (signer === undefined) throw new ProofFault("the responder's certificate is missing");
  if (!sameBytes(signer.der, issuer.der)) checkDelegate(signer, issuer, [producedAt, at]);
  if (!isStrongKey(signer.key)) throw new ProofFault("the responder's key is too weak");
  const digest = digestOfSignature(signatureAlgorithm);
  if (typeof digest !== 'string') throw new ProofFault('the answer is signed by a weak or unknown algorithm');
  const { raw } = expectTag(signed, TAGS.sequence);
  if (
    !isSignatureRight(
      { signed: raw, signature: wholeBytes(signature), signatureAlgorithm },
      signer.x509.publicKey,
      digest,
    )
  )
    throw new ProofFault("the answer's signature is wrong");
}

/** By name, or by the SHA-1 of its key (RFC 6960, 4.2.1). */
function isNamed(certificate: Certificate, responder: DerNode): boolean {
  const [inside] = children(responder);
  if (responder.tag === contextTag(1)) return sameBytes(certificate.subject, inside?.raw ?? new Uint8Array());
  const [, key] = namedBy('sha1', certificate);
  return sameBytes(key, expectTag(inside, TAGS.octetString).content);
}

/**
 * The issuer may let another answer (RFC 6960, 4.2.2.2). Its certificate must say `ocsp-nocheck`: otherwise a proof for
 * the delegate would be needed as well, and so on.
 */
function checkDelegate(delegate: Certificate, issuer: Certificate, times: readonly Date[]): void {
  const { extendedKeyUsage, keyUsage } = delegate;
  if (!delegate.isStronglySigned || !isIssuedBy(delegate, issuer))
    throw new ProofFault('the responder was not appointed by the issuer');
  if (!extendedKeyUsage?.purposes.includes(OIDS.ocspSigning))
    throw new ProofFault("the responder's certificate is not for OCSP");
  if (keyUsage && !keyUsage.digitalSignature && !keyUsage.nonRepudiation)
    throw new ProofFault("the responder's certificate may not sign");
  if (!extensionsOf(delegate).has(OIDS.ocspNoCheck))
    throw new ProofFault("the responder's own revocation would have to be proved");
  if (!times.every((time) => isValidAt(delegate, time)))
    throw new ProofFault("the responder's certificate was not valid at the time");
}

function checkNonce(repeated: Extension | undefined, nonce: Uint8Array | undefined): void {
  if (!repeated || !nonce) return;
  if (!sameBytes(repeated.value, octetString(nonce))) throw new ProofFault('the nonce is not ours');
}

function refuseCritical(extensions: ReadonlyMap<string, Extension>, known: readonly string[]): void {
  for (const [id, { critical }] of extensions) {
    if (critical && !known.includes(id)) throw new ProofFault(`unknown critical extension ${id}`);
  }
}

const ID_HASHES: ReadonlyMap<string, string> = new Map([
  [OIDS.sha1, 'sha1'],
  [OIDS.sha256, 'sha256'],
]);

function isAbout(response: DerNode, { certificate, issuer }: Question): boolean {
  const [id] = childrenOf(response, TAGS.sequence);
  const [algorithm, name, key, serial] = childrenOf(id, TAGS.sequence);
  const hash = ID_HASHES.get(readOid(childrenOf(algorithm, TAGS.sequence)[0]));
  if (hash === undefined || !sameBytes(expectTag(serial, TAGS.integer).raw, certificate.serial)) return false;
  const expected = namedBy(hash, issuer);
  return [name, key].every((each, index) =>
    sameBytes(expectTag(each, TAGS.octetString).content, expected[index] ?? new Uint8Array()),
  );
}

const GOOD = 0x80;
const REVOKED = 0xa1;

function readSingle(response: DerNode, at: Date): { issuedAt: Date; until: Date } {
  const [, status, thisUpdate, ...optional] = childrenOf(response, TAGS.sequence);
  const find = (number: number) => optional.find(({ tag }) => tag === contextTag(number));
  const next = find(0);
  const issuedAt = readTime(expectTag(thisUpdate, TAGS.generalizedTime));
  const until = checkWindow(issuedAt, next && readTime(children(next)[0]), at);
  refuseCritical(readExtensions(find(1)), []);
  if (status?.tag === REVOKED) {
    const [time, reason] = children(status);
    throw new Revoked(readTime(time), reason && readEnumerated(childrenOf(reason, contextTag(0))[0]));
  }
  if (status?.tag !== GOOD) throw new ProofFault('the responder does not know the certificate');
  return { issuedAt, until };
}
