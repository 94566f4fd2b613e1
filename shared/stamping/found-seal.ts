import type { Certificate } from '../sealing/certificate.ts';
import { SealError } from '../sealing/errors.ts';
import type { SealFacts } from '../sealing/technical.ts';
import { type ExpectedSeal, verifySeal } from '../sealing/verify-seal.ts';

/** A certificate whose seals are ours. */
export interface OwnCertificate {
  der: Uint8Array;
  /** A former certificate seals nothing after this time: its key may have been replaced because it was stolen. */
  until?: Date;
}

/** The certificates that a sealed file that is found must lead to. */
export interface Trust {
  certificates: readonly OwnCertificate[];
  /** The pinned certificates of the timestamp authorities. */
  anchors: readonly Certificate[];
}

/** Takes a sealed file that is found only as our seal of this original for this request. Nothing else about it counts. */
export function verifyFoundSeal(
  bytes: Uint8Array,
  expected: Pick<ExpectedSeal, 'original' | 'reason'>,
  { certificates, anchors }: Trust,
): SealFacts {
  const faults = new Set<string>();
  for (const { der, until } of certificates) {
    const seal = verifySeal(bytes, { ...expected, certificates: [der], anchors });
    if (!seal.valid) faults.add(seal.fault);
    else if (until && new Date(seal.sealedAt) > until) faults.add('the certificate had been replaced');
    else return seal;
  }
  throw new SealError('foreign_seal', true, `the stored file is not our seal: ${[...faults].join('; ')}`);
}
