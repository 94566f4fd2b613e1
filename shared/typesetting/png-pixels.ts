export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** 3: RGB, 4: RGBA; 8 bits each. */
  readonly channels: 3 | 4;
  readonly data: Uint8Array;
}

/** A colour type of PNG. */
interface Colours {
  readonly samples: number;
  readonly depths: readonly number[];
  /** The chunks that say what the pixels look like, in their order. */
  readonly chunks: readonly (keyof Chunks)[];
}

export interface Header {
  readonly width: number;
  readonly height: number;
  /** Of each sample. */
  readonly bits: number;
  readonly colours: Colours;
}

/** The data of chunks; empty without one. */
export interface Chunks {
  readonly PLTE: Buffer;
  readonly tRNS: Buffer;
  readonly IDAT: Buffer;
}

const GREY: Colours = { samples: 1, depths: [1, 2, 4, 8, 16], chunks: ['tRNS', 'IDAT'] };
const RGB: Colours = { samples: 3, depths: [8, 16], chunks: ['tRNS', 'IDAT'] };
const PALETTE: Colours = { samples: 1, depths: [1, 2, 4, 8], chunks: ['PLTE', 'tRNS', 'IDAT'] };
const GREY_ALPHA: Colours = { samples: 2, depths: [8, 16], chunks: ['IDAT'] };
const RGBA: Colours = { samples: 4, depths: [8, 16], chunks: ['IDAT'] };

/** By their number in the header (ISO/IEC 15948, table 11.1). */
export const COLOURS: ReadonlyMap<number, Colours> = new Map([
  [0, GREY],
  [2, RGB],
  [3, PALETTE],
  [4, GREY_ALPHA],
  [6, RGBA],
]);

/** Bytes of a row of samples. */
export const rowLength = ({ width, bits, colours }: Header): number =>
  Math.ceil((width * bits * colours.samples) / 8);

/**
 * The pixels of unfiltered rows. `data` holds a byte or a 16-bit number for each sample, or bytes with several samples each. Throws
 * a RangeError if colours are missing.
 */
export function pixelsOf(header: Header, chunks: Chunks, data: ArrayLike<number>): Pixels {
  const { width, height, bits, colours } = header;
  const isRgb = colours === RGB && chunks.tRNS.length === 0;
  // As browsers draw signatures, which can be large.
  if (bits === 8 && (isRgb || colours === RGBA))
    return { width, height, channels: isRgb ? 3 : 4, data: new Uint8Array(data) };
  const toRgba = colours === PALETTE ? fromPalette(header, chunks) : fromSamples(header, chunks);
  const rgba = new Uint8Array(4 * width * height);
  const pixel = new Uint16Array(colours.samples);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      for (let index = 0; index < pixel.length; index += 1)
        pixel[index] = sampleAt(header, data, row, column * pixel.length + index);
      rgba.set(toRgba(pixel), 4 * (row * width + column));
    }
  }
  return { width, height, channels: 4, data: rgba };
}

function sampleAt(header: Header, data: ArrayLike<number>, row: number, index: number): number {
  const { width, bits, colours } = header;
  if (bits >= 8) return data[row * width * colours.samples + index] ?? 0;
  const [byte, bit] = [Math.floor((index * bits) / 8), (index * bits) % 8];
  return ((data[row * rowLength(header) + byte] ?? 0) >> (8 - bits - bit)) & (2 ** bits - 1);
}

type ToRgba = (pixel: Uint16Array) => readonly number[];

function fromPalette({ bits }: Header, { PLTE, tRNS }: Chunks): ToRgba {
  const count = PLTE.length / 3;
  if (!Number.isInteger(count) || count > 2 ** bits) throw new RangeError('the palette has a wrong length');
  const palette = Array.from({ length: count }, (_, index) => [
    ...PLTE.subarray(3 * index, 3 * index + 3),
    tRNS[index] ?? 255,
  ]);
  return ([index = 0]) => {
    const colour = palette[index];
    if (colour === undefined) throw new RangeError('the palette lacks a colour');
    return colour;
  };
}

function fromSamples({ bits, colours }: Header, { tRNS }: Chunks): ToRgba {
  const most = 2 ** bits - 1;
  const hasAlpha = colours === GREY_ALPHA || colours === RGBA;
  const transparent =
    tRNS.length === 0
      ? undefined
      : Array.from({ length: colours.samples }, (_, index) => tRNS.readUInt16BE(2 * index) & most);
  return (pixel) => {
    const isTransparent = transparent?.every((sample, index) => sample === pixel[index]);
    const [red = 0, green = red, blue = red] = hasAlpha ? pixel.subarray(0, -1) : pixel;
    const alpha = hasAlpha ? (pixel.at(-1) ?? 0) : isTransparent ? 0 : most;
    return [red, green, blue, alpha].map((sample) => Math.round((sample * 255) / most));
  };
}
