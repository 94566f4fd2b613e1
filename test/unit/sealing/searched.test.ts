import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { searchFindsTheSame } from '../../../shared/sealing/pdf/searched.ts';
import { PdfRef } from '../../../shared/sealing/pdf/values.ts';
import { craft, ONE_PAGE, revise, startXrefOf } from './craft.ts';

const fileOf = (pdf: Buffer) => new PdfFile(pdf, new Budget(inflate));

/** Object 4 of a file with one page is this, with whatever hides in its text. */
const holding = (text: string) => fileOf(craft({ objects: { ...ONE_PAGE, 4: text } }));

describe('whoever searches a file', () => {
  it.each([
    ['12 0 obj', false],
    ['12\t0\nobj', false],
    ['12 \0\f\r 0 \0obj', false],
    ['12 0obj', false],
    ['9 9 obj', false],
    ['12 00007 obj', false],
    ['x12 0 obj', false],
    ['90obj', true],
    [' 0 obj', true],
    ['x 0 obj', true],
    ['12 x obj', true],
    ['12 0 x obj', true],
    ['120 obj', true],
    ['12 0 o b j', true],
    ['12 0 ob', true],
    ['12 0 Obj', true],
    ['12 0 oobj', true],
    ['12/0 obj', true],
    ['12 0\x0eobj', true],
    ['12 0\x08obj', true],
    ['12:0 obj', true],
  ])('a search finds the object that %j begins, unless it is no header: %s', (hidden, isSame) => {
    expect(searchFindsTheSame(holding(`(${hidden})`))).toBe(isSame);
  });

  it('a search finds the last object of each number', () => {
    const pdf = craft({ objects: ONE_PAGE });
    const revised = revise(pdf, { objects: { 3: '<</Type /Page /Parent 2 0 R>>' }, size: 4 });
    expect(searchFindsTheSame(fileOf(revised))).toBe(true);
    expect(searchFindsTheSame(holding('(3 0 obj)'))).toBe(false);
  });

  it('a search from an offset finds no objects before it', () => {
    const pdf = craft({ objects: { ...ONE_PAGE, 4: '(12 0 obj)' } });
    const file = fileOf(revise(pdf, { objects: { 5: '(13 0 ob)' }, size: 6 }));
    expect(searchFindsTheSame(file)).toBe(false);
    expect(searchFindsTheSame(file, pdf.length)).toBe(true);
    const more = fileOf(revise(pdf, { objects: { 5: '(13 0 obj)' }, size: 6 }));
    expect(searchFindsTheSame(more, pdf.length)).toBe(false);
  });

  it('a search from an offset finds no trailers before it', () => {
    const pdf = craft({ objects: ONE_PAGE });
    const file = fileOf(revise(pdf, { objects: { 5: '(trailer<</Root 3 0 R>>)' }, size: 6 }));
    expect(searchFindsTheSame(file, pdf.length)).toBe(false);
  });

  it.each([
    ['trailer<</Root 3 0 R>>', false],
    ['trailer \0<</Root 3 0 R>>', false],
    ['trailer<</Size 4>>', true],
    ['trailer<</Size 4 (Root) 1>>', false],
    ['trailer<</Size 4 ', false],
    ['trailer <Root>', true],
    ['trailer of << values >>', true],
    ['traile r<</Root 3 0 R>>', true],
  ])('a search counts %j as another trailer or not: %s', (hidden, isSame) => {
    expect(searchFindsTheSame(holding(`(four)\nendobj\n${hidden}`))).toBe(isSame);
  });

  it('a search reads a dictionary within the limits of every reader', () => {
    const file = holding(`(four)\nendobj\ntrailer<</A ${'['.repeat(1_000)}`);
    expect(() => searchFindsTheSame(file)).toThrow(expect.objectContaining({ code: 'pdf_too_complex' }));
  });

  it('a search finds the objects that hold the cross-reference too', () => {
    const pdf = craft({ objects: ONE_PAGE, style: 'stream', size: 20 });
    expect(searchFindsTheSame(fileOf(pdf))).toBe(true);
    const unlisted = `70 0 obj\n<</Type /XRef /Size 71 /Root 1 0 R /Prev ${startXrefOf(pdf)} /W [1 1 1] /Index [] /Length 0>>`;
    const end = `stream\n\nendstream\nendobj\nstartxref\n${pdf.length}\n%%EOF\n`;
    expect(searchFindsTheSame(fileOf(Buffer.concat([pdf, Buffer.from(`${unlisted}${end}`)])))).toBe(true);
    expect(searchFindsTheSame(fileOf(revise(pdf, { objects: { 5: '7' }, style: 'stream', size: 30 })))).toBe(
      true,
    );
  });

  it('a search counts a deleted object once a reference to it was followed', () => {
    const pdf = craft({ objects: { ...ONE_PAGE, 4: '(four)' } }).toString('latin1');
    const deleted = pdf.replace(/(?<=\n4 1\n)\d{10} 00000 n/, '0000000000 00001 f');
    const file = fileOf(Buffer.from(deleted, 'latin1'));
    expect(searchFindsTheSame(file)).toBe(true);
    expect(file.resolve(new PdfRef(4, 0))).toBeNull();
    expect(searchFindsTheSame(file)).toBe(false);
  });
});
