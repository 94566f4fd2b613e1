import { useEffect, useRef } from 'preact/hooks';

/** `field` is the id of the input that the file was dropped on, or empty. */
type Take = (field: string, file: File, isOneOfSeveral: boolean) => void;

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

const fieldAt = (target: EventTarget | null): string =>
  (target instanceof Element && target.closest('.drop')?.querySelector('input')?.id) || '';

/** Accepts files dropped anywhere: browsers would navigate to the file, and fill no input with several files. */
export function useDrop(take: Take) {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const ending = new AbortController();
    const on = (type: 'dragover' | 'drop', listener: (event: DragEvent) => void) =>
      window.addEventListener(type, listener, { signal: ending.signal });
    on('dragover', (event) => {
      if (hasFiles(event)) event.preventDefault();
    });
    on('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      const [file, second] = event.dataTransfer?.files ?? [];
      if (file) latest.current(fieldAt(event.target), file, second !== undefined);
    });
    return () => ending.abort();
  }, []);
}
