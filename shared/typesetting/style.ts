import { rgb } from 'pdf-lib';
import type { FaceName } from './fonts.ts';

export const INK = {
  text: rgb(0.1, 0.12, 0.16),
  soft: rgb(0.4, 0.43, 0.48),
  accent: rgb(0.11, 0.22, 0.38),
  rule: rgb(0.8, 0.82, 0.85),
  signature: rgb(0.08, 0.15, 0.36),
  warning: rgb(0.66, 0.16, 0.13),
  watermark: rgb(0.98, 0.918, 0.906),
} as const;

export type Ink = (typeof INK)[keyof typeof INK];

export interface Style {
  readonly face: FaceName;
  readonly size: number;
  readonly leading: number;
  readonly ink: Ink;
  /** Of a heading; all else is a paragraph. */
  readonly role?: 'H1' | 'H2';
}

/** The type scale shared by all documents. */
export const TYPE = {
  kind: { face: 'semibold', size: 8, leading: 11, ink: INK.accent },
  title: { face: 'serif', size: 21, leading: 25, ink: INK.text, role: 'H1' },
  section: { face: 'serif', size: 14, leading: 18, ink: INK.accent, role: 'H2' },
  body: { face: 'sans', size: 8.5, leading: 12, ink: INK.text },
  strong: { face: 'semibold', size: 8.5, leading: 12, ink: INK.text },
  label: { face: 'sans', size: 8.5, leading: 12, ink: INK.soft },
  mono: { face: 'mono', size: 8, leading: 12, ink: INK.text },
  monoNote: { face: 'mono', size: 6.5, leading: 9, ink: INK.soft },
  note: { face: 'sans', size: 7.5, leading: 10.5, ink: INK.soft },
  warning: { face: 'semibold', size: 8.5, leading: 12, ink: INK.warning },
} as const satisfies Record<string, Style>;
