import { SignatureRequestsError } from '../../../client/src/errors.ts';

const listeners = new Set<() => void>();

/** Calls the listener when the page may be outdated: someone else acted first, or a response was lost. */
export function afterFailures(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteFailure(thrown: unknown): void {
  // A rate-limited call has changed nothing.
  if (thrown instanceof SignatureRequestsError && thrown.code === 'too_many_requests') return;
  for (const listener of listeners) listener();
}
