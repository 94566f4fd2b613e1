import { readFileSync } from 'node:fs';
import { type Direction, HarfBuzz, type ShapedGlyph } from './harfbuzz.ts';
import { type Family, type ListedFamily, readFamilies } from './scripts.ts';
import { readFont, type TrueTypeFont } from './truetype.ts';

/** One file of a script, parsed. */
export interface ScriptFont {
  readonly file: string;
  readonly font: TrueTypeFont;
  /** The character that the glyph has in the font's character map. */
  characterOf(glyph: number): string | undefined;
  shape(text: string, direction: Direction): readonly ShapedGlyph[];
}

const folder = new URL('./fonts/scripts/', import.meta.url);
let families: readonly Family[] | undefined;

/** The characters that each font file has. Read with the first text that needs it. */
export function scriptFamilies(): readonly Family[] {
  families ??= readFamilies(
    JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as ListedFamily[],
  );
  return families;
}

/** The script fonts of one document, read when a text needs them. Their memory ends with the document. */
export class ScriptFonts {
  #harfBuzz: HarfBuzz | undefined;
  readonly #fonts = new Map<string, ScriptFont>();

  get(file: string): ScriptFont {
    const known = this.#fonts.get(file);
    if (known !== undefined) return known;
    const read = this.#read(file);
    this.#fonts.set(file, read);
    return read;
  }

  #read(file: string): ScriptFont {
    this.#harfBuzz ??= new HarfBuzz();
    const font = readFont(readFileSync(new URL(file, folder)));
    const shape = this.#harfBuzz.font(font.file());
    const characters = new Map(
      font.characterSet.map((codePoint) => [
        font.glyphForCodePoint(codePoint).id,
        String.fromCodePoint(codePoint),
      ]),
    );
    const shaped = new Map<string, readonly ShapedGlyph[]>();
    return {
      file,
      font,
      characterOf: (glyph) => characters.get(glyph),
      shape(text, direction) {
        const key = `${direction} ${text}`;
        const glyphs = shaped.get(key) ?? shape(text, direction);
        shaped.set(key, glyphs);
        return glyphs;
      },
    };
  }
}
