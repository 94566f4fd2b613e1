import { useEffect, useRef } from 'preact/hooks';

/**
 * Names the tab after the heading, and moves the scroll position and the focus to the heading of a new screen. The first
 * screen after `opening` keeps the browser's focus.
 */
export function useStepFocus(screen: string) {
  const previous = useRef('opening');
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('h1');
    if (heading) document.title = `${heading.textContent} – Signature requests`;
    if (previous.current === screen) return;
    const first = previous.current === 'opening';
    previous.current = screen;
    if (first) return;
    window.scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  });
}
