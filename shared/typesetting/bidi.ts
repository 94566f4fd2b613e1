import bidiFactory, { type Bidi } from 'bidi-js';

/** Hebrew, Arabic and their neighbours; scripts of the supplementary planes; Mende, Adlam and Arabic mathematics. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

let made: Bidi | undefined;

function bidi(): Bidi {
  // Its types describe an ES module; Node gets the factory itself.
  made ??= (bidiFactory as unknown as () => Bidi)();
  return made;
}

/** True if the first letter with a direction runs from right to left (UAX 9, P2). */
export function startsRightToLeft(text: string): boolean {
  return hasRightToLeft(text) && bidi().getEmbeddingLevels(text, 'auto').paragraphs[0]?.level === 1;
}

/** The embedding level of each UTF-16 unit (UAX 9). */
export function levelsOf(text: string, isRtl: boolean): Uint8Array {
  if (!hasRightToLeft(text) && !isRtl) return new Uint8Array(text.length);
  return bidi().getEmbeddingLevels(text, isRtl ? 'rtl' : 'ltr').levels;
}

/** Sorts the runs of a line from left to right (UAX 9, L2). */
export function inVisualOrder<T extends { readonly level: number }>(runs: readonly T[]): T[] {
  const ordered = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start;
      while ((ordered[end]?.level ?? -1) >= level) end += 1;
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = Math.max(start, end - 1);
    }
  }
  return ordered;
}

/** A bracket as it is drawn from right to left: ( becomes ). */
export const mirrored = (character: string): string => bidi().getMirroredCharacter(character) ?? character;
