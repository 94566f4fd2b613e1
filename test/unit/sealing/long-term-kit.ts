import type { SealLevel } from '../../../shared/sealing/level.ts';
import { prover } from '../../../shared/sealing/long-term/prove.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { type Seal, type SealRequest, seal } from '../../../shared/sealing/seal.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';
import { type Pki, plainRetrieve } from '../../support/pki/pki.ts';
import { fetchOf, makeTestAuthority } from '../../support/timestamp-authority.ts';

/** Everything that seals at a level with the certificates of a PKI. */
export function longTermSigner(pki: Pki, level: Exclude<SealLevel, 'B-T'>) {
  const now = () => pki.now;
  const tsa = makeTestAuthority({ now: pki.now, ca: pki.root, signer: pki.authority });
  return {
    key: pki.sealKey,
    timestamp: timestamper([tsa.authority], { fetch: fetchOf(tsa), now }),
    now: pki.now,
    longTerm: { level, prove: prover(plainRetrieve, now) },
  };
}

export const sealAt = (
  pki: Pki,
  level: Exclude<SealLevel, 'B-T'>,
  original: Uint8Array,
  options: Partial<SealRequest> = {},
): Promise<Seal> =>
  seal({ original: new HashedOriginal(original), ...longTermSigner(pki, level), ...options });
