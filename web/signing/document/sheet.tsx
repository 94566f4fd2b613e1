import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts } from '../../../shared/texts/en/service.ts';
import type { OpenPdf, Size } from '../../parts/pdf.ts';
import { watchView } from '../../parts/watch-view.ts';
import { EAGER_TEXT_PAGES } from './layout.ts';
import { mark } from './marks.ts';
import type { Match } from './search.ts';
import { useDrawing } from './use-drawing.ts';

interface SheetProps {
  pdf: OpenPdf;
  page: number;
  size: Size;
  scale: number;
  /** Positions of the searched words on this page, and the selected one. */
  matches: readonly Match[];
  match: Match | null;
  texts: PageTexts;
}

/** One page, drawn only near the viewport. */
export function Sheet({ pdf, page, size, scale, matches, match, texts }: SheetProps) {
  const sheet = useRef<HTMLElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const { canvas, hasFailed } = useDrawing(pdf, page, scale, near);
  const [text, setText] = useState({ renderings: 0, isEmpty: false });

  useEffect(() => {
    if (!sheet.current) return;
    return watchView(sheet.current, '100% 0px', setNear);
  }, [page]);

  // Rendered once: rendering it again, when the page comes near again, would drop a selection in it.
  const source = useRef<OpenPdf | null>(null);
  useEffect(() => {
    const rendered = (hasText: boolean) =>
      setText(({ renderings }) => ({ renderings: renderings + 1, isEmpty: !hasText }));
    const render = () => {
      if (!layer.current || source.current === pdf) return;
      source.current = pdf;
      return pdf.renderText(page, layer.current).then(rendered, () => {
        source.current = null;
        rendered(false);
      });
    };
    if (near) void render();
    // The pages in view come first.
    else if (page <= EAGER_TEXT_PAGES) pdf.afterDrawing(render);
  }, [near, pdf, page]);

  useEffect(() => {
    if (text.renderings === 0 || !layer.current || matches.length === 0) return;
    return mark(layer.current, matches, match);
  }, [text.renderings, matches, match]);

  const style = {
    width: `${Math.floor(size.width * scale)}px`,
    height: `${Math.floor(size.height * scale)}px`,
    '--page-scale': String(scale),
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
      {text.isEmpty && !hasFailed && <p class="visually-hidden">{texts.document.noText}</p>}
      {hasFailed && <p class="sheet-failed">{texts.document.pageFailed}</p>}
    </article>
  );
}
