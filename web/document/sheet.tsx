import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts } from '../../shared/texts/page.ts';
import { TEXT_AT_ONCE } from './layout.ts';
import type { OpenPdf, Size } from './pdf.ts';

interface SheetProps {
  pdf: OpenPdf;
  page: number;
  size: Size;
  scale: number;
  texts: PageTexts;
  onSeen(page: number): void;
}

/** One page: drawn while it is near the view, and given back after, so that a long document fits a small phone. */
export function Sheet({ pdf, page, size, scale, texts, onSeen }: SheetProps) {
  const sheet = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [failed, setFailed] = useState(false);
  const [hasText, setHasText] = useState(true);

  useEffect(() => {
    if (!sheet.current) return;
    const nearby = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      rootMargin: '100% 0px',
    });
    const read = new IntersectionObserver(([entry]) => entry?.isIntersecting && onSeen(page), {
      rootMargin: '-45% 0px -45% 0px',
    });
    nearby.observe(sheet.current);
    read.observe(sheet.current);
    return () => {
      nearby.disconnect();
      read.disconnect();
    };
  }, [page]);

  useEffect(() => {
    const paper = canvas.current;
    if (!near || !paper) return;
    const stopped = new AbortController();
    pdf.draw(page, paper, scale, stopped.signal).then(
      () => setFailed(false),
      () => !stopped.signal.aborted && setFailed(true),
    );
    return () => {
      stopped.abort();
      // Browsers keep a canvas' memory until it has no size.
      paper.width = 0;
      paper.height = 0;
    };
  }, [near, pdf, page, scale]);

  const wantsText = near || page <= TEXT_AT_ONCE;
  useEffect(() => {
    if (!wantsText || !layer.current) return;
    pdf.layText(page, layer.current).then(setHasText, () => setHasText(false));
  }, [wantsText, pdf, page]);

  const style = {
    width: `${Math.floor(size.width * scale)}px`,
    height: `${Math.floor(size.height * scale)}px`,
    '--total-scale-factor': String(scale),
  };
  return (
    <article
      class="sheet"
      ref={sheet}
      aria-label={texts.document.page(page, pdf.pageCount)}
      style={style}
      data-page={page}
    >
      <canvas ref={canvas} />
      <div class="text-layer" ref={layer} />
      {!hasText && <p class="unseen">{texts.document.noText}</p>}
      {failed && <p class="sheet-failed">{texts.document.pageFailed}</p>}
    </article>
  );
}
