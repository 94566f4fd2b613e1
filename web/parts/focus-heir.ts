import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * For an element that goes after a press: if it has the focus then, the nearest place around it that takes it gets it, or
 * else the heading.
 */
export function useFocusHeir<Kind extends HTMLElement>() {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    const leaving = element.current;
    return () => {
      if (!leaving?.contains(document.activeElement)) return;
      const around = leaving.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
      const heir = around ?? document.querySelector<HTMLElement>('h1');
      heir?.focus({ preventScroll: true });
    };
  }, []);
  return element;
}
