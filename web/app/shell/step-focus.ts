import { useEffect, useRef } from 'preact/hooks';

/** Names the tab after the page's heading, and moves scroll position and focus to it when another page or step is shown. */
export function useStepFocus(step: string) {
  const previous = useRef(step);
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (heading) document.title = `${heading.textContent} – Signature requests`;
    if (previous.current === step) return;
    previous.current = step;
    window.scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  });
}
