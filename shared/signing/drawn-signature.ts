import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { decode, encode } from 'fast-png';
import { ApiError } from '../http/api-error.ts';

const MAX_WIDTH = 2_000;
const MAX_HEIGHT = 1_000;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** 8-bit RGB and RGBA: what a canvas gives. */
const CHANNELS = new Map([
  [2, 3],
  [6, 4],
]);

const refused = (why: string) => new ApiError('invalid_signature', `signature.png_base64 ${why}.`);

/** Holds the picture to its own measures before anything is unpacked: a small file can claim to be a very large picture. */
function assertBounded(png: Buffer): void {
  if (!png.subarray(0, 8).equals(SIGNATURE) || png.toString('latin1', 12, 16) !== 'IHDR' || png.length < 33)
    throw refused('is not a PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = CHANNELS.get(png[25] ?? -1);
  if (width === 0 || height === 0 || width > MAX_WIDTH || height > MAX_HEIGHT)
    throw refused(`must be at most ${MAX_WIDTH} by ${MAX_HEIGHT} pixels`);
  if (png[24] !== 8 || channels === undefined || png[28] !== 0)
    throw refused('must have 8 bits a channel, in colour, not interlaced');
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= png.length; at += 12 + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  try {
    inflateSync(Buffer.concat(data), { maxOutputLength: (width * channels + 1) * height });
  } catch {
    throw refused('is damaged');
  }
}

/** A pixel that shows on white paper. */
const isInk = (data: ArrayLike<number>, at: number, channels: number) =>
  (channels === 3 || (data[at + 3] ?? 0) > 32) &&
  Math.min(data[at] ?? 255, data[at + 1] ?? 255, data[at + 2] ?? 255) < 224;

function hasInk(data: ArrayLike<number>, channels: number): boolean {
  for (let at = 0; at < data.length; at += channels) if (isInk(data, at, channels)) return true;
  return false;
}

/** A drawn signature, unpacked and packed again by us: nothing of the file that was sent is kept but its pixels. */
export function redraw(base64: string): { png: Buffer; sha256: string } {
  const sent = Buffer.from(base64, 'base64');
  assertBounded(sent);
  let image: ReturnType<typeof decode>;
  try {
    image = decode(sent);
  } catch {
    throw refused('is damaged');
  }
  const { width, height, data, channels } = image;
  if (!hasInk(data, channels)) throw refused('is empty; draw a signature or type one');
  const png = Buffer.from(encode({ width, height, data, channels, depth: 8 }));
  return { png, sha256: createHash('sha256').update(png).digest('hex') };
}
