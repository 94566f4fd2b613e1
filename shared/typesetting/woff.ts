import { inflateSync } from 'node:zlib';

const SIGNATURE = 0x774f4646;

export const isWoff = (bytes: Uint8Array): boolean => viewOf(bytes).getUint32(0) === SIGNATURE;

/** Unpacks the tables of a WOFF 1.0 file, each deflated on its own. */
export function readWoffTables(bytes: Uint8Array): Map<string, DataView> {
  const view = viewOf(bytes);
  const tables = new Map<string, DataView>();
  for (let index = 0, at = 44; index < view.getUint16(12); index += 1, at += 20) {
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    const [start, length, unpacked] = [
      view.getUint32(at + 4),
      view.getUint32(at + 8),
      view.getUint32(at + 12),
    ];
    const packed = bytes.subarray(start, start + length);
    tables.set(name, viewOf(length < unpacked ? inflateSync(packed) : packed));
  }
  return tables;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
