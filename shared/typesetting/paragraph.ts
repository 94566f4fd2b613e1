import { graphemesOf } from '../runtime/graphemes.ts';
import { startsRightToLeft } from './bidi.ts';
import type { Faces } from './fonts.ts';
import { type Line, LineSetter } from './line.ts';
import { type ScriptFonts, scriptFamilies } from './script-fonts.ts';
import { fitsFace, printable } from './scripts.ts';
import type { Style } from './style.ts';

/** Text broken into lines of a given width. */
export interface Paragraph {
  readonly lines: readonly Line[];
  readonly style: Style;
  /** Lines end at the paragraph's right edge. */
  readonly isRtl: boolean;
  /** The text that readers copy, search and speak instead of the lines; null if it is the same. */
  readonly exact: string | null;
  /** True if the lines spell characters that no font has. */
  readonly isReplaced: boolean;
  readonly width: number;
  /** From the top of a line to its baseline. */
  readonly ascent: number;
  /** From baseline to baseline. */
  readonly leading: number;
  readonly height: number;
}

export interface ParagraphOptions {
  readonly maxLines?: number;
  /** The text to copy instead of the lines, for example a hash without its printed gaps. */
  readonly exact?: string;
  /** Makes lines about equally long, for a title. */
  readonly balanced?: boolean;
}

export interface Fonts {
  readonly faces: Faces;
  readonly scripts: ScriptFonts;
}

const ELLIPSIS = '…';

export function setParagraph(
  { faces, scripts }: Fonts,
  text: string,
  style: Style,
  width: number,
  options: ParagraphOptions = {},
): Paragraph {
  // Sets the text if the wanted face lacks one of its letters.
  const standIn = faces.sans;
  const { pieces, exact } = printable(text, standIn.covers, scriptFamilies);
  const shown = pieces.map((piece) => piece.text).join('');
  const isRtl = startsRightToLeft(shown);
  const wanted = faces[style.face];
  const face = fitsFace(pieces, wanted.covers) ? wanted : standIn;
  const setter = new LineSetter(face, scripts, pieces, isRtl);
  const measure: Measure = (line) => (setter.width(line) * style.size) / 1000;
  const wrapped = options.balanced ? wrapBalanced(measure, shown, width) : wrap(measure, shown, width);
  const starts = startsIn(shown, wrapped);
  const lines = cutToLines(wrapped, options.maxLines, measure, width).map((line, index) =>
    setter.line(line, starts[index] ?? 0),
  );
  const { ascent, leading } = spacing(lines, style);
  return {
    lines,
    style,
    ascent,
    leading,
    isRtl,
    exact: options.exact ?? exact,
    isReplaced: exact !== null,
    width: (Math.max(...lines.map((line) => line.width)) * style.size) / 1000,
    height: lines.length * leading,
  };
}

/** Splits a paragraph into lines that may stand on several pages. The first line carries the exact text of all. */
export const linesOf = (paragraph: Paragraph): Paragraph[] =>
  paragraph.lines.map((line, index) => ({
    ...paragraph,
    lines: [line],
    height: paragraph.leading,
    exact: index === 0 || paragraph.exact === null ? paragraph.exact : '',
  }));

/** The style's line spacing, increased for tall glyphs: Tibetan stacks its letters. */
function spacing(lines: readonly Line[], { size, leading }: Style): { ascent: number; leading: number } {
  let ascent = (leading - size) / 2 + size * 0.82;
  let descent = leading - ascent;
  for (const { top, bottom } of lines.flatMap(({ runs }) => runs).flatMap(reachesOf)) {
    ascent = Math.max(ascent, top * size);
    descent = Math.max(descent, -bottom * size);
  }
  return { ascent, leading: ascent + descent };
}

/** The extent of the glyphs of a shaped run above and below the line, at size 1. */
function reachesOf(run: Line['runs'][number]): { top: number; bottom: number }[] {
  if ('face' in run) return [];
  const { font } = run.font;
  return run.glyphs.flatMap(({ id, y }) => {
    const reach = font.reachOf(id);
    if (reach === null) return [];
    return [{ top: (reach.top + y) / font.unitsPerEm, bottom: (reach.bottom + y) / font.unitsPerEm }];
  });
}

