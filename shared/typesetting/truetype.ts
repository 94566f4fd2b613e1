import { inflateSync } from 'node:zlib';

/**
 * Reads and subsets the fonts in `fonts/`, all with TrueType outlines. Replaces pdf-lib's `fontkit`, which handles every kind of
 * font and would be half of each bundle that sets type. HarfBuzz reads the layout tables.
 */

interface Glyph {
  readonly id: number;
  readonly codePoints: number[];
  readonly advanceWidth: number;
}

/** The font's bounding box, in its own units. */
interface Box {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** In the font's units, both measured upwards from the baseline. */
interface Reach {
  readonly top: number;
  readonly bottom: number;
}

export interface Subset {
  includeGlyph(glyph: number | { readonly id: number }): number;
  encodeStream(): SubsetStream;
  encode(): Uint8Array;
}

/** The part of a stream that pdf-lib uses. */
interface SubsetStream {
  on(event: string, listener: (bytes: Uint8Array) => void): SubsetStream;
}

export interface TrueTypeFont {
  readonly postscriptName: string;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly xHeight: number;
  readonly italicAngle: number;
  readonly bbox: Box;
  readonly characterSet: number[];
  readonly post: { readonly isFixedPitch: boolean };
  readonly head: { readonly macStyle: { readonly italic: boolean } };
  readonly 'OS/2': { readonly sFamilyClass: number };
  glyphForCodePoint(codePoint: number): Glyph;
  layout(text: string): { glyphs: Glyph[] };
  advanceOf(glyph: number): number;
  /** Extent of the glyph's outline above and below the baseline; null if it has none. */
  reachOf(glyph: number): Reach | null;
  createSubset(): Subset;
  /** The whole font, unpacked. */
  file(): Uint8Array;
}

type Tables = ReadonlyMap<string, DataView>;

const POSTSCRIPT_NAME = 6;

export function readFont(bytes: Uint8Array): TrueTypeFont {
  const tables = readTables(bytes);
  const table = (name: string) => tableOf(tables, name);
  const head = table('head');
  const os2 = table('OS/2');
  const characters = readCharacters(table('cmap'));
  const advance = advances(table('hhea'), table('hmtx'));
  const outlines = outlinesOf(tables);

  const glyphForCodePoint = (codePoint: number): Glyph => {
    const id = characters.get(codePoint) ?? 0;
    return { id, codePoints: [codePoint], advanceWidth: advance(id) };
  };
  return {
    postscriptName: readName(table('name'), POSTSCRIPT_NAME),
    unitsPerEm: head.getUint16(18),
    ascent: table('hhea').getInt16(4),
    descent: table('hhea').getInt16(6),
    xHeight: os2.getInt16(86),
    capHeight: os2.getInt16(88),
    italicAngle: table('post').getInt32(4) / 65_536,
    bbox: {
      minX: head.getInt16(36),
      minY: head.getInt16(38),
      maxX: head.getInt16(40),
      maxY: head.getInt16(42),
    },
    characterSet: [...characters.keys()],
    post: { isFixedPitch: table('post').getUint32(12) !== 0 },
    head: { macStyle: { italic: (head.getUint16(44) & 2) !== 0 } },
    'OS/2': { sFamilyClass: os2.getInt16(30) >> 8 },
    glyphForCodePoint,
    layout: (text) => ({
      glyphs: [...text].map((character) => glyphForCodePoint(character.codePointAt(0) ?? 0)),
    }),
    advanceOf: advance,
    reachOf: (glyph) => reachOf(outlines(glyph)),
    createSubset: () => subsetOf(tables),
    file: () => fontFile(Object.fromEntries(tables)),
  };
}

const WOFF = 0x774f4646;

/** The tables of a TrueType file, or of a WOFF 1.0 file, which deflates each on its own. */
function readTables(bytes: Uint8Array): Tables {
  const view = viewOf(bytes);
  const isWoff = view.getUint32(0) === WOFF;
  const [count, first, size, place] = isWoff
    ? [view.getUint16(12), 44, 20, 4]
    : [view.getUint16(4), 12, 16, 8];
  const tables = new Map<string, DataView>();
  for (let at = first; at < first + count * size; at += size) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const start = view.getUint32(at + place);
    const stored = bytes.subarray(start, start + view.getUint32(at + place + 4));
    const isPacked = isWoff && stored.length < view.getUint32(at + 12);
    tables.set(name, viewOf(isPacked ? inflateSync(stored) : stored));
  }
  return tables;
}

/** The number of glyphs that a font file states. */
export const glyphCountOf = (file: Uint8Array): number => tableOf(readTables(file), 'maxp').getUint16(4);

