import { inflateSync } from 'node:zlib';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly colour: Uint8Array;
  /** One byte a pixel; 255 is opaque. */
  readonly alpha: Uint8Array;
}

const MAX_WIDTH = 2_000;
const MAX_HEIGHT = 1_000;
/** Channels by colour type: RGB and RGBA with 8 bits, the kinds that drawn signatures are stored as. */
const CHANNELS = new Map([
  [2, 3],
  [6, 4],
]);

/**
 * The pixels of a drawn signature, or null where the bytes are no such PNG. pdf-lib's own reader never ends on a
 * PNG that is cut short and unpacks one of any size; this one holds the picture to its measures first.
 */
export function readPng(png: Uint8Array): Pixels | null {
  try {
    return readChunks(Buffer.from(png.buffer, png.byteOffset, png.byteLength));
  } catch {
    return null;
  }
}

function readChunks(png: Buffer): Pixels | null {
  if (png.toString('latin1', 1, 4) !== 'PNG' || png.toString('latin1', 12, 16) !== 'IHDR') return null;
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = CHANNELS.get(png.readUInt8(25));
  const isPlain = png.readUInt8(24) === 8 && png.readUInt8(28) === 0;
  if (channels === undefined || !isPlain) return null;
  if (width === 0 || height === 0 || width > MAX_WIDTH || height > MAX_HEIGHT) return null;

  const size = (width * channels + 1) * height;
  const rows = inflateSync(imageData(png), { maxOutputLength: size });
  if (rows.length !== size) return null;
  return split(unfilter(rows, width * channels, height, channels), width, height, channels);
}

function imageData(png: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 12 + png.readUInt32BE(at);
    if (end > png.length) throw new RangeError('a chunk reaches over the end');
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, end - 4));
    at = end;
  }
  return Buffer.concat(parts);
}

/** Undoes the prediction of each row (PNG specification, section 9). */
function unfilter(rows: Uint8Array, stride: number, height: number, channels: number): Uint8Array {
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1) + 1;
    const to = y * stride;
    const filter = rows[from - 1] ?? 0;
    for (let x = 0; x < stride; x++) {
      const left = x >= channels ? (out[to + x - channels] ?? 0) : 0;
      const above = y > 0 ? (out[to + x - stride] ?? 0) : 0;
      const corner = x >= channels && y > 0 ? (out[to + x - stride - channels] ?? 0) : 0;
      out[to + x] = (rows[from + x] ?? 0) + predicted(filter, left, above, corner);
    }
  }
  return out;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter === 4) return nearest(left, above, corner);
  throw new RangeError('no such filter');
}

function nearest(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const toLeft = Math.abs(guess - left);
  const toAbove = Math.abs(guess - above);
  const toCorner = Math.abs(guess - corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

/** On paper 900 by 300 dots are plenty for a signature: a larger picture is shrunk by a whole factor. */
function split(data: Uint8Array, fullWidth: number, fullHeight: number, channels: number): Pixels {
  const factor = Math.max(1, Math.ceil(fullWidth / 900), Math.ceil(fullHeight / 300));
  const width = Math.max(1, Math.floor(fullWidth / factor));
  const height = Math.max(1, Math.floor(fullHeight / factor));
  const colour = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const sums: Sums = [0, 0, 0, 0];
      for (let dy = 0; dy < factor && y * factor + dy < fullHeight; dy++) {
        for (let dx = 0; dx < factor && x * factor + dx < fullWidth; dx++) {
          addPixel(sums, data, ((y * factor + dy) * fullWidth + x * factor + dx) * channels, channels);
        }
      }
      const at = y * width + x;
      const [red, green, blue, opacity] = sums;
      const weight = Math.max(1, opacity);
      colour.set([red / weight, green / weight, blue / weight], at * 3);
      alpha[at] = Math.round(opacity / factor ** 2);
    }
  }
  return { width, height, colour, alpha };
}

type Sums = [number, number, number, number];

function addPixel(sums: Sums, data: Uint8Array, at: number, channels: number): void {
  const opacity = channels === 4 ? (data[at + 3] ?? 0) : 255;
  sums[0] += (data[at] ?? 0) * opacity;
  sums[1] += (data[at + 1] ?? 0) * opacity;
  sums[2] += (data[at + 2] ?? 0) * opacity;
  sums[3] += opacity;
}
