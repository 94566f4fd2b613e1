import { FIRST_STRONG_ISOLATE, POP_ISOLATE, withoutIsolates } from '../runtime/isolates.ts';
import { visible, visibleLines } from '../runtime/visible.ts';

/**
 * Chooses the font of each character, on the page and in the PDF alike. Pure: fonts are only named here.
 */

/** A family of `fonts/scripts/index.json`; see `make-scripts.py` for the encoding of `characters`. */
export interface ListedFamily {
  readonly name: string;
  readonly files: readonly { readonly file: string; readonly characters: string }[];
}

export interface Family {
  readonly name: string;
  readonly files: readonly ScriptFile[];
}

interface ScriptFile {
  readonly file: string;
  covers(codePoint: number): boolean;
}

/** A stretch of text in one font: a file of a script, or null for the face that the caller asked for. */
export interface Piece {
  readonly text: string;
  readonly file: string | null;
}

interface Printable {
  readonly pieces: readonly Piece[];
  /** The text if characters are spelled or replaced in the pieces; otherwise null. */
  readonly exact: string | null;
}

type Covers = (codePoint: number) => boolean;

/** A letter with its marks, an emoji with its parts, a flag. Not every browser has `Intl.Segmenter`. */
const CLUSTER = /[\u2068\u2069]|\p{RI}{2}|.(?:\p{M}|\p{EMod}|\u200c|\u200d\p{ExtPict}?|\u180e|\u180f)*/gsu;
/** Has tables that place marks on letters, and rarer letters such as those of Hausa and Ewe, which the faces lack. */
const ACCENTS = 'accents.woff';
const MARK = /\p{M}/u;
/** Characters that need no glyph. */
const IGNORABLE = /\p{DI}/u;
const ISOLATES = new RegExp(`([${FIRST_STRONG_ISOLATE}${POP_ISOLATE}])`, 'gu');
/** Keeps a long run of uncovered characters from filling the page with code points. */
const LISTED_CODE_POINTS = 12;

export const clustersOf = (text: string): readonly string[] => text.match(CLUSTER) ?? [];

export const isIsolate = (cluster: string): boolean =>
  cluster === FIRST_STRONG_ISOLATE || cluster === POP_ISOLATE;

export function coversAll(covers: Covers, text: string): boolean {
  for (const character of text) if (!covers(character.codePointAt(0) ?? 0)) return false;
  return true;
}

export function readFamilies(listed: readonly ListedFamily[]): Family[] {
  return listed.map(({ name, files }) => ({
    name,
    files: files.map(({ file, characters }) => ({ file, covers: readCharacters(characters) })),
  }));
}

/** Decodes alternating counts of code points to skip and to take, in base 36. */
export function readCharacters(encoded: string): Covers {
  let end = 0;
  const edges = encoded.split(' ').map((count) => {
    end += Number.parseInt(count, 36);
    return end;
  });
  return (codePoint) => {
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edges[middle] ?? 0) <= codePoint) low = middle + 1;
      else high = middle;
    }
    return low % 2 === 1;
  };
}

/**
 * Makes any text printable: visible characters in fonts that have them. One that no font has becomes its usual or
 * compatibility form (𝕏 → X) or its code point: [U+E000]. `families` is called only for a text that needs it.
 */
export function printable(text: string, base: Covers, families: () => readonly Family[]): Printable {
  const clean = visibleWithIsolates(text);
  if (isPlain(base, clean)) return { pieces: [{ text: clean, file: null }], exact: null };
  // Includes the usual form of each letter, which replaces a variant that no font has.
  const ordered = byUse(families(), withoutIsolates(clean + clean.normalize('NFC')), base);
  const pieces: { text: string; file: string | null }[] = [];
  let missing: string[] = [];
  const add = (piece: string, file: string | null) => {
    if (missing.length > 0) {
      const spelling = spelled(missing);
      missing = [];
      add(spelling, null);
    }
    const last = pieces.at(-1);
    if (last?.file === file) last.text += piece;
    else if (piece !== '') pieces.push({ text: piece, file });
  };
  const set = (cluster: string) => {
    const file = fileFor(ordered, base, cluster);
    // Leave out joiners, for which a face has no glyph.
    if (file !== undefined) return add(file === null ? drawnIn(cluster) : cluster, file);
    const characters = [...cluster];
    if (characters.length > 1) return characters.forEach(set);
    const usual = cluster.normalize('NFC');
    if (usual !== cluster) return set(usual);
    const compatible = cluster.normalize('NFKD').normalize('NFC');
    if (compatible !== cluster && isPlain(base, compatible)) add(compatible, null);
    else if (!IGNORABLE.test(cluster)) missing.push(cluster);
  };
  for (const cluster of clustersOf(clean)) isIsolate(cluster) ? add(cluster, null) : set(cluster);
  add('', null);
  const isExact = pieces.map((piece) => piece.text).join('') === clean;
  return { pieces, exact: isExact ? null : withoutIsolates(clean) };
}

function visibleWithIsolates(text: string): string {
  const parts = text.split(ISOLATES);
  if (parts.length === 1) return visible(text);
  return parts
    .map((part) => (isIsolate(part) ? part : visibleLines(part)))
    .join('')
    .replace(/\s+/gu, ' ')
    .trim();
}

/**
 * True if the face itself can set its pieces. Otherwise its stand-in does, which matches `accents.woff`: two designs of one script
 * in a line look like a mistake.
 */
export function fitsFace(pieces: readonly Piece[], covers: Covers): boolean {
  return pieces.every(
    ({ text, file }) => file !== ACCENTS && (file !== null || coversAll(covers, withoutIsolates(text))),
  );
}

/** Sorts families by how much of the text they have, so that one text is set in one design: 陳大文, 刘德华. */
function byUse(families: readonly Family[], text: string, base: Covers): readonly Family[] {
  const wanted = [...new Set(text)]
    .filter((character) => !isPlain(base, character))
    .map((character) => character.codePointAt(0) ?? 0);
  const uses = new Map(
    families.map((family) => [
      family,
      wanted.filter((c) => family.files.some(({ covers }) => covers(c))).length,
    ]),
  );
  return families
    .filter((family) => (uses.get(family) ?? 0) > 0)
    .sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
}

const isPlain = (base: Covers, text: string) => coversAll(base, text) && !MARK.test(text);

/** The characters that need a glyph. */
const drawnIn = (cluster: string) => [...cluster].filter((character) => !IGNORABLE.test(character)).join('');

/** The file that has all of a cluster; null for the base face, undefined if there is none. */
function fileFor(families: readonly Family[], base: Covers, cluster: string): string | null | undefined {
  const drawn = drawnIn(cluster);
  if (isPlain(base, drawn) && drawn !== '') return null;
  for (const { files } of families)
    for (const { file, covers } of files) if (drawn !== '' && coversAll(covers, drawn)) return file;
  return undefined;
}

function spelled(characters: readonly string[]): string {
  const points = characters.slice(0, LISTED_CODE_POINTS).map(codePointName);
  const left = characters.length - points.length;
  return `[${points.join(' ')}${left > 0 ? ` … +${left}` : ''}]`;
}

function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
