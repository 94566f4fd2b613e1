import { TAGS } from '../../shared/sealing/der.ts';
import { encode } from '../../shared/sealing/der-encode.ts';

export function encodeTime(time: Date): Buffer {
  const digits = time.toISOString().slice(0, 19).replace(/\D/g, '');
  const late = time.getUTCFullYear() >= 2050;
  const text = late ? `${digits}Z` : `${digits.slice(2)}Z`;
  return encode(late ? TAGS.generalizedTime : TAGS.utcTime, Buffer.from(text, 'latin1'));
}
