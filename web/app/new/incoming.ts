import { signal } from '@preact/signals';

/** A file that was dropped on any page, until the form takes it. */
export const incoming = signal<File | null>(null);

export function takeIncoming(): File | null {
  const file = incoming.peek();
  incoming.value = null;
  return file;
}
