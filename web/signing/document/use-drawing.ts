import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenPdf } from '../../parts/pdf.ts';

/** Draws a page on a canvas while `isNear`, so that a long document fits the memory of a small phone. */
export function useDrawing(pdf: OpenPdf, page: number, scale: number, isNear: boolean) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    const target = canvas.current;
    if (!isNear || !target) return;
    const abort = new AbortController();
    pdf.draw(page, target, scale, abort.signal).then(
      () => setFailed(false),
      () => !abort.signal.aborted && setFailed(true),
    );
    return () => {
      abort.abort();
      // Browsers free a canvas's memory only when its size is zero.
      target.width = 0;
      target.height = 0;
    };
  }, [isNear, pdf, page, scale]);
  return { canvas, hasFailed };
}
