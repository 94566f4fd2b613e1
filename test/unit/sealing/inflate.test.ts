import { deflateSync } from 'node:zlib';
import { inflate } from '../../../shared/sealing/inflate.ts';

const LONG = Buffer.alloc(1_000, 'long ');

describe('compressed data', () => {
  it('compressed data is read up to the size limit', () => {
    expect(Buffer.from(inflate(deflateSync(LONG), LONG.length)).equals(LONG)).toBe(true);
  });

  it.each([
    ['grows beyond that', 'pdf_too_complex', deflateSync(LONG)],
    ['is something else', 'pdf_damaged', Buffer.from('something else')],
    ['is cut', 'pdf_damaged', deflateSync(LONG).subarray(0, 10)],
  ])('compressed data is refused if it %s', (_, code, data) => {
    expect(() => inflate(data, LONG.length - 1)).toThrow(expect.objectContaining({ code }));
  });

  it('a program error while decompressing is not reported as a refusal', () => {
    expect(() => inflate(deflateSync(LONG), -1)).toThrow(RangeError);
  });
});
