import { useEffect, useRef } from 'preact/hooks';

/** Told the id of the file's field; that is empty beside the fields. */
type Take = (field: string, file: File, isOneOfSeveral: boolean) => void;

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

const fieldAt = (target: EventTarget | null): string =>
  (target instanceof Element && target.closest('.drop')?.querySelector('input')?.id) || '';

/** Takes what is dropped anywhere on the page: browsers would leave it for the file, and put none of several into a field. */
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
