import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Names the tab after the page's heading. When another page or step is shown, it scrolls to the top and focuses the heading.
 * The first step after `opening` leaves the focus where the browser put it. Before it can be seen: a person may type at once.
 */
export function useStepFocus(step: string) {
  const previous = useRef(step);
  useLayoutEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (heading) document.title = `${heading.textContent} – Signature requests`;
    const before = previous.current;
    previous.current = step;
    if (before === step || before === 'opening') return;
    window.scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  });
}
