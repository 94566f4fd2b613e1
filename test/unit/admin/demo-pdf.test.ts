import { PDFDocument } from 'pdf-lib';
import { demoPdf } from '../../../admin/demo-pdf.ts';

const LINE = 'A (first) contract';
const text = demoPdf(LINE).toString('latin1');

describe('demoPdf', () => {
  it('the demo PDF is a valid PDF of one page', async () => {
    const file = await PDFDocument.load(demoPdf(LINE), { throwOnInvalidObject: true });
    expect(file.getPageCount()).toBe(1);
  });

  it('the demo PDF has every object at the offset in its cross-reference table', () => {
    const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset) => text.slice(offset, offset + 8))).toEqual(
      [1, 2, 3, 4, 5].map((number) => `${number} 0 obj\n`),
    );
    expect(text.slice(Number(/startxref\n(\d+)/.exec(text)?.[1])).startsWith('xref')).toBe(true);
  });

  it('the demo PDF declares the length of its stream and separates the keywords around it', () => {
    const [, length, stream = ''] =
      /<<\/Length (\d+)>>stream\n([\s\S]*?)\nendstream\nendobj\n/.exec(text) ?? [];
    expect(stream.length).toBe(Number(length));
    expect(stream).toContain('(A \\(first\\) contract)Tj');
  });
});
