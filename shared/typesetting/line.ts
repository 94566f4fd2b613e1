import { withoutIsolates } from '../runtime/isolates.ts';
import { inVisualOrder, levelsOf, mirrored } from './bidi.ts';
import type { Face } from './fonts.ts';
import type { Direction, ShapedGlyph } from './harfbuzz.ts';
import type { ScriptFont, ScriptFonts } from './script-fonts.ts';
import { clustersOf, isIsolate, type Piece } from './scripts.ts';

/** A line as it is drawn, from left to right. */
export interface Line {
  /** In reading order. */
  readonly text: string;
  readonly runs: readonly Run[];
  /** In thousandths of the font size. */
  readonly width: number;
}

export type Run = PlainRun | ShapedRun;

/** Characters of a face, one glyph each, in drawing order. */
export interface PlainRun {
  readonly face: Face;
  readonly drawn: string;
  /** In reading order. */
  readonly text: string;
}

export interface ShapedRun {
  readonly font: ScriptFont;
  readonly direction: Direction;
  readonly glyphs: readonly ShapedGlyph[];
  readonly text: string;
}

interface LevelRun {
  text: string;
  readonly file: string | null;
  readonly level: number;
}

/** Measures and lays out the lines of one text whose fonts are chosen. */
export class LineSetter {
  readonly #face: Face;
  readonly #scripts: ScriptFonts;
  readonly #isRtl: boolean;
  /** The font of each cluster, and of each character for clusters that no single font has. */
  readonly #files = new Map<string, string | null>();
  readonly #isPlain: boolean;
  /** Of the whole text: what a character stands beside may be on another line. */
  readonly #levels: Uint8Array;

  constructor(face: Face, scripts: ScriptFonts, pieces: readonly Piece[], isRtl: boolean) {
    this.#face = face;
    this.#scripts = scripts;
    this.#isRtl = isRtl;
    this.#isPlain = pieces.every(({ file }) => file === null);
    this.#levels = this.#levelsOf(pieces.map(({ text }) => text).join(''));
    if (this.#isPlain) return;
    for (const { text, file } of pieces)
      for (const cluster of clustersOf(text)) this.#files.set(cluster, file);
    for (const [cluster, file] of [...this.#files])
      for (const character of cluster) if (!this.#files.has(character)) this.#files.set(character, file);
  }

  /** In thousandths of the font size. */
  width(text: string): number {
    const runs = this.#runs(text, this.#levelsOf(text));
    return runs.reduce((sum, run) => sum + this.#widthOf(this.#laidOut(run)), 0);
  }

  /** `start`: its place in the whole text. */
  line(text: string, start: number): Line {
    const levels = this.#levels.subarray(start);
    const runs = inVisualOrder(this.#runs(text, levels)).map((run) => this.#laidOut(run));
    return { text, runs, width: runs.reduce((sum, run) => sum + this.#widthOf(run), 0) };
  }

  /** Stretches of one font and one direction, in reading order. */
  #runs(text: string, levels: Uint8Array): LevelRun[] {
    if (this.#isPlain) return [{ text: withoutIsolates(text), file: null, level: 0 }];
    const runs: LevelRun[] = [];
    let at = 0;
    for (const [part, file] of clustersOf(text).flatMap((cluster) => this.#withFile(cluster))) {
      const level = levels[at] ?? 0;
      at += part.length;
      if (isIsolate(part)) continue;
      const last = runs.at(-1);
      // Draw mirrored characters of a face one by one, so that each copies as itself.
      const joins = file !== null || level % 2 === 0;
      if (joins && last?.file === file && last.level === level) last.text += part;
      else runs.push({ text: part, file, level });
    }
    return runs;
  }

  #levelsOf(text: string): Uint8Array {
    return this.#isPlain ? new Uint8Array() : levelsOf(text, this.#isRtl);
  }

  /** Splits a cluster that no single font has into characters. */
  #withFile(cluster: string): [string, string | null][] {
    const file = this.#files.get(cluster);
    return file === undefined
      ? [...cluster].map((character) => [character, this.#files.get(character) ?? null])
      : [[cluster, file]];
  }

  #laidOut({ text, file, level }: LevelRun): Run {
    const isRtl = level % 2 === 1;
    if (file === null) {
      return { face: this.#face, drawn: isRtl ? mirrored(text) : text, text };
    }
    const font = this.#scripts.get(file);
    const direction = isRtl ? 'rtl' : 'ltr';
    return { font, direction, glyphs: font.shape(text, direction), text };
  }

  #widthOf(run: Run): number {
    if ('face' in run) return widthIn(run.face, run.drawn);
    const units = run.glyphs.reduce((sum, { advance }) => sum + advance, 0);
    return (units * 1000) / run.font.font.unitsPerEm;
  }
}

/** In thousandths of the font size. */
export function widthIn(face: Face, text: string): number {
  let width = 0;
  for (const character of text) width += face.advance(character.codePointAt(0) ?? 0);
  return width;
}
