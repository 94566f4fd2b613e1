import { PDFDocument } from 'pdf-lib';
import { demoPdf } from '../../../functions/admin/demo-pdf.ts';

const WORDS = 'A (first) contract';
const text = demoPdf(WORDS).toString('latin1');

describe('the document of a first request', () => {
  it('is a whole PDF of one page', async () => {
    const file = await PDFDocument.load(demoPdf(WORDS), { throwOnInvalidObject: true });
    expect(file.getPageCount()).toBe(1);
  });

  it('has each object where its table says', () => {
    const offsets = [...text.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset) => text.slice(offset, offset + 8))).toEqual(
      [1, 2, 3, 4, 5].map((number) => `${number} 0 obj\n`),
    );
    expect(text.slice(Number(/startxref\n(\d+)/.exec(text)?.[1])).startsWith('xref')).toBe(true);
  });

  it('has a stream as long as it says, and its keywords apart from one another', () => {
    const [, length, stream = ''] =
      /<<\/Length (\d+)>>stream\n([\s\S]*?)\nendstream\nendobj\n/.exec(text) ?? [];
    expect(stream.length).toBe(Number(length));
    expect(stream).toContain('(A \\(first\\) contract)Tj');
  });
});
