import type { Certificate } from '../sealing/certificate.ts';
import { SealError } from '../sealing/errors.ts';
import type { SealFacts } from '../sealing/technical.ts';
import { type ExpectedSeal, verifySeal } from '../sealing/verify-seal.ts';

/** A certificate whose seals are ours. */
export interface OwnCertificate {
  der: Uint8Array;
  /** Later seals by a former certificate do not count: its key may have been replaced because it was stolen. */
  until?: Date;
}

/** The certificates that a stored sealed file must lead to. */
export interface Trust {
  certificates: readonly OwnCertificate[];
  /** The pinned certificates of the timestamp authorities. */
  anchors: readonly Certificate[];
}

/** Accepts a stored file only if it verifies as our seal of this original for this request. Ignores its metadata. */
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
  throw new SealError('foreign_seal', `the stored file is not our seal: ${[...faults].join('; ')}`);
}
