import type { Size } from '../../parts/pdf.ts';

/** 1 fits the width of the frame; larger zooms scroll sideways inside it. */
export const ZOOMS = [1, 1.25, 1.5, 2, 3] as const;

/** Limits the height of very long pages, such as a scanned receipt, to this many frame widths. */
const MAX_ASPECT_RATIO = 4;

export const fitScale = (size: Size, frameWidth: number) =>
  Math.min(frameWidth / size.width, (frameWidth * MAX_ASPECT_RATIO) / size.height);

/** The text layer for screen readers is rendered ahead up to this page, and near the viewport after it. */
export const EAGER_TEXT_PAGES = 80;
