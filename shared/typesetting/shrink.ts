import type { Pixels } from './png-pixels.ts';

/** Colour and opacity apart, as PDF stores a picture. */
export interface Planes {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly colour: Uint8Array;
  /** One byte a pixel; 255 is opaque. */
  readonly alpha: Uint8Array;
}

/** Plenty for a signature on paper. */
const ENOUGH_WIDTH = 900;
const ENOUGH_HEIGHT = 300;

/** Shrinks a larger picture by a whole factor: each new pixel is the mean of a square, weighted by opacity. */
export function shrink({ width: fullWidth, height: fullHeight, channels, data }: Pixels): Planes {
  const factor = Math.max(1, Math.ceil(fullWidth / ENOUGH_WIDTH), Math.ceil(fullHeight / ENOUGH_HEIGHT));
  const width = Math.max(1, Math.floor(fullWidth / factor));
  const height = Math.max(1, Math.floor(fullHeight / factor));
  const colour = new Uint8Array(width * height * 3);
  const alpha = new Uint8Array(width * height);
  const sums: Sums = [0, 0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let dy = 0; dy < factor && y * factor + dy < fullHeight; dy++) {
        for (let dx = 0; dx < factor && x * factor + dx < fullWidth; dx++) {
          addPixel(sums, data, ((y * factor + dy) * fullWidth + x * factor + dx) * channels, channels);
        }
      }
      // Most of a drawing is empty.
      if (sums[3] === 0) continue;
      const [red, green, blue, opacity] = sums;
      sums.fill(0);
      const at = y * width + x;
      colour.set([red / opacity, green / opacity, blue / opacity], at * 3);
      alpha[at] = Math.round(opacity / factor ** 2);
    }
  }
  return { width, height, colour, alpha };
}

type Sums = [number, number, number, number];

function addPixel(sums: Sums, data: Uint8Array, at: number, channels: number): void {
  const opacity = channels === 4 ? (data[at + 3] ?? 0) : 255;
  if (opacity === 0) return;
  sums[0] += (data[at] ?? 0) * opacity;
  sums[1] += (data[at + 1] ?? 0) * opacity;
  sums[2] += (data[at + 2] ?? 0) * opacity;
  sums[3] += opacity;
}
