import { useLayoutEffect, useRef } from 'preact/hooks';

/** For an element that disappears with its button: moves its focus to the nearest focusable container, or to the heading. */
export function useFocusFallback<Kind extends HTMLElement>() {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    const leaving = element.current;
    return () => {
      if (!leaving?.contains(document.activeElement)) return;
      const around = leaving.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
      const fallback = around ?? document.querySelector<HTMLElement>('h1');
      fallback?.focus({ preventScroll: true });
    };
  }, []);
  return element;
}
