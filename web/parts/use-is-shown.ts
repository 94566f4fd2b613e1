import { useEffect, useRef } from 'preact/hooks';

/** Its `current` is false once the component has gone: work may last longer. */
export function useIsShown() {
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  return isShown;
}
