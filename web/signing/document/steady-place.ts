import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Size } from '../../parts/pdf.ts';
import { useListener } from '../../parts/use-listener.ts';

interface Layout {
  /** The frame's, for which the pages are sized; rounded. */
  width: number;
  zoom: number;
  sizes: readonly Size[] | undefined;
}

/** A line of the document: its distance from the start of a page, as a part of the page's height. */
interface Place {
  readonly page: number;
  readonly part: number;
}

/**
 * Keeps the line at the top of the screen there when the pages change their size. Browsers keep the distance from the
 * start of the document instead, and Chrome scrolls a rotated phone to the bar above the pages.
 */
export function useSteadyPlace(
  frame: RefObject<HTMLElement | null>,
  current: number,
  { width, zoom, sizes }: Layout,
) {
  const place = useRef<Place | null>(null);
  const sheetOf = (page: number) => frame.current?.querySelector(`[data-page="${page}"]`);
  const note = () => {
    // The browser scrolls a rotated page before the sheets have their new size.
    if (Math.abs((frame.current?.clientWidth ?? 0) - width) > 1) return;
    const box = sheetOf(current)?.getBoundingClientRect();
    // The head above the first page keeps its size.
    const isAbove = current === 1 && box && box.top > 0;
    place.current = box && !isAbove ? { page: current, part: -box.top / box.height } : null;
  };
  useLayoutEffect(() => {
    const box = place.current && sheetOf(place.current.page)?.getBoundingClientRect();
    if (place.current && box) window.scrollBy(0, box.top + place.current.part * box.height);
  }, [width, zoom, sizes]);
  useListener('scroll', note, { passive: true });
}
