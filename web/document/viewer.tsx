import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts } from '../../shared/texts/page.ts';
import { DownloadIcon, MinusIcon, PlusIcon } from '../parts/icons.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { fitScale, ZOOMS } from './layout.ts';
import type { OpenPdf, Size } from './pdf.ts';
import { Sheet } from './sheet.tsx';

interface ViewerProps {
  bytes: Uint8Array<ArrayBuffer> | null;
  share: number;
  texts: PageTexts;
  onSave(): void;
  announce(sentence: string): void;
}

type Shown = { pdf: OpenPdf; sizes: readonly Size[] } | 'unreadable' | null;

/** The document as a column of sheets in the page's own scroll, so that a phone has just one thing to scroll. */
export function Viewer({ bytes, share, texts, onSave, announce }: ViewerProps) {
  const [shown, setShown] = useState<Shown>(null);
  const [zoom, setZoom] = useState(0);
  const [current, setCurrent] = useState(1);
  const [frame, width] = useWidth();

  useEffect(() => {
    // Fetched beside the document, not after it.
    const library = import('./pdf.ts');
    if (!bytes) return;
    let gone = false;
    let opened: OpenPdf | undefined;
    const show = async () => {
      const pdf = await (await library).openPdf(bytes);
      opened = pdf;
      if (gone) return pdf.close();
      setShown({ pdf, sizes: pdf.sizes });
      announce(texts.document.loaded(pdf.pageCount));
      const sizes = await pdf.measure();
      if (!gone) setShown({ pdf, sizes });
    };
    show().catch(() => !gone && setShown('unreadable'));
    return () => {
      gone = true;
      setShown(null);
      opened?.close();
    };
  }, [bytes]);

  const factor = ZOOMS[zoom] ?? 1;
  const ready = shown !== null && shown !== 'unreadable';
  return (
    <div class="viewer">
      <div class="viewer-tools">
        <span class="viewer-count">
          {ready && (
            <>
              <span class="unseen">{texts.document.page(current, shown.pdf.pageCount)}</span>
              <span aria-hidden="true">{texts.document.pageShort(current, shown.pdf.pageCount)}</span>
            </>
          )}
        </span>
        <span class="viewer-zoom">
          <button
            type="button"
            class="tool"
            aria-label={texts.document.zoomOut}
            disabled={!ready || zoom === 0}
            onClick={() => setZoom(zoom - 1)}
          >
            <MinusIcon />
          </button>
          <output class="zoom-level">{texts.document.zoom(Math.round(factor * 100))}</output>
          <button
            type="button"
            class="tool"
            aria-label={texts.document.zoomIn}
            disabled={!ready || zoom === ZOOMS.length - 1}
            onClick={() => setZoom(zoom + 1)}
          >
            <PlusIcon />
          </button>
        </span>
        <button type="button" class="tool tool-worded" disabled={!bytes} onClick={onSave}>
          <DownloadIcon />
          <span>{texts.document.download}</span>
        </button>
      </div>
      <section
        class="sheets"
        ref={frame}
        aria-label={texts.document.region}
        aria-busy={shown === null}
        // Enlarged, it scrolls sideways, with the arrow keys too.
        tabIndex={zoom > 0 ? 0 : undefined}
      >
        {shown === null && <Loading share={share} texts={texts} />}
        {shown === 'unreadable' && <p class="notice notice-warn">{texts.document.cannotShow}</p>}
        {ready &&
          width > 0 &&
          shown.sizes.map((size, index) => (
            <Sheet
              key={index}
              pdf={shown.pdf}
              page={index + 1}
              size={size}
              scale={fitScale(size, width) * factor}
              texts={texts}
              onSeen={setCurrent}
            />
          ))}
      </section>
    </div>
  );
}

const Loading = ({ share, texts }: { share: number; texts: PageTexts }) => (
  <div class="sheet sheet-waiting">
    <Spinner />
    <p>
      {texts.document.loading}
      {share > 0 && share < 1 && ` ${texts.document.zoom(Math.round(share * 100))}`}
    </p>
  </div>
);

/** The width that is there for sheets; turning the phone changes it. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!frame.current) return;
    const watcher = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  return [frame, width] as const;
}
