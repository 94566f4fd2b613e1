import type { Face } from './fonts.ts';

export interface Printable {
  /** Only characters that the face has. */
  readonly shown: string;
  /** The text as it was given, when `shown` stands in for characters that the face has not; else null. */
  readonly exact: string | null;
}

/** More marks than this on one letter would climb over the lines above. */
const MARKS_ON_A_LETTER = 3;
/** A long run of characters that cannot be set would fill the page with code points. */
const LISTED_CODE_POINTS = 12;

/**
 * Makes any text settable in one face. Line breaks and tabs become spaces; control characters, direction
 * overrides and other invisible characters go. A character that the face has not is spelled with its compatible
 * form where Unicode knows one (Ａ → A, ﬁ → fi), else as its code point: 王明 → [U+738B U+660E].
 */
export function printable(text: string, face: Face): Printable {
  const clean = visible(text);
  let shown = '';
  let missing: string[] = [];
  const spellMissing = () => {
    if (missing.length > 0) shown += spelled(missing);
    missing = [];
  };
  for (const character of clean) {
    const settable = settableForm(character, face);
    if (settable === null) {
      missing.push(character);
    } else {
      spellMissing();
      shown += settable;
    }
  }
  spellMissing();
  return { shown, exact: shown === clean ? null : clean };
}

/** The text on one line, without the characters that are not seen but do something. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/\p{Cc}/gu, '')
    .normalize('NFC')
    .replace(new RegExp(`(\\p{M}{${MARKS_ON_A_LETTER}})\\p{M}+`, 'gu'), '$1')
    .replace(/ {2,}/g, ' ')
    .trim();
}

function settableForm(character: string, face: Face): string | null {
  if (coversAll(face, character)) return character;
  const compatible = character.normalize('NFKD').normalize('NFC');
  return compatible !== character && coversAll(face, compatible) ? compatible : null;
}

function spelled(characters: readonly string[]): string {
  const points = characters.slice(0, LISTED_CODE_POINTS).map(codePointName);
  const left = characters.length - points.length;
  return `[${points.join(' ')}${left > 0 ? ` … +${left}` : ''}]`;
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

export function coversAll(face: Face, text: string): boolean {
  for (const character of text) if (!face.covers(character.codePointAt(0) ?? 0)) return false;
  return true;
}
