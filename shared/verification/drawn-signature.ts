import { encode } from 'fast-png';
import { ApiError } from '../contract/api-error.ts';
import { sha256Hex } from '../runtime/hash.ts';
import { PNG_MAX_HEIGHT, PNG_MAX_WIDTH, PngError, pngFaults, readPng } from '../typesetting/png.ts';
import type { Pixels } from '../typesetting/png-pixels.ts';

const FAULTS = pngFaults(PNG_MAX_WIDTH, PNG_MAX_HEIGHT);

const invalid = (problem: string) =>
  new ApiError('invalid_signature', `signature.png_base64 ${problem}.`, { field: '/signature/png_base64' });

function readDrawing(png: Uint8Array): Pixels {
  try {
    return readPng(png);
  } catch (error) {
    throw error instanceof PngError ? invalid(FAULTS[error.fault]) : error;
  }
}

/** True if any pixel is visible on white paper. */
function hasInk({ data, channels }: Pixels): boolean {
  for (let at = 0; at < data.length; at += channels) {
    const isOpaque = channels === 3 || (data[at + 3] ?? 0) > 32;
    if (isOpaque && Math.min(data[at] ?? 255, data[at + 1] ?? 255, data[at + 2] ?? 255) < 224) return true;
  }
  return false;
}

/** Re-encodes a drawn signature, so that only the pixels of the uploaded file are kept. */
export function redraw(base64: string): { png: Buffer; sha256: string } {
  const pixels = readDrawing(Buffer.from(base64, 'base64'));
  if (!hasInk(pixels)) throw invalid('is empty; draw a signature or type one');
  const png = Buffer.from(encode({ ...pixels, depth: 8 }));
  return { png, sha256: sha256Hex(png) };
}
