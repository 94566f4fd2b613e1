import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DecodedPng, decode } from 'fast-png';

/** The dark pixels of a picture, cropped to them. */
export interface Ink {
  readonly width: number;
  readonly height: number;
  has(x: number, y: number): boolean;
}

const DARK = 140;

export type Picture = DecodedPng;

export const pictureOf = (png: Uint8Array): Picture => decode(png);

/** Edges in pixels from the top left. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export function inkOf({ width, height, data, channels }: Picture, area?: Area): Ink {
  const isDark = (x: number, y: number) => (data[(y * width + x) * channels] ?? 255) < DARK;
  const from = area ?? { left: 0, top: 0, right: width, bottom: height };
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = Math.floor(from.top); y < from.bottom; y += 1) {
    for (let x = Math.floor(from.left); x < from.right; x += 1) {
      if (!isDark(x, y)) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  }
  return {
    width: right - left + 1,
    height: bottom - top + 1,
    has: (x, y) => x >= 0 && y >= 0 && x <= right - left && y <= bottom - top && isDark(left + x, top + y),
  };
}

/** The share of each picture's ink that the other has too, within a pixel; the smaller one. */
export const overlap = (a: Ink, b: Ink): number => Math.min(covered(a, b), covered(b, a));

function covered(a: Ink, b: Ink): number {
  let [all, shared] = [0, 0];
  for (let y = 0; y < a.height; y += 1) {
    for (let x = 0; x < a.width; x += 1) {
      if (!a.has(x, y)) continue;
      all += 1;
      if (near(b, x, y)) shared += 1;
    }
  }
  return shared / all;
}

function near(ink: Ink, x: number, y: number): boolean {
  for (let dy = -1; dy <= 1; dy += 1)
    for (let dx = -1; dx <= 1; dx += 1) if (ink.has(x + dx, y + dy)) return true;
  return false;
}

/** Renders a page with poppler. */
export function pngOf(pdf: Uint8Array, dotsPerInch: number, page = 1): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'ink-'));
  try {
    writeFileSync(join(folder, 'in.pdf'), pdf);
    const options = ['-r', String(dotsPerInch), '-png', '-gray', '-singlefile', '-f', String(page)];
    execFileSync('pdftoppm', [...options, join(folder, 'in.pdf'), join(folder, 'out')]);
    return readFileSync(join(folder, 'out.png'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
