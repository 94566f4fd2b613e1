import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { readPng } from '../../../shared/typesetting/png.ts';
import { drawnSignature } from '../../support/signature-input.ts';

describe('the reader of drawn signatures', () => {
  it.each([3, 4] as const)('reads back the pixels of a picture with %i channels', (channels) => {
    const [width, height] = [40, 30];
    const data = Uint8Array.from(
      { length: width * height * channels },
      (_, index) => (index * 37 + (index >> 5)) % 256,
    );
    if (channels === 4) for (let at = 3; at < data.length; at += 4) data[at] = 255;
    const pixels = readPng(new Uint8Array(encode({ width, height, data, channels, depth: 8 })));
    expect(pixels).toMatchObject({ width, height });
    expect([...(pixels?.colour ?? [])]).toEqual(
      [...data].filter((_, index) => channels === 3 || index % 4 !== 3),
    );
    expect(new Set(pixels?.alpha)).toEqual(new Set([255]));
  });

  it.each([0, 1, 2, 3, 4])('undoes filter %i as the specification writes it', (filter) => {
    const [width, height] = [5, 4];
    const wanted = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * index * 7) % 256);
    const png = withRows(drawnSignature(width, height), filterRows(wanted, width * 3, filter));
    expect([...(readPng(png)?.colour ?? [])]).toEqual([...wanted]);
  });

  it('shrinks a large picture by a whole factor and keeps its ink', () => {
    const pixels = readPng(drawnSignature(2000, 1000));
    expect(pixels).toMatchObject({ width: 500, height: 250 });
    expect(pixels?.alpha.reduce((most, each) => Math.max(most, each), 0)).toBe(64);
  });

  it('ends on a picture that is cut anywhere', () => {
    const whole = drawnSignature(60, 20);
    for (let length = 0; length < whole.length - 16; length++)
      expect(readPng(whole.subarray(0, length))).toBeNull();
  });

  it.each([
    ['wider than a signature', (png: DataView) => png.setUint32(16, 2001)],
    ['taller than a signature', (png: DataView) => png.setUint32(20, 1001)],
    ['without width', (png: DataView) => png.setUint32(16, 0)],
    ['of other measures than its data', (png: DataView) => png.setUint32(20, 19)],
    ['with 16 bits a channel', (png: DataView) => png.setUint8(24, 16)],
    ['with a palette', (png: DataView) => png.setUint8(25, 3)],
    ['interlaced', (png: DataView) => png.setUint8(28, 1)],
    ['with a chunk of absurd length', (png: DataView) => png.setUint32(33, 0xffffffff)],
  ])('refuses a picture %s', (_, spoil) => {
    const png = drawnSignature(60, 20);
    spoil(new DataView(png.buffer, png.byteOffset));
    expect(readPng(png)).toBeNull();
  });

  it('refuses data that unpack to more than the picture', () => {
    expect(readPng(withRows(drawnSignature(60, 20), new Uint8Array(50_000_000)))).toBeNull();
  });
});

/** The picture as RGB, with these filtered rows as its data. */
function withRows(png: Uint8Array, rows: Uint8Array): Uint8Array {
  const head = Buffer.from(png.subarray(0, 33));
  head.writeUInt8(2, 25);
  const body = Buffer.concat([Buffer.from('IDAT'), deflateSync(rows)]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length - 4, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return new Uint8Array(Buffer.concat([head, ends.subarray(0, 4), body, ends.subarray(4)]));
}

/** Filters RGB rows, each byte by its neighbours to the left, above and at the corner. */
function filterRows(raw: Uint8Array, stride: number, filter: number): Uint8Array {
  const height = raw.length / stride;
  const out = new Uint8Array((stride + 1) * height);
  const at = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (raw[y * stride + x] ?? 0));
  for (let y = 0; y < height; y++) {
    out[y * (stride + 1)] = filter;
    for (let x = 0; x < stride; x++) {
      const [a, b, c] = [at(x - 3, y), at(x, y - 1), at(x - 3, y - 1)];
      const p = a + b - c;
      const order = [a, b, c].sort((one, other) => Math.abs(p - one) - Math.abs(p - other));
      const guess = [0, a, b, Math.floor((a + b) / 2), order[0] ?? 0][filter] ?? 0;
      out[y * (stride + 1) + 1 + x] = at(x, y) - guess;
    }
  }
  return out;
}
