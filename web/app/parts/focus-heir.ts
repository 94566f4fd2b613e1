import { useLayoutEffect, useRef } from 'preact/hooks';

/** For an element that goes after a press: the nearest place around it that takes the focus gets it, if the element had it. */
export function useFocusHeir<Kind extends HTMLElement>() {
  const element = useRef<Kind>(null);
  useLayoutEffect(() => {
    const leaving = element.current;
    return () => {
      if (!leaving?.contains(document.activeElement)) return;
      leaving.parentElement?.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
    };
  }, []);
  return element;
}
