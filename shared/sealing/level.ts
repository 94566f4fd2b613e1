import type { Prove } from './long-term/prove.ts';

/** The PAdES baseline level of a seal; at B-T it has its timestamp and nothing more. */
export type SealLevel = 'B-T' | LongTerm['level'];

/** The time for which a seal of a level can be verified. */
export interface Lasting {
  level: SealLevel;
  /** The end of the newest timestamp's certificate, ISO 8601. */
  until: string;
}

/** Needed by a seal above B-T. */
export interface LongTerm {
  level: 'B-LT' | 'B-LTA';
  prove: Prove;
}
