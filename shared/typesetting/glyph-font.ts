import { type PDFContext, PDFName, type PDFRef, PDFString } from 'pdf-lib';
import type { ScriptFont } from './script-fonts.ts';
import type { Subset } from './truetype.ts';

/** Flags of a font descriptor (ISO 32000-1, table 123): its characters are not those of the standard Latin set. */
const SYMBOLIC = 4;
/** The most entries that one block of a CMap may have. */
const CMAP_BLOCK = 100;
/** A word joiner. PDF/UA wants a character for every glyph, also for one whose letter another glyph reads as. */
const NOTHING = '\u2060';

/** A script font in a document: a subset whose glyphs are addressed by number, as shaping returns them. */
export class GlyphFont {
  readonly ref: PDFRef;
  readonly key: PDFName;
  readonly #context: PDFContext;
  readonly #source: ScriptFont;
  readonly #name: string;
  readonly #subset: Subset;
  /** Subset's glyph → its width and what it reads as. */
  readonly #glyphs = new Map<number, { readonly width: number; readonly text: string }>();

  constructor(context: PDFContext, source: ScriptFont, number: number, tag: string) {
    this.#context = context;
    this.#source = source;
    this.ref = context.nextRef();
    this.key = PDFName.of(`script${number}`);
    this.#name = `${tag}+${source.font.postscriptName}`;
    this.#subset = source.font.createSubset();
  }

  /** Thousandths of the font size for a measure in the font's units. */
  scaled(units: number): number {
    return (units * 1000) / this.#source.font.unitsPerEm;
  }

  /** Adds a glyph to the subset. It reads as `text`, unless it was added with another text before. */
  add(glyph: number, text: string): { readonly code: string; readonly width: number; readonly text: string } {
    const number = this.#subset.includeGlyph(glyph);
    const known = this.#glyphs.get(number) ?? {
      width: this.scaled(this.#source.font.advanceOf(glyph)),
      text,
    };
    this.#glyphs.set(number, known);
    return { ...known, code: hex(number) };
  }

  /** Writes the font's objects. Call it once, after the last glyph. */
  embed(): void {
    const context = this.#context;
    const { font } = this.#source;
    const { bbox } = font;
    const descriptor = context.register(
      context.obj({
        Type: 'FontDescriptor',
        FontName: this.#name,
        Flags: SYMBOLIC,
        FontBBox: [bbox.minX, bbox.minY, bbox.maxX, bbox.maxY].map((units) => this.scaled(units)),
        ItalicAngle: 0,
        Ascent: this.scaled(font.ascent),
        Descent: this.scaled(font.descent),
        CapHeight: this.scaled(font.capHeight || font.ascent),
        StemV: 0,
        FontFile2: context.register(context.flateStream(this.#subset.encode())),
      }),
    );
    const descendant = context.register(
      context.obj({
        Type: 'Font',
        Subtype: 'CIDFontType2',
        BaseFont: this.#name,
        CIDSystemInfo: {
          Registry: PDFString.of('Adobe'),
          Ordering: PDFString.of('Identity'),
          Supplement: 0,
        },
        CIDToGIDMap: 'Identity',
        FontDescriptor: descriptor,
        W: [...this.#glyphs].flatMap(([number, { width }]) => [number, [width]]),
      }),
    );
    context.assign(
      this.ref,
      context.obj({
        Type: 'Font',
        Subtype: 'Type0',
        BaseFont: this.#name,
        Encoding: 'Identity-H',
        DescendantFonts: [descendant],
        ToUnicode: context.register(context.flateStream(this.#toUnicode())),
      }),
    );
  }

  #toUnicode(): string {
    const entries = [...this.#glyphs].map(
      ([number, { text }]) => `<${hex(number)}> <${utf16(text || NOTHING)}>`,
    );
    const blocks: string[] = [];
    for (let at = 0; at < entries.length; at += CMAP_BLOCK) {
      const block = entries.slice(at, at + CMAP_BLOCK);
      blocks.push(`${block.length} beginbfchar`, ...block, 'endbfchar');
    }
    return [
      '/CIDInit /ProcSet findresource begin',
      '12 dict begin',
      'begincmap',
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
      '/CMapName /Adobe-Identity-UCS def',
      '/CMapType 2 def',
      '1 begincodespacerange',
      '<0000> <ffff>',
      'endcodespacerange',
      ...blocks,
      'endcmap',
      'CMapName currentdict /CMap defineresource pop',
      'end',
      'end',
    ].join('\n');
  }
}

const hex = (number: number) => number.toString(16).padStart(4, '0');
const utf16 = (text: string) =>
  Array.from({ length: text.length }, (_, index) => hex(text.charCodeAt(index))).join('');
