import type { RefObject } from 'preact';
import { linksOf } from './field.tsx';

interface FileInputProps {
  id: string;
  hint: unknown;
  error?: unknown;
  accept: string;
  input?: RefObject<HTMLInputElement | null> | null;
  onChoose(file: File): void;
}

/** A native file input: it serves keyboards and screen readers. */
export const FileInput = ({ id, hint, error, accept, input = null, onChoose }: FileInputProps) => (
  <input
    {...linksOf(id, hint, error)}
    ref={input}
    type="file"
    accept={accept}
    // Otherwise choosing the same file again, such as after a new export, would fire no event.
    onClick={({ currentTarget }) => {
      currentTarget.value = '';
    }}
    onChange={({ currentTarget: { files } }) => files?.[0] && onChoose(files[0])}
  />
);
