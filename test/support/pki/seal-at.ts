import type { SealLevel } from '../../../shared/sealing/level.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { type Seal, type SealRequest, seal } from '../../../shared/sealing/seal.ts';
import { makeTestAuthority, timestamperOf } from '../timestamp-authority.ts';
import { type Pki, plainRetrieve } from './pki.ts';

/** Everything that seals at a level with the certificates of a PKI. */
export function signerAt(pki: Pki, level: SealLevel) {
  const now = () => pki.now;
  const tsa = makeTestAuthority({ now: pki.now, ca: pki.root, signer: pki.authority });
  return {
    key: pki.sealKey,
    timestamp: timestamperOf(tsa, now),
    now: pki.now,
    longTerm: level === 'B-T' ? undefined : { level, prove: prover(plainRetrieve, now) },
  };
}

export const sealAt = (
  pki: Pki,
  level: SealLevel,
  original: Uint8Array,
  options: Partial<SealRequest> = {},
): Promise<Seal> => seal({ original: new HashedOriginal(original), ...signerAt(pki, level), ...options });
