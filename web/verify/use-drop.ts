import { useListener } from '../parts/use-listener.ts';

/** `field` is the id of the input that the file was dropped on, or empty. */
type Take = (field: string, file: File, isOneOfSeveral: boolean) => void;

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

const fieldAt = (target: EventTarget | null): string =>
  (target instanceof Element && target.closest('.drop')?.querySelector('input')?.id) || '';

/** Accepts files dropped anywhere: browsers would navigate to the file, and fill no input with several files. */
export function useDrop(take: Take) {
  useListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  useListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const [file, second] = event.dataTransfer?.files ?? [];
    if (file) take(fieldAt(event.target), file, second !== undefined);
  });
}