/** The places in a text at which its lines begin. */
function startsIn(text: string, lines: readonly string[]): number[] {
  let end = 0;
  return lines.map((line) => {
    const start = text.indexOf(line, end);
    end = start + line.length;
    return start;
  });
}

/** The width of a text on one line. */
type Measure = (text: string) => number;

function wrap(measure: Measure, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const { part, space } of partsOf(text)) {
    const joined = line === '' ? part : line + space + part;
    if (measure(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(measure, part, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** The parts between which a line may break, with what stands before each on a line. */
const partsOf = (text: string): { part: string; space: string }[] =>
  text
    .split(BREAKING_SPACE)
    .flatMap((word) => unspacedParts(word).map((part, index) => ({ part, space: index === 0 ? ' ' : '' })));

/** No line breaks at a space that French puts beside a sign (« Preuve » :), nor within a number (1 234 567). */
const BREAKING_SPACE = /(?<!«) (?![:;?!»]|(?<=\b\d{1,3} )\d{3}\b)/u;

/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Yiii}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tang}]/u;
let words: Intl.Segmenter | undefined;

/** Splits such a text where lines may break: never before a closing mark or after an opening one. */
function unspacedParts(word: string): string[] {
  if (!UNSPACED.test(word)) return [word];
  words ??= new Intl.Segmenter('und', { granularity: 'word' });
  const parts: string[] = [];
  for (const { segment } of words.segment(word)) {
    const last = parts.at(-1);
    if (last !== undefined && (/^[\p{Pe}\p{Pf}\p{Po}ー]/u.test(segment) || /[\p{Ps}\p{Pi}]$/u.test(last)))
      parts[parts.length - 1] = last + segment;
    else parts.push(segment);
  }
  return parts;
}

/** Wraps at the narrowest width that needs no more lines than the full one. */
function wrapBalanced(measure: Measure, text: string, width: number): string[] {
  let lines = wrap(measure, text, width);
  for (let narrower = width - 8; narrower > width / 2; narrower -= 8) {
    const tried = wrap(measure, text, narrower);
    if (tried.length > lines.length) break;
    lines = tried;
  }
  return lines;
}

/** Breaks a word wider than a line: after punctuation if possible, otherwise between letters. */
function breakWord(measure: Measure, word: string, width: number): string[] {
  const fits = (text: string) => measure(text) <= width;
  const pieces: string[] = [];
  let line = '';
  const add = (part: string) => {
    if (line !== '' && !fits(line + part)) {
      pieces.push(line);
      line = '';
    }
    line += part;
  };
  const letters = lettersOf(word);
  for (const part of unpunctuatedParts(letters)) {
    if (fits(part.join(''))) add(part.join(''));
    // A single cluster may be wider than a line: a chain of joined emoji.
    else for (const letter of part) (fits(letter) ? [letter] : [...letter]).forEach(add);
  }
  return [...pieces, line];
}

/** Characters with all their marks. Unicode separates the vowels of Myanmar, but they cannot start a line. */
function lettersOf(text: string): string[] {
  const letters: string[] = [];
  for (const grapheme of graphemesOf(text)) {
    const before = letters.at(-1);
    if (before !== undefined && /^\p{M}/u.test(grapheme)) letters[letters.length - 1] = before + grapheme;
    else letters.push(grapheme);
  }
  return letters;
}

/** Parts that end after punctuation. */
function unpunctuatedParts(letters: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  for (const letter of letters) {
    parts.at(-1)?.push(letter);
    if (/^[-/@._=&?;:,)]$/.test(letter)) parts.push([]);
  }
  return parts;
}

function cutToLines(
  lines: string[],
  maxLines: number | undefined,
  measure: Measure,
  width: number,
): string[] {
  if (maxLines === undefined || lines.length <= maxLines) return lines;
  const kept = lines.slice(0, maxLines);
  const last = lettersOf(kept.pop() ?? '');
  const cut = () => last.join('').trimEnd();
  while (last.length > 0 && measure(cut() + ELLIPSIS) > width) last.pop();
  return [...kept, cut() + ELLIPSIS];
}

/** True if it would draw nothing. */
export const isEmpty = ({ lines }: Paragraph): boolean =>
  lines.every(({ runs }) => runs.every(({ text }) => text === ''));
