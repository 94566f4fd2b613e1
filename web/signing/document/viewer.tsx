import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, SteadyButton } from '../../parts/button.tsx';
import { Changing } from '../../parts/changing.tsx';
import { useFocusFallback } from '../../parts/focus-fallback.ts';
import { DownloadIcon, MinusIcon, PlusIcon, SearchIcon } from '../../parts/icons.tsx';
import type { OpenPdf, Size } from '../../parts/pdf.ts';
import { percent, percentOf, withPercent } from '../../parts/percent.ts';
import { Spinner } from '../../parts/spinner.tsx';
import { useReload } from '../../parts/use-reload.ts';
import { usePage } from '../page.tsx';
import { useCurrentPage } from './current-page.ts';
import { Finder } from './finder.tsx';
import { fitScale, ZOOMS } from './layout.ts';
import { PageNumber } from './page-number.tsx';
import { groupByPage, type Match } from './search.ts';
import { Sheet } from './sheet.tsx';
import { useSteadyPlace } from './steady-place.ts';
import { Thumbnails } from './thumbnails.tsx';

type Shown = { pdf: OpenPdf; sizes: readonly Size[] } | 'unreadable' | 'no_viewer' | null;

/** Screen readers announce the progress of slow downloads only. */
const PROGRESS_EVERY_MS = 10_000;

const NO_MATCHES: readonly Match[] = [];

/** Opens the document with pdf.js, and once more when all its pages are measured. */
function useShown(bytes: Uint8Array<ArrayBuffer> | null, onOpened: (pdf: OpenPdf) => void): Shown {
  const [shown, setShown] = useState<Shown>(null);
  useEffect(() => {
    let unmounted = false;
    let opened: OpenPdf | undefined;
    const show = (next: Shown) => !unmounted && setShown(next);
    // Loads pdf.js in parallel with the document.
    const library = import('../../parts/pdf.ts');
    library.catch(() => show('no_viewer'));
    if (!bytes) return;
    const open = async () => {
      const openPdf = await library.then(({ startPdf }) => startPdf()).catch(() => null);
      if (!openPdf) return show('no_viewer');
      const pdf = await openPdf(bytes);
      opened = pdf;
      if (unmounted) return pdf.close();
      show({ pdf, sizes: pdf.sizes });
      onOpened(pdf);
      show({ pdf, sizes: await pdf.measure() });
    };
    open().catch(() => show('unreadable'));
    return () => {
      unmounted = true;
      setShown(null);
      opened?.close();
    };
  }, [bytes]);
  return shown;
}

interface ZoomProps {
  /** The place in `ZOOMS`. */
  zoom: number;
  idle: boolean;
  onZoom(zoom: number): void;
}

const factorOf = (zoom: number) => ZOOMS[zoom] ?? 1;

function Zoom({ zoom, idle, onZoom }: ZoomProps) {
  const { texts, locale } = usePage();
  return (
    <span class="viewer-zoom">
      <SteadyButton
        class="tool"
        aria-label={texts.document.zoomOut}
        idle={idle || zoom === 0}
        onClick={() => onZoom(zoom - 1)}
      >
        <MinusIcon />
      </SteadyButton>
      <output class="zoom-level">
        <Changing>{percent(factorOf(zoom), locale)}</Changing>
      </output>
      <SteadyButton
        class="tool"
        aria-label={texts.document.zoomIn}
        idle={idle || zoom === ZOOMS.length - 1}
        onClick={() => onZoom(zoom + 1)}
      >
        <PlusIcon />
      </SteadyButton>
    </span>
  );
}

/** Scrolls to the page that was read last, once the pages are laid out, and reports each page that is read. */
function useReadOn(isMeasured: boolean, current: number, goTo: (page: number) => void): void {
  const { controller } = usePage();
  const last = controller.draft?.page ?? 1;
  useEffect(() => {
    // Not if the reader has already scrolled.
    if (isMeasured && current === 1 && last > 1) goTo(last);
  }, [isMeasured]);
  // A layout effect, so that a reload right after a jump returns to it.
  useLayoutEffect(() => {
    if (isMeasured) controller.edit({ page: current });
  }, [isMeasured, current]);
}

function useSearch(goTo: (page: number) => void) {
  const [isOpen, setOpen] = useState(false);
  const [matches, setMatches] = useState(NO_MATCHES);
  const [match, setMatch] = useState<Match | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const matchesOn = useMemo(() => {
    const byPage = groupByPage(matches);
    return (page: number) => byPage.get(page) ?? NO_MATCHES;
  }, [matches]);
  const matchOn = useCallback((page: number) => (match?.page === page ? match : null), [match]);
  const close = () => {
    setOpen(false);
    setMatches(NO_MATCHES);
    setMatch(null);
    button.current?.focus();
  };
  return {
    button,
    isOpen,
    toggle: () => (isOpen ? close() : setOpen(true)),
    close,
    setMatches,
    show(chosen: Match | null) {
      // A new object: the only match is scrolled to again, too.
      setMatch(chosen && { ...chosen });
      // Once it is near, the sheet renders its text and scrolls to the match.
      if (chosen) goTo(chosen.page);
    },
    matchesOn,
    matchOn,
  };
}

interface ToolsProps {
  /** Null until it is open. */
  pdf: OpenPdf | null;
  current: number;
  goTo(page: number): void;
  zoom: number;
  onZoom(zoom: number): void;
  search: ReturnType<typeof useSearch>;
}

