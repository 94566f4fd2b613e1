import type { RefObject } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Everything above the middle of the screen. */
const ABOVE_MIDDLE = '1000000% 0px -50% 0px';

/** The current page: the last one that starts above the middle of the screen, or the target of a jump. */
export function useCurrentPage(frame: RefObject<HTMLElement | null>, areShown: boolean) {
  const [current, setCurrent] = useState(1);
  const pages = useRef<ReturnType<typeof followPages>>(null);
  useEffect(() => {
    if (!areShown || !frame.current) return;
    pages.current = followPages(frame.current.querySelectorAll('[data-page]'), setCurrent);
    return () => pages.current?.end();
  }, [areShown]);
  const goTo = useCallback((page: number) => {
    pages.current?.forget();
    setCurrent(page);
    frame.current?.querySelector(`[data-page="${page}"]`)?.scrollIntoView({ block: 'start' });
  }, []);
  return [current, goTo] as const;
}

/** Reports changes of the current page. One observer watches all sheets, so that a long jump is one change. */
export function followPages(sheets: Iterable<Element>, tell: (change: (before: number) => number) => void) {
  const observer = new IntersectionObserver(
    (entries) => tell((before) => currentPage(before, newestByPage(entries))),
    { rootMargin: ABOVE_MIDDLE },
  );
  for (const sheet of sheets) observer.observe(sheet);
  return {
    /** Drops pending changes from before a jump, which would undo it. */
    forget: () => void observer.takeRecords(),
    end: () => observer.disconnect(),
  };
}

/** Whether each changed page starts above the middle. A busy browser reports several changes at once, the newest last. */
const newestByPage = (entries: readonly IntersectionObserverEntry[]) =>
  new Map(
    entries.map(({ target, isIntersecting }) => [Number(target.getAttribute('data-page')), isIntersecting]),
  );

/** The target of a jump stays the current page, even if it cannot be scrolled above the middle. */
function currentPage(before: number, beginsAbove: ReadonlyMap<number, boolean>): number {
  const changed = [...beginsAbove.keys()];
  const reached = Math.max(before, ...changed.filter((page) => beginsAbove.get(page)));
  const left = changed.filter((page) => !beginsAbove.get(page));
  return Math.max(1, Math.min(reached, ...left.map((page) => page - 1)));
}
