import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import type { CertificateFields, Extension } from '../certificate-fields.ts';
import { contextTag, DerError, sameBytes } from '../der.ts';
import { derNull, encode, octetString, oid, sequence } from '../der-encode.ts';
import { OIDS } from '../oids.ts';
import { isSignatureRight } from '../signer.ts';
import { claimOfList, readRevocationList } from './list-claim.ts';
import { claimOfOcsp, type Naming, namedParts, readOcsp } from './ocsp-claim.ts';
import { type Claim, type Proof, ProofFault, type Question, Revoked } from './proof.ts';

/**
 * An OCSP request (RFC 6960, 4.1) for one certificate. It names the issuer by SHA-1, the one hash that every responder
 * knows; nothing depends on its strength, since the answer must be signed by that issuer's key or a delegate.
 */
export function ocspRequest({ certificate, issuer }: Omit<Question, 'at'>, nonce: Uint8Array): Buffer {
  const { name, key } = naming('sha1', issuer);
  const id = sequence(
    sequence(oid(OIDS.sha1), derNull()),
    octetString(name),
    octetString(key),
    certificate.serial,
  );
  const extension = sequence(oid(OIDS.ocspNonce), octetString(octetString(nonce)));
  return sequence(sequence(sequence(sequence(id)), encode(contextTag(2), sequence(extension))));
}

const naming: Naming = (algorithm, certificate) => {
  const hash = (bytes: Uint8Array) => createHash(algorithm).update(bytes).digest();
  const { name, key } = namedParts(certificate);
  return { name: hash(name), key: hash(key) };
};

/**
 * Checks an OCSP answer: status, signature by the issuer or its delegate, the certificate, its status, the window, and
 * the nonce if it repeats one. Throws a SignatureFault; a Revoked if the certificate is revoked.
 */
export function verifyOcsp(der: Uint8Array, question: Question, nonce?: Uint8Array): Proof {
  const answer = readOcsp(der);
  checkNonce(answer.extensions.get(OIDS.ocspNonce), nonce);
  return proofOfClaim('ocsp', der, claimOfOcsp(answer, question, naming));
}

function checkNonce(repeated: Extension | undefined, nonce: Uint8Array | undefined): void {
  if (!repeated || !nonce) return;
  if (!sameBytes(repeated.value, octetString(nonce))) throw new ProofFault('the nonce is not ours');
}

/**
 * Checks a complete revocation list (RFC 5280, 6.3): issuer and its right to sign lists, strength, signature, scope,
 * window, and that the certificate is not on it. Throws a SignatureFault; a Revoked if the certificate is revoked.
 */
export const verifyRevocationList = (der: Uint8Array, question: Question): Proof =>
  proofOfClaim('crl', der, claimOfList(readRevocationList(der), question));

/** The proof that an answer is, if its signatures are right. Throws a SignatureFault; a Revoked if the certificate is revoked. */
function proofOfClaim(kind: Proof['kind'], der: Uint8Array, { signatures, standing }: Claim): Proof {
  for (const { by, digest, fault, ...signed } of signatures) {
    if (!isSignatureRight(signed, keyOf(by), digest)) throw new ProofFault(fault);
  }
  if (standing instanceof Revoked) throw standing;
  return { kind, der, ...standing };
}

function keyOf({ key }: CertificateFields): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(key.spki), format: 'der', type: 'spki' });
  } catch (cause) {
    throw new DerError('a key cannot be read', { cause });
  }
}