function tableOf(tables: Tables, name: string): DataView {
  const found = tables.get(name);
  if (!found) throw new Error(`The font has no table ${name}.`);
  return found;
}

/** Code point → glyph, sorted by code point. Fonts use format 4 (basic plane) or 12. */
function readCharacters(cmap: DataView): Map<number, number> {
  const places = Array.from({ length: cmap.getUint16(2) }, (_, index) => cmap.getUint32(4 + 8 * index + 4));
  const formats = new Map(places.map((place) => [cmap.getUint16(place), place]));
  const full = formats.get(12);
  if (full !== undefined) return readFormat12(cmap, full);
  const basic = formats.get(4);
  if (basic === undefined) throw new Error('The font has no Unicode character map.');
  return readFormat4(cmap, basic);
}

function readFormat12(cmap: DataView, at: number): Map<number, number> {
  const characters = new Map<number, number>();
  for (let group = 0; group < cmap.getUint32(at + 12); group += 1) {
    const place = at + 16 + 12 * group;
    const [first, last, glyph] = [
      cmap.getUint32(place),
      cmap.getUint32(place + 4),
      cmap.getUint32(place + 8),
    ];
    for (let codePoint = first; codePoint <= last; codePoint += 1)
      characters.set(codePoint, glyph + codePoint - first);
  }
  return characters;
}

function readFormat4(cmap: DataView, at: number): Map<number, number> {
  const characters = new Map<number, number>();
  const doubled = cmap.getUint16(at + 6);
  const [ends, starts] = [at + 14, at + 16 + doubled];
  const [deltas, offsets] = [starts + doubled, starts + 2 * doubled];
  for (let segment = 0; segment < doubled; segment += 2) {
    const [first, last] = [cmap.getUint16(starts + segment), cmap.getUint16(ends + segment)];
    const delta = cmap.getUint16(deltas + segment);
    const offset = cmap.getUint16(offsets + segment);
    for (let codePoint = first; codePoint <= last && codePoint < 0xffff; codePoint += 1) {
      const listed = offset && cmap.getUint16(offsets + segment + offset + 2 * (codePoint - first));
      const glyph = offset === 0 ? codePoint + delta : listed === 0 ? 0 : listed + delta;
      if (glyph % 65_536 !== 0) characters.set(codePoint, glyph % 65_536);
    }
  }
  return characters;
}

/** Glyphs past the listed ones have the last listed width. */
function advances(hhea: DataView, hmtx: DataView): (glyph: number) => number {
  const last = hhea.getUint16(34) - 1;
  return (glyph) => hmtx.getUint16(4 * Math.min(glyph, last));
}

/** A name from the Windows entries, which are UTF-16. */
function readName(name: DataView, wanted: number): string {
  const strings = name.getUint16(4);
  for (let index = 0, at = 6; index < name.getUint16(2); index += 1, at += 12) {
    if (name.getUint16(at) !== 3 || name.getUint16(at + 6) !== wanted) continue;
    const start = strings + name.getUint16(at + 10);
    return Array.from({ length: name.getUint16(at + 8) / 2 }, (_, place) =>
      String.fromCharCode(name.getUint16(start + 2 * place)),
    ).join('');
  }
  throw new Error('The font has no PostScript name.');
}

/** A font with only the chosen glyphs, numbered in the order requested, after `.notdef`. */
function subsetOf(tables: Tables): Subset {
  const chosen = [0];
  const places = new Map([[0, 0]]);
  const includeGlyph = (glyph: number | { readonly id: number }): number => {
    const id = typeof glyph === 'number' ? glyph : glyph.id;
    const known = places.get(id);
    if (known !== undefined) return known;
    places.set(id, chosen.length);
    return chosen.push(id) - 1;
  };
  const encode = () => encodeSubset(tables, chosen, includeGlyph);
  return {
    includeGlyph,
    encode,
    encodeStream: () => {
      const stream: SubsetStream = {
        on(event, listener) {
          if (event === 'data') listener(encode());
          // After the data, whichever listener was added first.
          if (event === 'end') queueMicrotask(() => listener(new Uint8Array()));
          return stream;
        },
      };
      return stream;
    },
  };
}

