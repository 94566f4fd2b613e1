import { SignatureRequestsError } from '../../../client/src/errors.ts';

const listeners = new Set<() => void>();

/** Calls it whenever what is shown may be outdated: someone else acted first, or the answer to an action was lost. */
export function afterFailures(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function noteFailure(thrown: unknown): void {
  // Of what asked too often nothing was done.
  if (thrown instanceof SignatureRequestsError && thrown.code === 'too_many_requests') return;
  for (const listener of listeners) listener();
}
