import { Unzlib } from 'fflate';
import { concat } from '../../shared/sealing/der.ts';
import { damaged, tooComplex } from '../../shared/sealing/pdf/refusal.ts';

/** Inflates to at most 8 MB: the best ratio of deflate is 1,032. */
const PIECE = 8 * 1024;

/** `Inflate` without Node. Works in pieces, so that a small file cannot fill the memory. */
export function inflate(data: Uint8Array, maxLength: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = new Unzlib((chunk) => {
    length += chunk.length;
    if (length > maxLength) throw tooComplex('a structure stream grows too much when decompressed');
    chunks.push(chunk);
  });
  for (let at = 0; at < data.length; at += PIECE) {
    try {
      stream.push(data.subarray(at, at + PIECE), at + PIECE >= data.length);
    } catch (error) {
      if (length > maxLength) throw error;
      throw damaged('a structure stream does not decompress');
    }
  }
  return concat(chunks);
}
