import type { Level } from '../../../client/verifier/report.ts';
import { Random } from '../../support/random.ts';
import { BYTES } from './bytes.ts';
import { type Kind, SHAPES, type Shape } from './kinds.ts';
import { SHADOWS } from './shadows.ts';
import { SIGNATURE_PARTS } from './signature.ts';
import { UPDATES } from './updates.ts';

const KINDS: readonly Kind[] = [...BYTES, ...SIGNATURE_PARTS, ...UPDATES, ...SHADOWS];

export interface Tampered {
  name: string;
  bytes: Buffer;
  /** The verdicts that are right. */
  right: readonly Level[];
}

type Seals = Readonly<Record<Shape, Buffer>>;

/** So many tampered files, of every kind if there are enough. The same seed draws the same ones. */
export function draw(count: number, seed: number, seals: Seals, impostors: Seals): Tampered[] {
  const random = new Random(seed);
  const order = KINDS.map((kind) => ({ kind, place: random.below(2 ** 30) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
  return Array.from({ length: count }, (_, index) => order[index % order.length] ?? random.of(KINDS)).map(
    ({ name, tamper, shapes = SHAPES, right = ['red'] }, index): Tampered => {
      const shape = random.of(shapes);
      const other = seals[shape === 'table' ? 'streams' : 'table'];
      const bytes = tamper({ bytes: seals[shape], other, impostor: impostors[shape], random });
      return { name: `${seed}-${index} ${name}, ${shape}`, bytes, right };
    },
  );
}
