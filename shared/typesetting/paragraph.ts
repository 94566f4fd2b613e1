import type { Face, FaceName, Faces } from './fonts.ts';
import { coversAll, printable } from './printable.ts';
import type { Style } from './style.ts';

/** Text set to a width: lines that fit, in a face that has every character of them. */
export interface Paragraph {
  readonly lines: readonly string[];
  readonly face: Face;
  readonly style: Style;
  /** What a reader copies, searches and reads aloud in place of the lines; null where the lines say it. */
  readonly exact: string | null;
  /** True where the lines stand in for characters that no face has. */
  readonly isReplaced: boolean;
  readonly width: number;
  readonly height: number;
}

export interface ParagraphOptions {
  readonly maxLines?: number;
  /** Stands behind the lines when they are copied, for example a hash without the gaps it is printed with. */
  readonly exact?: string;
  /** Makes the lines about equally long, for a title. */
  readonly balanced?: boolean;
}

const ELLIPSIS = '…';

/** Where a face lacks a character, the whole text is set in this one: a mixed line looks like a mistake. */
const STAND_IN: Record<FaceName, FaceName> = {
  sans: 'sans',
  semibold: 'semibold',
  serif: 'sans',
  italic: 'sans',
  mono: 'sans',
};

export function setParagraph(
  faces: Faces,
  text: string,
  style: Style,
  width: number,
  options: ParagraphOptions = {},
): Paragraph {
  const { shown, exact } = printable(text, faces[STAND_IN[style.face]]);
  const face = faceFor(faces, style.face, shown);
  const wrapped = options.balanced
    ? wrapBalanced(face, style.size, shown, width)
    : wrap(face, style.size, shown, width);
  const lines = cutToLines(wrapped, options.maxLines, face, style.size, width);
  return {
    lines,
    face,
    style,
    exact: options.exact ?? exact,
    isReplaced: exact !== null,
    width: Math.max(...lines.map((line) => widthOf(face, style.size, line))),
    height: lines.length * style.leading,
  };
}

/** Without positioning tables a loose mark only sits right in the sans faces. */
function faceFor(faces: Faces, wanted: FaceName, text: string): Face {
  const fits = coversAll(faces[wanted], text) && (STAND_IN[wanted] === wanted || !/\p{M}/u.test(text));
  return faces[fits ? wanted : STAND_IN[wanted]];
}

export function widthOf(face: Face, size: number, text: string): number {
  let width = 0;
  for (const character of text) width += face.advance(character.codePointAt(0) ?? 0);
  return (width * size) / 1000;
}

function wrap(face: Face, size: number, text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (widthOf(face, size, joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = breakWord(face, size, word, width);
    line = pieces.pop() ?? '';
    lines.push(...pieces);
  }
  return [...lines, line];
}

/** The narrowest width that needs no more lines than the full one. */
function wrapBalanced(face: Face, size: number, text: string, width: number): string[] {
  let lines = wrap(face, size, text, width);
  for (let narrower = width - 8; narrower > width / 2; narrower -= 8) {
    const tried = wrap(face, size, text, narrower);
    if (tried.length > lines.length) break;
    lines = tried;
  }
  return lines;
}

/** Breaks a word that is wider than a line: after punctuation where it can, else anywhere but before a mark. */
function breakWord(face: Face, size: number, word: string, width: number): string[] {
  const fits = (text: string) => widthOf(face, size, text) <= width;
  const pieces: string[] = [];
  let line = '';
  for (const part of word.split(/(?<=[-/@._=&?;:,)])/u)) {
    if (fits(line + part)) {
      line += part;
      continue;
    }
    if (line !== '') pieces.push(line);
    line = '';
    for (const letter of part.match(/\P{M}?\p{M}*/gu) ?? []) {
      if (line !== '' && !fits(line + letter)) {
        pieces.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return [...pieces, line];
}

function cutToLines(
  lines: string[],
  maxLines: number | undefined,
  face: Face,
  size: number,
  width: number,
): string[] {
  if (maxLines === undefined || lines.length <= maxLines) return lines;
  const kept = lines.slice(0, maxLines);
  let last = kept.pop() ?? '';
  while (last !== '' && widthOf(face, size, last + ELLIPSIS) > width) last = last.slice(0, -1).trimEnd();
  return [...kept, last.toWellFormed().replace(/\ufffd$/, '') + ELLIPSIS];
}
