import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts } from '../../../shared/texts/en/page.ts';
import type { OpenPdf, Size } from '../../parts/pdf.ts';
import { watchView } from '../../parts/watch-view.ts';
import { EAGER_TEXT_PAGES } from './layout.ts';
import { mark } from './marks.ts';
import type { Match } from './search.ts';

interface SheetProps {
  pdf: OpenPdf;
  page: number;
  size: Size;
  scale: number;
  /** Positions of the searched words on this page, and the selected one. */
  matches: readonly Match[];
  match: Match | null;
  texts: PageTexts;
  /** Whether the page begins above the middle of the screen, at first and whenever that changes. */
  onScroll(page: number, beginsAbove: boolean): void;
}

/** All that is above the middle of the screen, however far away. */
const ABOVE_MIDDLE = '1000000% 0px -50% 0px';

/** One page. It is drawn only near the viewport, so that a long document fits the memory of a small phone. */
export function Sheet({ pdf, page, size, scale, matches, match, texts, onScroll }: SheetProps) {
  const sheet = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const [failed, setFailed] = useState(false);
  const [text, setText] = useState({ renderings: 0, isEmpty: false });

  useEffect(() => {
    if (!sheet.current) return;
    const endNear = watchView(sheet.current, '100% 0px', setNear);
    const endAbove = watchView(sheet.current, ABOVE_MIDDLE, (isAbove) => onScroll(page, isAbove));
    return () => {
      endNear();
      endAbove();
    };
  }, [page]);

  useEffect(() => {
    const target = canvas.current;
    if (!near || !target) return;
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
  }, [near, pdf, page, scale]);

  const wantsText = near || page <= EAGER_TEXT_PAGES;
  useEffect(() => {
    if (!wantsText || !layer.current) return;
    const rendered = (hasText: boolean) =>
      setText(({ renderings }) => ({ renderings: renderings + 1, isEmpty: !hasText }));
    pdf.renderText(page, layer.current).then(rendered, () => rendered(false));
  }, [wantsText, pdf, page]);

  useEffect(() => {
    if (text.renderings === 0 || !layer.current || matches.length === 0) return;
    return mark(layer.current, matches, match);
  }, [text.renderings, matches, match]);

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
      {text.isEmpty && <p class="visually-hidden">{texts.document.noText}</p>}
      {failed && <p class="sheet-failed">{texts.document.pageFailed}</p>}
    </article>
  );
}
