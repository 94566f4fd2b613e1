import type { Level } from '../../../client/verifier/report.ts';
import type { Random } from '../../support/random.ts';

/** Sealed files of all shapes that are tampered with. */
export const SHAPES = ['table', 'streams', 'twice', 'prepared', 'evidence'] as const;
export type Shape = (typeof SHAPES)[number];

export interface Drawn {
  bytes: Buffer;
  /** The seal of another file, by the same signer. */
  other: Buffer;
  /** The seal of the same file, by a signer and an authority who only have the names of those expected. */
  impostor: Buffer;
  random: Random;
}

/** A way to tamper with a sealed file. */
export interface Kind {
  name: string;
  tamper: (drawn: Drawn) => Buffer;
  /** The only shapes that it fits. */
  shapes?: readonly Shape[];
  /** The verdicts that are right; by default only red is. */
  right?: readonly Level[];
}

/** Nothing is proved to be wrong, but something is left to check. */
export const UNPROVED: readonly Level[] = ['red', 'amber'];
/** Nothing that anybody sees or relies on is changed. */
export const HARMLESS: readonly Level[] = ['red', 'amber', 'green'];

/** Kinds that need no more than the file. */
export const plainKinds = (
  table: Record<string, (bytes: Buffer) => Buffer>,
  more: Partial<Kind> = {},
): Kind[] =>
  Object.entries(table).map(([name, change]) => ({ name, tamper: ({ bytes }) => change(bytes), ...more }));
