import { inflateSync } from 'node:zlib';
import { damaged, tooComplex } from './pdf/refusal.ts';

/** Node's zlib as the reader's `Inflate`. */
export function inflate(data: Uint8Array, maxLength: number): Uint8Array {
  try {
    return inflateSync(data, { maxOutputLength: maxLength });
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
    if (code === 'ERR_BUFFER_TOO_LARGE')
      throw tooComplex('a structure stream grows too much when decompressed');
    if (code.startsWith('Z_')) throw damaged('a structure stream does not decompress');
    throw error;
  }
}
