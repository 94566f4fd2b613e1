/** Reports whether an element is within a margin around the screen, now and at each change. Returns a function that stops. */
export function watchView(
  element: Element,
  rootMargin: string,
  tell: (isInView: boolean, bounds: DOMRectReadOnly) => void,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      // A busy browser reports several changes at once, the newest last.
      const newest = entries.at(-1);
      if (newest) tell(newest.isIntersecting, newest.boundingClientRect);
    },
    { rootMargin },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
