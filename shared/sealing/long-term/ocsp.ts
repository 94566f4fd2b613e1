import { createHash } from 'node:crypto';
import type { Extension } from '../certificate-fields.ts';
import { contextTag, sameBytes } from '../der.ts';
import { derNull, encode, octetString, oid, sequence } from '../der-encode.ts';
import { OIDS } from '../oids.ts';
import { claimOfOcsp, type Naming, namedParts, readOcsp } from './ocsp-claim.ts';
import { type Proof, ProofFault, type Question } from './proof.ts';
import { proofOfClaim } from './proof-of-claim.ts';

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
 * the nonce if it repeats one. Throws a ProofFault, a Revoked or a DerError.
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
