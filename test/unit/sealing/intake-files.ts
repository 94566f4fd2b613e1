import { deflateSync } from 'node:zlib';
import { craft, ONE_PAGE, objectStream, relist } from './craft.ts';

/** Parts of the files that the tests of intake try. */

export const signature = (extra = ''): Record<string, string> => ({
  1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R] /SigFlags 3>>>>',
  5: '<</FT /Sig /T (A) /V 6 0 R /Subtype /Widget /Rect [0 0 0 0]>>',
  6: `<</Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached /ByteRange [0 1 2 3] /Contents <300B06092A864886F70D010702> ${extra}>>`,
});

export const DRAWS_4 = {
  ...ONE_PAGE,
  3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Resources <</ExtGState <</A 4 0 R>>>>>>',
};
export const PACKED = craft({
  objects: { ...DRAWS_4, 4: '<</ca 0>>', 5: '<</ca 1>>' },
  style: 'stream',
  packed: [4, 5],
});
/** Its object 4 is the first of those in an object stream. */
export const packing = (numbers: number[]): Buffer => {
  const objects = { 4: '<</ca 0>>', 5: '<</ca 1>>' };
  const holding = { ...DRAWS_4, 9: objectStream(numbers, objects) };
  return relist(craft({ objects: holding, style: 'stream' }), [[4, 9, 0]]);
};
/** Its page is 222 wide in an object stream with these entries, and 111 for whoever undoes a predictor first. */
export function withPage(entries: string, others: Record<string, string> = {}): Buffer {
  const page = (width: number): string => `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} 300]>>`;
  const data = deflateSync(`\x003 0 %${page(111)}\n${page(222)}`).toString('latin1');
  const stream = `<</Type /ObjStm /N 1 ${entries} /Length ${data.length}>>\nstream\n${data}\nendstream`;
  const { 3: _, ...objects } = ONE_PAGE;
  return relist(craft({ objects: { ...objects, ...others, 7: stream } }), [[3, 7, 0]]);
}

export const EMPTY = '<</Length 0>>\nstream\n\nendstream';
export const PAGE = '/Parent 2 0 R /MediaBox [0 0 200 300]';
export const withCatalog = (entries: string): string => `<</Type /Catalog /Pages 2 0 R ${entries}>>`;
export const SPACES = ' '.repeat(5 * 1024 * 1024);
