import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib';
import { TYPE } from '../../../shared/typesetting/style.ts';
import { plainPaper } from '../../support/paper.ts';

/** The glyphs that a text in a script needs, and those of them that read as a character. */
async function glyphsOf(text: string): Promise<{ used: string[]; readable: string[] }> {
  const paper = await plainPaper();
  paper.write(paper.set(text, TYPE.body));
  const document = await PDFDocument.load(await paper.finish());
  const font = document.getPage(0).node.normalizedEntries().Font.lookup(PDFName.of('script1'), PDFDict);
  const [descendant] = font.lookup(PDFName.of('DescendantFonts'), PDFArray).asArray();
  const widths = document.context.lookup(descendant, PDFDict).lookup(PDFName.of('W'), PDFArray).asArray();
  const map = decodePDFRawStream(font.lookup(PDFName.of('ToUnicode')) as PDFRawStream).decode();
  const entries = Buffer.from(map)
    .toString('latin1')
    .matchAll(/^<(\w{4})> <(?!ffff)\w+>$/gm);
  return {
    used: widths.filter((_, index) => index % 2 === 0).map((number) => hex(Number(String(number)))),
    readable: [...entries].map(([, code = '']) => code),
  };
}

const hex = (number: number) => number.toString(16).padStart(4, '0');

it.each(['น้ำ', 'त्रिपाठी', 'శ్రీను', 'ශ්‍රී'])(
  'every glyph of %j has a character, as PDF/UA asks',
  async (name) => {
    const { used, readable } = await glyphsOf(name);
    expect(used).not.toEqual([]);
    expect(readable).toEqual(used);
  },
);
