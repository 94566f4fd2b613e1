import type { Prove } from './long-term/prove.ts';

/**
 * The PAdES baseline levels (EN 319 142-1). B-T: signature and timestamp. B-LT: with proofs that no certificate was
 * revoked. B-LTA: with a document timestamp over all of that.
 */
export const SEAL_LEVELS = ['B-T', 'B-LT', 'B-LTA'] as const;
export type SealLevel = (typeof SEAL_LEVELS)[number];

/** What a seal above B-T needs. */
export interface LongTerm {
  level: Exclude<SealLevel, 'B-T'>;
  prove: Prove;
}
