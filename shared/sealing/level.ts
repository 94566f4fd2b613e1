import type { Prove } from './long-term/prove.ts';

/** The PAdES baseline level of a seal; at B-T it has its timestamp and nothing more. */
export type SealLevel = 'B-T' | LongTerm['level'];

/** Needed by a seal above B-T. */
export interface LongTerm {
  level: 'B-LT' | 'B-LTA';
  prove: Prove;
}
