import { createPublicKey, type KeyObject } from 'node:crypto';
import type { CertificateFields } from '../certificate-fields.ts';
import { DerError } from '../der.ts';
import { isSignatureRight } from '../signer.ts';
import { type Claim, type Proof, ProofFault, Revoked } from './proof.ts';

/** The proof that an answer is, if its signatures are right. Throws a ProofFault, a Revoked or a DerError. */
export function proofOfClaim(kind: Proof['kind'], der: Uint8Array, { signatures, standing }: Claim): Proof {
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
