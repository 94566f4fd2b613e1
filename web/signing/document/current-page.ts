import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** All that is above the middle of the screen, however far away. */
const ABOVE_MIDDLE = '1000000% 0px -50% 0px';

/** The page that is read: the last one that begins above the middle of the screen, or one that was gone to. */
export function useCurrentPage(frame: RefObject<HTMLElement | null>, areShown: boolean) {
  const [current, setCurrent] = useState(1);
  const pages = useRef<ReturnType<typeof followPages>>(null);
  useEffect(() => {
    if (!areShown || !frame.current) return;
    pages.current = followPages(frame.current.querySelectorAll('[data-page]'), setCurrent);
    return () => pages.current?.end();
  }, [areShown]);
  const goTo = (page: number) => {
    pages.current?.forget();
    setCurrent(page);
    frame.current?.querySelector(`[data-page="${page}"]`)?.scrollIntoView({ block: 'start' });
  };
  return [current, goTo] as const;
}

/** Tells how the current page changes. One observer watches all sheets, so that a jump over many of them is one change. */
export function followPages(sheets: Iterable<Element>, tell: (change: (before: number) => number) => void) {
  const observer = new IntersectionObserver(
    (entries) => tell((before) => currentPage(before, newestByPage(entries))),
    { rootMargin: ABOVE_MIDDLE },
  );
  for (const sheet of sheets) observer.observe(sheet);
  return {
    /** For a jump: changes that were seen before it, and not told yet, would lead back. */
    forget: () => void observer.takeRecords(),
    end: () => observer.disconnect(),
  };
}

/** Whether each page that changed begins above the middle. A busy browser tells several changes at once, the newest last. */
const newestByPage = (entries: readonly IntersectionObserverEntry[]) =>
  new Map(
    entries.map(({ target, isIntersecting }) => [Number(target.getAttribute('data-page')), isIntersecting]),
  );

/** A page that was gone to stays the current one, even if it is too low to begin above the middle. */
function currentPage(before: number, beginsAbove: ReadonlyMap<number, boolean>): number {
  const changed = [...beginsAbove.keys()];
  const reached = Math.max(before, ...changed.filter((page) => beginsAbove.get(page)));
  const left = changed.filter((page) => !beginsAbove.get(page));
  return Math.max(1, Math.min(reached, ...left.map((page) => page - 1)));
}