function encodeSubset(tables: Tables, chosen: number[], include: (glyph: number) => number): Uint8Array {
  const outlines = outlinesOf(tables);
  const advance = advances(tableOf(tables, 'hhea'), tableOf(tables, 'hmtx'));
  const bearing = bearings(tableOf(tables, 'hhea'), tableOf(tables, 'hmtx'));
  const glyphs: Uint8Array[] = [];
  // Parts of composite glyphs are appended while the list is walked.
  for (let place = 0; place < chosen.length; place += 1)
    glyphs.push(renumbered(outlines(chosen[place] ?? 0), include));

  const loca = new DataView(new ArrayBuffer(4 * (glyphs.length + 1)));
  const hmtx = new DataView(new ArrayBuffer(4 * glyphs.length));
  const glyf = new Uint8Array(glyphs.reduce((sum, { length }) => sum + padded(length), 0));
  let end = 0;
  for (const [place, outline] of glyphs.entries()) {
    glyf.set(outline, end);
    end += padded(outline.length);
    loca.setUint32(4 * (place + 1), end);
    hmtx.setUint16(4 * place, advance(chosen[place] ?? 0));
    hmtx.setInt16(4 * place + 2, bearing(chosen[place] ?? 0));
  }
  const head = copy(tableOf(tables, 'head'));
  head.setUint32(8, 0);
  head.setInt16(50, 1);
  const hhea = copy(tableOf(tables, 'hhea'));
  hhea.setUint16(34, glyphs.length);
  const maxp = copy(tableOf(tables, 'maxp'));
  maxp.setUint16(4, glyphs.length);
  return fontFile({ glyf, head, hhea, hmtx, loca, maxp });
}

const padded = (length: number) => (length + 3) & ~3;
const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  new Uint8Array(buffer, byteOffset, byteLength);
const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
const copy = (view: DataView) => new DataView(bytesOf(view).slice().buffer);

function outlinesOf(tables: Tables): (glyph: number) => Uint8Array {
  const loca = tableOf(tables, 'loca');
  const glyf = bytesOf(tableOf(tables, 'glyf'));
  const isLong = tableOf(tables, 'head').getInt16(50) === 1;
  const start = (glyph: number) => (isLong ? loca.getUint32(4 * glyph) : 2 * loca.getUint16(2 * glyph));
  return (glyph) => glyf.slice(start(glyph), start(glyph + 1));
}

function reachOf(outline: Uint8Array): Reach | null {
  if (outline.length === 0) return null;
  const view = new DataView(outline.buffer);
  return { top: view.getInt16(8), bottom: view.getInt16(4) };
}

function bearings(hhea: DataView, hmtx: DataView): (glyph: number) => number {
  const listed = hhea.getUint16(34);
  return (glyph) => hmtx.getInt16(glyph < listed ? 4 * glyph + 2 : 2 * (listed + glyph));
}

const WORDS = 0x0001;
const SCALE = 0x0008;
const MORE = 0x0020;
const TWO_SCALES = 0x0040;
const MATRIX = 0x0080;

/** Rewrites a composite glyph to use the subset's numbers for its parts. */
function renumbered(outline: Uint8Array, include: (glyph: number) => number): Uint8Array {
  const view = new DataView(outline.buffer);
  if (outline.length === 0 || view.getInt16(0) >= 0) return outline;
  for (let at = 10, flags = MORE; flags & MORE; ) {
    flags = view.getUint16(at);
    view.setUint16(at + 2, include(view.getUint16(at + 2)));
    const transform = flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0;
    at += 4 + (flags & WORDS ? 4 : 2) + transform;
  }
  return outline;
}

/** Writes the tables sorted by name, with their checksums. */
function fontFile(tables: Record<string, ArrayBufferView>): Uint8Array {
  const entries = Object.entries(tables).sort(([a], [b]) => (a < b ? -1 : 1));
  const start = 12 + 16 * entries.length;
  const file = new Uint8Array(entries.reduce((sum, [, { byteLength }]) => sum + padded(byteLength), start));
  const view = new DataView(file.buffer);
  const power = Math.floor(Math.log2(entries.length));
  view.setUint32(0, 0x00010000);
  view.setUint16(4, entries.length);
  view.setUint16(6, 16 * 2 ** power);
  view.setUint16(8, power);
  view.setUint16(10, 16 * (entries.length - 2 ** power));
  let at = start;
  let headAt = 0;
  for (const [index, [name, table]] of entries.entries()) {
    file.set(bytesOf(table), at);
    const entry = 12 + 16 * index;
    for (let place = 0; place < 4; place += 1) file[entry + place] = name.charCodeAt(place);
    view.setUint32(entry + 4, checksum(view, at, padded(table.byteLength)));
    view.setUint32(entry + 8, at);
    view.setUint32(entry + 12, table.byteLength);
    if (name === 'head') headAt = at;
    at += padded(table.byteLength);
  }
  view.setUint32(headAt + 8, 0xb1b0afba - checksum(view, 0, file.length));
  return file;
}

function checksum(view: DataView, from: number, length: number): number {
  let sum = 0;
  for (let at = from; at < from + length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
}
