import { useEffect, useRef } from 'preact/hooks';

/** Listens to the document while the component is shown. The listener may differ at each rendering, the options may not. */
export function useListener<Type extends keyof DocumentEventMap>(
  type: Type,
  listener: (event: DocumentEventMap[Type]) => void,
  options?: AddEventListenerOptions,
) {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const listen = (event: DocumentEventMap[Type]) => latest.current(event);
    document.addEventListener(type, listen, options);
    return () => document.removeEventListener(type, listen, options);
  }, []);
}
