import type { Size } from './pdf.ts';

/** 100 % is the width of the window. Larger steps scroll sideways inside the document's frame. */
export const ZOOMS = [1, 1.25, 1.5, 2, 3] as const;

/** A sheet no wider than the frame, and no taller than this many times the width (a till roll of a page). */
const TALLEST = 4;

export const fitScale = (size: Size, frameWidth: number) =>
  Math.min(frameWidth / size.width, (frameWidth * TALLEST) / size.height);

/** Up to this page the text for screen readers is laid out at once; after it only near the view. */
export const TEXT_AT_ONCE = 80;
