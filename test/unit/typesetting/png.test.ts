import { deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import { cleanPng, PngError, readPng } from '../../../shared/typesetting/png.ts';
import { shrink } from '../../../shared/typesetting/shrink.ts';
import { drawnSignature, pngChunk } from '../../support/signature-input.ts';

const faultOf = (png: Uint8Array): string => {
  try {
    readPng(png);
    return 'none';
  } catch (error) {
    return error instanceof PngError ? error.fault : String(error);
  }
};

const PLTE = [10, 20, 30, 200, 100, 50];
const OPAQUE = [10, 20, 30, 255, 200, 100, 50, 255];
const CLEAR = [10, 20, 30, 0, 200, 100, 50, 255];
const THICK = [10, 9, 20, 20, 30, 30];

/** Bits and colour type, a row of two pixels, other chunks, and what the row means: all kinds of ISO/IEC 15948, table 11.1. */
const KINDS: [string, [number, number], number[], Record<string, number[]>, number[]][] = [
  ['8-bit RGB', [8, 2], PLTE, {}, PLTE],
  ['8-bit RGB beside a palette to choose from', [8, 2], PLTE, { PLTE: [1, 2, 3] }, PLTE],
  ['8-bit RGB with a transparent colour', [8, 2], PLTE, { tRNS: [0, 10, 0, 20, 0, 30] }, CLEAR],
  ['8-bit RGB without its transparent colour', [8, 2], PLTE, { tRNS: [0, 10, 0, 20, 0, 31] }, OPAQUE],
  ['16-bit RGB', [16, 2], PLTE.flatMap((byte) => [byte, byte]), {}, OPAQUE],
  [
    '16-bit RGB with a colour that is transparent by its last bits',
    [16, 2],
    [...THICK, 10, 10, 20, 20, 30, 30],
    { tRNS: THICK },
    [10, 20, 30, 0, 10, 20, 30, 255],
  ],
  ['8-bit RGBA', [8, 6], CLEAR, {}, CLEAR],
  ['16-bit RGBA', [16, 6], CLEAR.flatMap((byte) => [byte, byte]), {}, CLEAR],
  ['1-bit grey', [1, 0], [0b01_000000], {}, [0, 0, 0, 255, 255, 255, 255, 255]],
  ['2-bit grey', [2, 0], [0b01_10_0000], {}, [85, 85, 85, 255, 170, 170, 170, 255]],
  ['4-bit grey', [4, 0], [0x1f], {}, [17, 17, 17, 255, 255, 255, 255, 255]],
  [
    '4-bit grey with a transparent one',
    [4, 0],
    [0x1f],
    { tRNS: [0, 15] },
    [17, 17, 17, 255, 255, 255, 255, 0],
  ],
  ['8-bit grey', [8, 0], [9, 200], {}, [9, 9, 9, 255, 200, 200, 200, 255]],
  ['16-bit grey', [16, 0], [9, 9, 200, 200], {}, [9, 9, 9, 255, 200, 200, 200, 255]],
  ['8-bit grey with alpha', [8, 4], [9, 0, 200, 7], {}, [9, 9, 9, 0, 200, 200, 200, 7]],
  ['16-bit grey with alpha', [16, 4], [9, 9, 0, 0, 200, 200, 7, 7], {}, [9, 9, 9, 0, 200, 200, 200, 7]],
  ['a palette of 1 bit', [1, 3], [0b01_000000], { PLTE }, OPAQUE],
  ['a palette of 2 bits', [2, 3], [0b00_01_0000], { PLTE }, OPAQUE],
  ['a palette of 4 bits', [4, 3], [0x01], { PLTE }, OPAQUE],
  ['a palette of 8 bits', [8, 3], [0, 1], { PLTE }, OPAQUE],
  ['a palette with a transparent colour', [8, 3], [0, 1], { PLTE, tRNS: [0] }, CLEAR],
];

/** The row twice. */
function pngOf(
  [bits, colourType]: [number, number],
  row: number[],
  chunks: Record<string, number[]>,
): Buffer {
  return Buffer.concat([
    drawnSignature().subarray(0, 8),
    pngChunk('IHDR', Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, bits, colourType, 0, 0, 0])),
    ...Object.entries(chunks).map(([type, data]) => pngChunk(type, Buffer.from(data))),
    pngChunk('IDAT', deflateSync(Buffer.from([0, ...row, 0, ...row]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('the PNG reader', () => {
  it.each([3, 4] as const)('reads back the pixels of a picture with %i channels', (channels) => {
    const [width, height] = [40, 30];
    const data = Uint8Array.from(
      { length: width * height * channels },
      (_, index) => (index * 37 + (index >> 5)) % 256,
    );
    const pixels = readPng(new Uint8Array(encode({ width, height, data, channels, depth: 8 })));
    expect(pixels).toEqual({ width, height, channels, data });
  });

  it.each([0, 1, 2, 3, 4])('undoes filter %i as the specification defines it', (filter) => {
    const [width, height] = [5, 4];
    const wanted = Uint8Array.from({ length: width * height * 3 }, (_, index) => (index * index * 7) % 256);
    const png = withRows(drawnSignature(width, height), filterRows(wanted, width * 3, filter));
    expect([...readPng(png).data]).toEqual([...wanted]);
  });

  it.each(KINDS)('reads %s, and keeps its colours in a clean copy', (_, kind, row, chunks, pixels) => {
    const png = pngOf(kind, row, chunks);
    expect([...readPng(png).data]).toEqual([...pixels, ...pixels]);
    expect([...readPng(cleanPng(png).png).data]).toEqual([...pixels, ...pixels]);
  });

  it.each<[string, number[], Record<string, number[]>]>([
    ['lacks the colour of a pixel', [0, 2], { PLTE }],
    ['has a part of a colour', [0, 1], { PLTE: [...PLTE, 1] }],
    ['has more colours than its bits can name', [0, 1], { PLTE: Array(257 * 3).fill(1) }],
  ])('refuses a palette that %s', (_, row, chunks) => {
    expect(faultOf(pngOf([8, 3], row, chunks))).toBe('damaged');
  });

  it('refuses a picture that is cut short anywhere', () => {
    const whole = drawnSignature(60, 20);
    for (let length = 0; length < whole.length - 16; length++)
      expect(faultOf(whole.subarray(0, length))).toMatch(/not_a_png|damaged/);
  });

  it.each([
    ['not_a_png', 'without the signature of a PNG', (png: DataView) => png.setUint8(0, 0)],
    ['too_large', 'wider than a signature', (png: DataView) => png.setUint32(16, 2001)],
    ['too_large', 'taller than a signature', (png: DataView) => png.setUint32(20, 1001)],
    ['too_large', 'without width', (png: DataView) => png.setUint32(16, 0)],
    ['damaged', 'with more rows than it says', (png: DataView) => png.setUint32(20, 19)],
    ['damaged', 'with fewer rows than it says', (png: DataView) => png.setUint32(20, 21)],
    ['damaged', 'with fewer bits than it says', (png: DataView) => png.setUint8(24, 16)],
    ['damaged', 'with a number of bits that its colours cannot have', (png: DataView) => png.setUint8(24, 4)],
    ['damaged', 'with colours of no kind', (png: DataView) => png.setUint8(25, 7)],
    ['damaged', 'with the colours of a palette that it lacks', (png: DataView) => png.setUint8(25, 3)],
    ['interlaced', 'interlaced', (png: DataView) => png.setUint8(28, 1)],
    ['damaged', 'with a chunk of absurd length', (png: DataView) => png.setUint32(33, 0xffffffff)],
  ])('the PNG reader reports %s for a picture %s', (fault, _, spoil) => {
    const png = drawnSignature(60, 20);
    spoil(new DataView(png.buffer, png.byteOffset));
    expect(faultOf(png)).toBe(fault);
  });

  it('refuses data that unpacks to more than the picture', () => {
    expect(faultOf(withRows(drawnSignature(60, 20), new Uint8Array(50_000_000)))).toBe('damaged');
  });

  it('does not unpack a colour profile', () => {
    const profile = Buffer.concat([
      Buffer.from('p\0\0'),
      deflateSync(Buffer.alloc(200_000_000), { level: 1 }),
    ]);
    const png = Buffer.from(drawnSignature(60, 20));
    const withProfile = Buffer.concat([png.subarray(0, 33), pngChunk('iCCP', profile), png.subarray(33)]);
    const before = process.memoryUsage().rss;
    expect(readPng(withProfile)).toMatchObject({ width: 60, height: 20 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });
});

describe('shrinking', () => {
  it('reduces a large picture by a whole factor and keeps its ink', () => {
    const planes = shrink(readPng(drawnSignature(2000, 1000)));
    expect(planes).toMatchObject({ width: 500, height: 250 });
    expect(planes.alpha.reduce((most, each) => Math.max(most, each), 0)).toBe(64);
  });

  it('leaves a small picture as it is, opaque where it has no alpha channel', () => {
    const data = Uint8Array.from({ length: 30 * 20 * 3 }, (_, index) => index % 256);
    const planes = shrink({ width: 30, height: 20, channels: 3, data });
    expect(planes).toMatchObject({ width: 30, height: 20, colour: data });
    expect(new Set(planes.alpha)).toEqual(new Set([255]));
  });
});

/** The picture as RGB, with these filtered rows as its data. */
function withRows(png: Uint8Array, rows: Uint8Array): Uint8Array {
  const head = Buffer.from(png.subarray(0, 33));
  head.writeUInt8(2, 25);
  const end = pngChunk('IEND', Buffer.alloc(0));
  return new Uint8Array(Buffer.concat([head, pngChunk('IDAT', deflateSync(rows, { level: 1 })), end]));
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