function Tools({ pdf, current, goTo, zoom, onZoom, search }: ToolsProps) {
  const { controller, texts, announce } = usePage();
  const save = () => {
    controller.saveOriginal();
    announce(texts.document.downloaded);
  };
  return (
    <div class="viewer-tools">
      {pdf && <PageNumber current={current} count={pdf.pageCount} onChoose={goTo} />}
      <button
        type="button"
        class="tool"
        ref={search.button}
        aria-label={texts.document.search}
        aria-expanded={search.isOpen}
        disabled={!pdf}
        onClick={search.toggle}
      >
        <SearchIcon />
      </button>
      <Zoom zoom={zoom} idle={!pdf} onZoom={onZoom} />
      <button type="button" class="tool tool-labelled" disabled={!controller.document.loaded} onClick={save}>
        <DownloadIcon />
        <span>{texts.document.download}</span>
      </button>
      {pdf && search.isOpen && (
        <Finder pdf={pdf} onMatches={search.setMatches} onMatch={search.show} onClose={search.close} />
      )}
    </div>
  );
}

/** The document as a column of sheets, which scroll with the page: nested scroll areas are hard to use on a phone. */
export function Viewer() {
  const { controller, texts, announce } = usePage();
  const { loaded, hasFailed } = controller.document;
  const shown = useShown(loaded?.bytes ?? null, (pdf) => announce(texts.document.loaded(pdf.pageCount)));
  const [zoom, setZoom] = useState(0);
  const [frame, width] = useWidth();
  const hasThumbnails = useMedia('(min-width: 62rem)');
  const open = typeof shown === 'object' ? shown : null;
  const areShown = open !== null && width > 0;
  const [current, goTo] = useCurrentPage(frame, areShown);
  useSteadyPlace(frame, current, { width, zoom, sizes: open?.sizes });
  const search = useSearch(goTo);
  // Pages are in their final place only once all sizes are known.
  const isMeasured = areShown && open.sizes !== open.pdf.sizes;
  useReadOn(isMeasured, current, goTo);
  // The same elements while the reader only goes on: Preact then leaves out hundreds of sheets, which read no context.
  const sheets = useMemo(
    () =>
      areShown &&
      open.sizes.map((size, index) => (
        <Sheet
          key={index}
          pdf={open.pdf}
          page={index + 1}
          size={size}
          scale={fitScale(size, width) * factorOf(zoom)}
          matches={search.matchesOn(index + 1)}
          match={search.matchOn(index + 1)}
          texts={texts}
        />
      )),
    [open, width, zoom, search.matchesOn, search.matchOn, texts],
  );
  const { isBusy, reload } = useReload(controller.reach);
  const onFailure = hasFailed ? controller.loadDocument : null;
  // The browser remembers a failed import until the page is reloaded.
  const retry = shown === 'no_viewer' ? reload : onFailure;
  const isLoading = shown === null && !retry;
  // A browser too old for pdf.js can still save the document.
  const cannotShow = shown === 'unreadable' || (shown === 'no_viewer' && loaded !== null);
  return (
    <div class="viewer">
      <Tools
        pdf={open?.pdf ?? null}
        current={current}
        goTo={goTo}
        zoom={zoom}
        onZoom={setZoom}
        search={search}
      />
      <div class="pages">
        {open && hasThumbnails && open.pdf.pageCount > 1 && (
          <Thumbnails pdf={open.pdf} sizes={open.sizes} current={current} onChoose={goTo} />
        )}
        <section
          class="sheets"
          ref={frame}
          aria-label={texts.document.region}
          aria-busy={isLoading}
          // Focusable while enlarged, so that the arrow keys scroll it sideways.
          tabIndex={zoom > 0 ? 0 : undefined}
        >
          {isLoading && <Loading />}
          <div role="alert">
            {retry && <NotLoaded isBusy={isBusy} onRetry={retry} />}
            {cannotShow && <p class="notice notice-warn">{texts.document.cannotShow}</p>}
          </div>
          {sheets}
        </section>
      </div>
    </div>
  );
}

function Loading() {
  const { controller, texts, locale, announce } = usePage();
  const { progress } = controller.document;
  const sentence = withPercent(texts.document.loading, progress, locale);
  const current = useRef(sentence);
  current.current = sentence;
  useEffect(() => {
    let said = '';
    const timer = setInterval(() => {
      if (current.current !== said) announce(current.current);
      said = current.current;
    }, PROGRESS_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="sheet sheet-waiting">
      <Spinner />
      <p>
        {texts.document.loading} <Changing>{percentOf(progress, locale)}</Changing>
      </p>
    </div>
  );
}

function NotLoaded({ isBusy, onRetry }: { isBusy: boolean; onRetry(): void }) {
  const { texts } = usePage();
  const notice = useFocusFallback<HTMLDivElement>();
  return (
    <div ref={notice} class="sheet sheet-waiting sheet-retry">
      <p>{texts.document.notLoaded}</p>
      <Button busy={isBusy} onClick={onRetry}>
        {texts.trouble.again}
      </Button>
    </div>
  );
}

/** The frame's width, which changes when the phone is rotated. */
function useWidth() {
  const frame = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!frame.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return [frame, width] as const;
}

function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatches(media.matches);
    media.addEventListener('change', update);
    return () => media.removeEventListener('change', update);
  }, [query]);
  return matches;
}
