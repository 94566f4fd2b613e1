import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PNG_MAX_HEIGHT, PNG_MAX_WIDTH, PngError, readPng } from '../../shared/typesetting/png.ts';
import { shrink } from '../../shared/typesetting/shrink.ts';
import { always } from '../support/property.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MEGABYTE = 1024 * 1024;
/** The largest picture has 8 MB of pixels; it is held unpacked, decoded and copied. */
const MOST_BYTES = 64 * MEGABYTE;
const MOST_CPU_MICROSECONDS = 1_000_000;

/** Inflates to a thousand times its size. */
const BOMB = deflateSync(Buffer.alloc(64 * MEGABYTE));
const EMPTY_ROWS = deflateSync(Buffer.alloc(41 * 10));

const size = fc.oneof(
  fc.constantFrom(0, 1, 10, 900, 1_000, 1_001, 2_000, 2_001, 65_535, 0x7fffffff, 0xffffffff),
  fc.integer({ min: 1, max: 60 }),
);

const header = fc
  .record({
    width: size,
    height: size,
    bits: fc.constantFrom(8, 8, 8, 1, 2, 4, 16, 0, 255),
    colour: fc.constantFrom(6, 6, 6, 2, 2, 0, 3, 4, 7),
    compression: fc.constantFrom(0, 0, 0, 1),
    filter: fc.constantFrom(0, 0, 0, 1),
    interlacing: fc.constantFrom(0, 0, 0, 1),
  })
  .map(({ width, height, ...bytes }) => {
    const data = Buffer.alloc(13);
    data.writeUInt32BE(width, 0);
    data.writeUInt32BE(height, 4);
    data.set(Object.values(bytes), 8);
    return data;
  });

const packed = fc.oneof(
  fc.constantFrom(BOMB, EMPTY_ROWS, Buffer.alloc(0)),
  fc.uint8Array({ maxLength: 2_000 }).map((rows) => deflateSync(rows)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.tuple(fc.nat(2_000), fc.nat(255)).map(([length, byte]) => deflateSync(Buffer.alloc(length, byte))),
);

/** The chunks that a decoder may unpack, those that it must have, and any other. */
const chunks = fc.array(
  fc.record({
    type: fc.oneof(
      fc.constantFrom(
        'IDAT',
        'IDAT',
        'iCCP',
        'zTXt',
        'iTXt',
        'PLTE',
        'tRNS',
        'IEND',
        'IHDR',
        'acTL',
        'fdAT',
        'eXIf',
      ),
      fc.string({ unit: 'binary-ascii', minLength: 4, maxLength: 4 }),
    ),
    data: fc.oneof(
      packed,
      packed.map((data) => Buffer.concat([Buffer.from('name\0\0'), data])),
      header,
    ),
    claims: fc.option(fc.constantFrom(0, 1, 100_000, 0x7fffffff, 0xffffffff), { freq: 12 }),
    isWhole: fc.boolean(),
  }),
  { maxLength: 8 },
);

function chunk(type: string, data: Uint8Array, claims: number | null, isWhole: boolean): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(claims ?? data.length, 0);
  ends.writeUInt32BE(isWhole ? crc32(body) : 0xdeadbeef, 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** Bits, colour type and samples of a pixel. */
const KINDS = [
  ...[1, 2, 4, 8, 16].map((bits) => [bits, 0, 1] as const),
  ...[1, 2, 4, 8].map((bits) => [bits, 3, 1] as const),
  ...[8, 16].flatMap((bits) => [[bits, 2, 3] as const, [bits, 4, 2] as const, [bits, 6, 4] as const]),
];

/** A header, a palette if it needs one, and rows of just its size, in two chunks. */
const picture = fc
  .record({
    width: fc.integer({ min: 1, max: 60 }),
    height: fc.integer({ min: 1, max: 60 }),
    kind: fc.constantFrom(...KINDS),
    byte: fc.nat(255),
  })
  .map(({ width, height, kind: [bits, colour, samples], byte }) => {
    const first = Buffer.alloc(13);
    first.writeUInt32BE(width, 0);
    first.writeUInt32BE(height, 4);
    first.set([bits, colour], 8);
    const row = 1 + Math.ceil((width * samples * bits) / 8);
    const rows = Buffer.alloc(row * height, byte);
    for (let at = 0; at < rows.length; at += row) rows[at] = byte % 5;
    const data = deflateSync(rows);
    const half = byte % data.length;
    const parts = [data.subarray(0, half), data.subarray(half)].map(
      (part) => ['IDAT', part] satisfies [string, Uint8Array],
    );
    const palette: [string, Uint8Array][] = colour === 3 ? [['PLTE', Buffer.alloc(3 * 2 ** bits, byte)]] : [];
    return {
      first,
      rows: [...palette, ...parts].map(([type, part]) => chunk(type, part, null, byte % 2 === 0)),
    };
  });

const anything = header.map((first) => ({ first, rows: [] }));

const png = fc
  .tuple(fc.oneof(picture, anything), chunks, fc.boolean())
  .map(([{ first, rows }, others, ends]) =>
    Buffer.concat([
      SIGNATURE,
      chunk('IHDR', first, null, true),
      ...rows,
      ...others.map(({ type, data, claims, isWhole }) => chunk(type, data, claims, isWhole)),
      ...(ends ? [chunk('IEND', Buffer.alloc(0), null, true)] : []),
    ]),
  );

/** The expected decoded picture, or the refusal. */
function read(bytes: Uint8Array): string {
  const before = process.memoryUsage();
  const started = process.threadCpuUsage();
  try {
    const pixels = readPng(bytes);
    const { width, height, channels, data } = pixels;
    if (width > PNG_MAX_WIDTH || height > PNG_MAX_HEIGHT) return 'too large';
    if (data.length !== width * height * channels) return 'not as large as it says';
    const planes = shrink(pixels);
    if (planes.width > 900 || planes.height > 300) return 'not shrunk';
    return 'decoded';
  } catch (error) {
    return error instanceof PngError ? 'refused' : `thrown: ${error}`;
  } finally {
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    expect(arrayBuffers - before.arrayBuffers).toBeLessThan(MOST_BYTES);
    expect(heapUsed - before.heapUsed).toBeLessThan(MOST_BYTES);
    expect(process.threadCpuUsage(started).user).toBeLessThan(MOST_CPU_MICROSECONDS);
  }
}

describe('a PNG', () => {
  it('of any chunks is refused, or decoded within bounds of memory and time', async () => {
    const answers = new Map<string, number>();
    await always(
      fc.property(png, (bytes) => {
        const answer = read(bytes);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
        expect(answer).toMatch(/^(decoded|refused)$/);
      }),
    );
    // Neither outcome is the only one that was tried.
    expect([...answers.keys()].toSorted()).toEqual(['decoded', 'refused']);
  });

  it('of any bytes is refused', async () => {
    await always(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, isSigned) => {
        expect(read(isSigned ? Buffer.concat([SIGNATURE, bytes]) : bytes)).toBe('refused');
      }),
    );
  });
});
