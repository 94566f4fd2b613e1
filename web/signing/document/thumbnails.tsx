import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { OpenPdf, Size } from '../../parts/pdf.ts';
import { watchView } from '../../parts/watch-view.ts';
import { usePage } from '../page.tsx';
import { useDrawing } from './use-drawing.ts';

interface ThumbnailsProps {
  pdf: OpenPdf;
  sizes: readonly Size[];
  current: number;
  onChoose(page: number): void;
}

const WIDTH = 88;

const KEY_STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Thumbnails of the pages, on wide screens. They are one tab stop; the arrow keys move between pages. */
export function Thumbnails({ pdf, sizes, current, onChoose }: ThumbnailsProps) {
  const { texts } = usePage();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const item = list.current?.children[current - 1];
    if (!list.current || !(item instanceof HTMLElement)) return;
    list.current.scrollTop = item.offsetTop - list.current.clientHeight / 2;
  }, [current]);
  const itemOf = (size: Size, index: number, isCurrent: boolean) => (
    <li key={index}>
      <button
        type="button"
        tabIndex={isCurrent ? 0 : -1}
        aria-label={texts.document.page(index + 1, pdf.pageCount)}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={() => onChoose(index + 1)}
      >
        <Thumbnail pdf={pdf} page={index + 1} size={size} />
        <span aria-hidden="true">{index + 1}</span>
      </button>
    </li>
  );
  // The same elements while the reader goes on: Preact then leaves out hundreds of pages.
  const items = useMemo(
    () => sizes.map((size, index) => itemOf(size, index, false)),
    [pdf, sizes, texts, onChoose],
  );
  return (
    <nav class="thumbnails" aria-label={texts.document.pages}>
      <ol
        ref={list}
        onKeyDown={(event) => {
          const step = KEY_STEPS[event.key];
          if (step === undefined) return;
          event.preventDefault();
          const page = Math.min(Math.max(current + step, 1), pdf.pageCount);
          onChoose(page);
          list.current?.children[page - 1]?.querySelector('button')?.focus({ preventScroll: true });
        }}
      >
        {sizes.map((size, index) => (index + 1 === current ? itemOf(size, index, true) : items[index]))}
      </ol>
    </nav>
  );
}

function Thumbnail({ pdf, page, size }: { pdf: OpenPdf; page: number; size: Size }) {
  const [near, setNear] = useState(false);
  // The sheet itself reports a page that cannot be drawn.
  const { canvas } = useDrawing(pdf, page, WIDTH / size.width, near);
  useEffect(() => {
    if (!canvas.current) return;
    return watchView(canvas.current, '50% 0px', setNear);
  }, []);
  const ratio = size.width / size.height;
  // A long page is narrower, to keep its proportions at the greatest height.
  return <canvas ref={canvas} style={{ width: `min(5.5rem, ${11 * ratio}rem)`, aspectRatio: `${ratio}` }} />;
}
