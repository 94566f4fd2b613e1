import { readFileSync } from 'node:fs';
import { readFont } from '../../../shared/typesetting/truetype.ts';

const file = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../../../shared/typesetting/fonts/${name}.ttf`, import.meta.url)));
const NAMES = ['sans', 'sans-semibold', 'serif', 'serif-italic', 'mono'];

/** Tables of a font file by name, read here once more and in another way. */
function tablesOf(bytes: Uint8Array): Map<string, Buffer> {
  const font = Buffer.from(bytes);
  return new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
      const entry = font.subarray(12 + 16 * index, 28 + 16 * index);
      const start = entry.readUInt32BE(8);
      return [entry.toString('latin1', 0, 4), font.subarray(start, start + entry.readUInt32BE(12))];
    }),
  );
}

const table = (bytes: Uint8Array, name: string) => tablesOf(bytes).get(name) ?? Buffer.alloc(0);

/** Glyph and place, in bytes or words, and one, two or four numbers for its scale. */
const sizeOfPart = (flags: number): number =>
  4 + (flags & 1 ? 4 : 2) + (flags & 8 && 2) + (flags & 0x40 && 4) + (flags & 0x80 && 8);

/** Outlines by glyph; those of a composed glyph's parts stand in it in place of their numbers. */
function outlinesOf(bytes: Uint8Array): (glyph: number) => string {
  const long = table(bytes, 'head').readInt16BE(50) === 1;
  const [loca, glyf] = [table(bytes, 'loca'), table(bytes, 'glyf')];
  const at = (index: number) => (long ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index));
  const outline = (glyph: number): string => {
    const data = glyf.subarray(at(glyph), at(glyph + 1));
    if (data.length === 0) return '';
    if (data.readInt16BE(0) >= 0) return data.toString('hex').replace(/(00)+$/, '');
    let text = 'composed';
    for (let place = 10, more = true; more; ) {
      const flags = data.readUInt16BE(place);
      const size = sizeOfPart(flags);
      const part = outline(data.readUInt16BE(place + 2));
      text += ` (${flags} ${part} ${data.toString('hex', place + 4, place + size)})`;
      place += size;
      more = (flags & 0x20) !== 0;
    }
    return text;
  };
  return outline;
}

function subsetFor(bytes: Uint8Array, text: string): { subset: Uint8Array; numbers: [number, number][] } {
  const font = readFont(bytes);
  const cut = font.createSubset();
  const numbers = font
    .layout(text)
    .glyphs.map((glyph): [number, number] => [cut.includeGlyph(glyph), glyph.id]);
  let subset = new Uint8Array();
  cut.encodeStream().on('data', (data) => {
    subset = Uint8Array.from(data);
  });
  return { subset, numbers };
}

describe('a font', () => {
  it('a font file yields name and metrics', () => {
    expect(readFont(file('serif-italic'))).toMatchObject({
      postscriptName: 'EBGaramond-Italic',
      unitsPerEm: 1000,
      head: { macStyle: { italic: true } },
      post: { isFixedPitch: false },
    });
    const { ascent, descent, capHeight, xHeight, unitsPerEm, italicAngle } = readFont(file('sans'));
    expect({ ascent, descent, capHeight, xHeight, unitsPerEm, italicAngle }).toEqual({
      ascent: 1069,
      descent: -293,
      capHeight: 714,
      xHeight: 536,
      unitsPerEm: 1000,
      italicAngle: 0,
    });
  });

  it('characters have their widths, and uncovered ones map to .notdef', () => {
    const sans = readFont(file('sans'));
    const widths = [...'Ai Ж'].map((character) => sans.layout(character).glyphs[0]?.advanceWidth);
    expect(widths).toEqual([639, 258, 260, 905]);
    expect(sans.glyphForCodePoint(0x4e2d).id).toBe(0);
    expect(sans.layout('😀').glyphs).toHaveLength(1);
  });

  it.each(NAMES)('%s has a glyph for each character it claims', (name) => {
    const font = readFont(file(name));
    expect(font.characterSet).toEqual([...font.characterSet].sort((a, b) => a - b));
    expect(font.characterSet.filter((codePoint) => font.glyphForCodePoint(codePoint).id === 0)).toEqual([]);
  });

  it('bytes that are not a font are refused', () => {
    expect(() => readFont(new Uint8Array(20))).toThrow('The font has no table head.');
  });
});

describe('a subset', () => {
  it.each(NAMES)('a subset of %s keeps the outline of every character', (name) => {
    const whole = file(name);
    const { subset, numbers } = subsetFor(whole, String.fromCodePoint(...readFont(whole).characterSet));
    const [ours, theirs] = [outlinesOf(subset), outlinesOf(whole)];
    expect(numbers.map(([place]) => ours(place))).toEqual(numbers.map(([, glyph]) => theirs(glyph)));
  });

  it('a subset holds the requested glyphs in order, then the parts of composite glyphs', () => {
    const whole = file('sans');
    const { subset, numbers } = subsetFor(whole, 'ÅÅb');
    expect(numbers.map(([place]) => place)).toEqual([1, 1, 2]);
    expect(table(subset, 'maxp').readUInt16BE(4)).toBeGreaterThan(3);
    expect(table(subset, 'hmtx').readUInt16BE(4 * 2)).toBe(
      readFont(whole).layout('b').glyphs[0]?.advanceWidth,
    );
    expect(subset.length).toBeLessThan(4_000);
  });

  it('a subset has the tables and checksums that readers verify', () => {
    const { subset } = subsetFor(file('serif'), 'Sealed');
    expect([...tablesOf(subset).keys()]).toEqual(['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']);
    const bytes = Buffer.from(subset);
    let sum = 0;
    for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
    expect(sum).toBe(0xb1b0afba);
  });
});
