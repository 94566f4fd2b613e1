import { crc32, inflateSync } from 'node:zlib';
import { decode } from 'fast-png';
import { type Chunks, COLOURS, type Header, type Pixels, pixelsOf, rowLength } from './png-pixels.ts';

export type PngFault = 'not_a_png' | 'too_large' | 'interlaced' | 'damaged';

export class PngError extends Error {
  override name = 'PngError';
  readonly fault: PngFault;

  constructor(fault: PngFault, options?: ErrorOptions) {
    super(`The picture is refused: ${fault}`, options);
    this.fault = fault;
  }
}

/** Messages for the sender of a refused picture. */
export const pngFaults = (maxWidth: number, maxHeight: number): Record<PngFault, string> => ({
  not_a_png: 'is not a PNG',
  too_large: `must be at most ${maxWidth} by ${maxHeight} pixels`,
  interlaced: 'must not be interlaced',
  damaged: 'is damaged',
});

export const PNG_MAX_WIDTH = 2_000;
export const PNG_MAX_HEIGHT = 1_000;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_END = SIGNATURE.length + 25;
const CHUNK_OVERHEAD = 12;

/**
 * Reads a PNG that is not interlaced. Libraries unpack whatever a file declares, so this checks size and format first, inflates the
 * pixel data under that limit, and passes only header and data on: a colour profile could be another decompression bomb. Throws a
 * PngError.
 */
export const readPng = (bytes: Uint8Array): Pixels => opened(bytes).pixels;

/** The same picture without chunks that do not change its pixels, such as metadata. Throws a PngError. */
export function cleanPng(bytes: Uint8Array): Pick<Pixels, 'width' | 'height'> & { png: Buffer } {
  const { pixels, png } = opened(bytes);
  return { width: pixels.width, height: pixels.height, png };
}

function opened(bytes: Uint8Array): { pixels: Pixels; png: Buffer } {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = readHeader(png);
  try {
    const chunks = readChunks(png, header);
    const size = (rowLength(header) + 1) * header.height;
    if (inflateSync(chunks.IDAT, { maxOutputLength: size }).length !== size)
      throw new RangeError('too few pixels');
    const { data } = decode(rebuilt(png, { IDAT: chunks.IDAT }));
    return { pixels: pixelsOf(header, chunks, data), png: rebuilt(png, chunks) };
  } catch (cause) {
    throw new PngError('damaged', { cause });
  }
}

function readHeader(png: Buffer): Header {
  const isPng =
    png.length > HEADER_END &&
    png.subarray(0, SIGNATURE.length).equals(SIGNATURE) &&
    png.readUInt32BE(8) === 13 &&
    png.toString('latin1', 12, 16) === 'IHDR';
  if (!isPng) throw new PngError('not_a_png');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  if (width === 0 || height === 0 || width > PNG_MAX_WIDTH || height > PNG_MAX_HEIGHT)
    throw new PngError('too_large');
  const [bits, colourType, interlacing] = [png.readUInt8(24), png.readUInt8(25), png.readUInt8(28)];
  const colours = COLOURS.get(colourType);
  if (!colours?.depths.includes(bits)) throw new PngError('damaged');
  if (interlacing !== 0) throw new PngError('interlaced');
  return { width, height, bits, colours };
}

function readChunks(png: Buffer, { colours }: Header): Chunks {
  const parts: Record<keyof Chunks, Buffer[]> = { PLTE: [], tRNS: [], IDAT: [] };
  for (let at = HEADER_END; at + CHUNK_OVERHEAD <= png.length; ) {
    const end = at + CHUNK_OVERHEAD + png.readUInt32BE(at);
    if (end > png.length) throw new RangeError('a chunk reaches past the end');
    const type = png.toString('latin1', at + 4, at + 8);
    const kind = colours.chunks.find((each) => each === type);
    if (kind) parts[kind].push(png.subarray(at + 8, end - 4));
    at = end;
  }
  return {
    PLTE: Buffer.concat(parts.PLTE),
    tRNS: Buffer.concat(parts.tRNS),
    IDAT: Buffer.concat(parts.IDAT),
  };
}

/** A file with only header and these chunks. */
const rebuilt = (png: Buffer, chunks: Partial<Chunks>): Buffer =>
  Buffer.concat([
    SIGNATURE,
    chunk('IHDR', png.subarray(16, HEADER_END - 4)),
    ...Object.entries(chunks).flatMap(([type, data]) => (data.length > 0 ? chunk(type, data) : [])),
    chunk('IEND', Buffer.alloc(0)),
  ]);

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
