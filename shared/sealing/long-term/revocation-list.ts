import { claimOfList, readRevocationList } from './list-claim.ts';
import type { Proof, Question } from './proof.ts';
import { proofOfClaim } from './proof-of-claim.ts';

/**
 * Checks a complete revocation list (RFC 5280, 6.3): issuer and its right to sign lists, strength, signature, scope,
 * window, and that the certificate is not on it. Throws a ProofFault, a Revoked or a DerError.
 */
export const verifyRevocationList = (der: Uint8Array, question: Question): Proof =>
  proofOfClaim('crl', der, claimOfList(readRevocationList(der), question));
