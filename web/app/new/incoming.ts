import { signal } from '@preact/signals';

/** A file that was dropped on any page, on its way to the new request. */
export const incoming = signal<File | null>(null);

export function takeIncoming(): File | null {
  const file = incoming.peek();
  incoming.value = null;
  return file;
}
