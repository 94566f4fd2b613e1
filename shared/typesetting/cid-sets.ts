import { inflateSync } from 'node:zlib';
import { PDFDict, type PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';

/**
 * Lists the glyphs of every embedded font, which PDF/A-1 asks of subsets (ISO 19005-1, 6.3.5), so that our pages keep an
 * archival document archival. Call it after the last glyph.
 */
export async function listGlyphs(document: PDFDocument): Promise<void> {
  await document.flush();
  const { context } = document;
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFDict)) continue;
    const program = context.lookup(object.get(PDFName.of('FontFile2')));
    if (!(program instanceof PDFRawStream)) continue;
    const glyphs = glyphsIn(inflateSync(program.contents));
    object.set(PDFName.of('CIDSet'), context.register(context.stream(firstBits(glyphs))));
  }
}

/** The number of glyphs that a TrueType font states in its table `maxp`. */
function glyphsIn(font: Buffer): number {
  const tables = font.readUInt16BE(4);
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) === 'maxp')
      return font.readUInt16BE(font.readUInt32BE(at + 8) + 4);
  }
  throw new Error('An embedded font has no table maxp.');
}

/** So many ones, from the highest bit of the first byte. */
function firstBits(count: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(count / 8)).fill(0xff);
  const unused = bits.length * 8 - count;
  if (unused > 0) bits[bits.length - 1] = (0xff << unused) & 0xff;
  return bits;
}
