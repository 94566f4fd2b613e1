import { sequence } from '../../../shared/sealing/der-encode.ts';
import { SignatureFault } from '../../../shared/sealing/faults.ts';
import { inflate } from '../../../shared/sealing/inflate.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { Parser } from '../../../shared/sealing/pdf/parser.ts';
import { PdfDict } from '../../../shared/sealing/pdf/values.ts';
import { readContents } from '../../../shared/sealing/signature-contents.ts';

const CMS = sequence().toString('hex');
const BEFORE = '%PDF-1.7\n';
const AFTER = '\n%%EOF\n';
const REST = `>>${AFTER}`.length;
const coveringAll = (from: number, to: number, rest: number) => [0, from, to, rest];

interface Written {
  contents?: string;
  /** The numbers of the byte range, from the offsets of the contents and the length of what follows them. */
  range?: (from: number, to: number, rest: number) => readonly number[];
  /** Entries after the contents. */
  more?: string;
}

/** A file that is little more than a signature's dictionary. */
function written({ contents = `<${CMS}>`, range = coveringAll, more = '' }: Written = {}) {
  const head = (numbers: string): string => `<</ByteRange [${numbers.padEnd(40)}] /Contents `;
  const from = BEFORE.length + head('').length;
  const to = from + contents.length;
  const rest = `${more}>>${AFTER}`;
  const text = `${BEFORE}${head(range(from, to, rest.length).join(' '))}${contents}${rest}`;
  return { bytes: Buffer.from(text, 'latin1'), from, to };
}

function signatureIn(bytes: Uint8Array): PdfDict {
  const dict = new Parser(bytes, BEFORE.length, new Budget(inflate)).value();
  if (!(dict instanceof PdfDict)) throw new Error('not a dictionary');
  return dict;
}

describe('the contents of a signature', () => {
  it('are found with what they cover, which may end before the file does', () => {
    const { bytes, from, to } = written();
    const longer = Buffer.concat([bytes, Buffer.from('a later revision')]);
    for (const file of [bytes, longer])
      expect(readContents(file, signatureIn(file))).toMatchObject({
        from,
        to,
        end: bytes.length,
        isLowerCase: true,
      });
  });

  it.each<[string, Written]>([
    ['do not begin at the first byte', { range: (from, to) => [1, from, to, REST] }],
    ['leave out what is before the contents', { range: (from, to) => [0, from - 1, to, REST] }],
    ['leave out what is after the contents', { range: (from, to) => [0, from, to + 1, REST - 1] }],
    ['end after the file', { range: (from, to) => [0, from, to, REST + 1] }],
    ['end at no whole number', { range: (from, to) => [0, from, to, 1.5] }],
    ['have another part', { range: (from, to) => [0, from, to, 1, to + 1, REST - 1] }],
    ['lack their last part', { range: (from, to) => [0, from, to] }],
  ])('are refused if the ranges %s', (_, changes) => {
    const { bytes } = written(changes);
    expect(() => readContents(bytes, signatureIn(bytes))).toThrow(SignatureFault);
  });

  it.each([
    ['have half a byte', `<${CMS}0>`],
    ['have space among their digits', `<${CMS} 00>`],
    ['are written as text', '(0\\000)'],
    ['are a name', '/None'],
  ])('are refused if they %s', (_, contents) => {
    const { bytes } = written({ contents });
    expect(() => readContents(bytes, signatureIn(bytes))).toThrow('hexadecimal');
  });

  it('may be padded with zeros alone', () => {
    const zeros = written({ contents: `<${CMS}0000>` }).bytes;
    expect(readContents(zeros, signatureIn(zeros)).isDer).toBe(true);
    const others = written({ contents: `<${CMS}0001>` }).bytes;
    expect(() => readContents(others, signatureIn(others))).toThrow('padding');
  });

  it.each([
    ['with lengths', CMS, true],
    ['without lengths', '30800000', false],
  ])('%s are told from others', (_, contents, isDer) => {
    const { bytes } = written({ contents: `<${contents}00>` });
    expect(readContents(bytes, signatureIn(bytes)).isDer).toBe(isDer);
  });

  it.each(['/Contents', '/ByteRange'])('are refused if the signature has %s twice, or not at all', (key) => {
    const twice = written({ more: key === '/Contents' ? `/Contents <${CMS}>` : '/ByteRange [0 0 0 0]' });
    const none = Buffer.from(written().bytes.toString('latin1').replace(key, '/Another'), 'latin1');
    for (const bytes of [twice.bytes, none])
      expect(() => readContents(bytes, signatureIn(bytes))).toThrow(SignatureFault);
  });

  it('are refused if the signature is in an object stream, whose offsets are not those of the file', () => {
    const { bytes } = written();
    expect(() => readContents(bytes, signatureIn(Buffer.from(bytes)))).toThrow('compressed');
  });
});
