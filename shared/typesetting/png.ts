import { crc32, inflateSync } from 'node:zlib';
import { decode } from 'fast-png';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3: RGB, 4: RGBA; 8 bits each. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

export type PngFault = 'not_a_png' | 'too_large' | 'unsupported' | 'damaged';

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
  unsupported: 'must have 8 bits a channel, in colour, not interlaced',
  damaged: 'is damaged',
});

export const PNG_MAX_WIDTH = 2_000;
export const PNG_MAX_HEIGHT = 1_000;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_END = SIGNATURE.length + 25;
const CHUNK_OVERHEAD = 12;
/** The colour types that a canvas writes: RGB and RGBA. */
const CHANNELS: ReadonlyMap<number, 3 | 4> = new Map([
  [2, 3],
  [6, 4],
]);

/**
 * Reads a drawn signature. Libraries unpack whatever a file declares, so this checks size and format first, inflates the pixel
 * data under that limit, and passes only header and data on: a colour profile could be another decompression bomb. Throws a
 * PngError.
 */
export function readPng(bytes: Uint8Array): Pixels {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { width, height, channels } = readHeader(png);
  try {
    const packed = imageData(png);
    const size = (width * channels + 1) * height;
    if (inflateSync(packed, { maxOutputLength: size }).length !== size)
      throw new RangeError('too few pixels');
    const { data } = decode(rebuilt(png, packed));
    return { width, height, channels, data: new Uint8Array(data) };
  } catch (cause) {
    throw new PngError('damaged', { cause });
  }
}

function readHeader(png: Buffer): Omit<Pixels, 'data'> {
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
  const channels = CHANNELS.get(colourType);
  if (bits !== 8 || interlacing !== 0 || channels === undefined) throw new PngError('unsupported');
  return { width, height, channels };
}

function imageData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = HEADER_END; at + CHUNK_OVERHEAD <= png.length; ) {
    const end = at + CHUNK_OVERHEAD + png.readUInt32BE(at);
    if (end > png.length) throw new RangeError('a chunk reaches past the end');
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, end - 4));
    at = end;
  }
  return Buffer.concat(parts);
}

/** A file with only header and pixels. */
const rebuilt = (png: Buffer, packed: Buffer): Buffer =>
  Buffer.concat([
    SIGNATURE,
    chunk('IHDR', png.subarray(16, HEADER_END - 4)),
    chunk('IDAT', packed),
    chunk('IEND', Buffer.alloc(0)),
  ]);

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** The same picture without any other chunk, such as metadata. Throws a PngError as `readPng` does. */
export function cleanPng(bytes: Uint8Array): Pick<Pixels, 'width' | 'height'> & { png: Buffer } {
  const { width, height } = readPng(bytes);
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { width, height, png: rebuilt(png, imageData(png)) };
}
