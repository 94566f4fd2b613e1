import { useEffect, useRef } from 'preact/hooks';

/** Names the tab after the page's heading, and moves scroll position and focus to it when another page is shown. */
export function useStepFocus(path: string) {
  const previous = useRef(path);
  useEffect(() => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (heading) document.title = `${heading.textContent} – Signature requests`;
    if (previous.current === path) return;
    previous.current = path;
    window.scrollTo(0, 0);
    heading?.focus({ preventScroll: true });
  });
}
