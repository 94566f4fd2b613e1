/**
 * Tells whether an element is within a margin around the screen, now and whenever that changes. Answers a function that ends
 * it.
 */
export function watchView(
  element: Element,
  rootMargin: string,
  tell: (isInView: boolean, bounds: DOMRectReadOnly) => void,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      // A browser that is busy tells several changes at once, the newest last.
      const newest = entries.at(-1);
      if (newest) tell(newest.isIntersecting, newest.boundingClientRect);
    },
    { rootMargin },
  );
  observer.observe(element);
  return () => observer.disconnect();
}
