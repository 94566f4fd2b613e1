import { SignatureRequestsError } from './errors.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** The service may ask for a minute. Longer waits, such as for a daily limit, are left to the caller. */
const LONGEST_RETRY_AFTER_MS = 90_000;

/** Errors that say that nothing was done. */
const REFUSALS: readonly string[] = ['conflict', 'idempotency_in_progress'];

/** Whether the call may have been carried out. */
export const isOutcomeUnknown = ({ code, status }: SignatureRequestsError): boolean =>
  code === 'connection_failed' || code === 'no_answer' || (status !== undefined && status >= 500);

/** The pause before the next attempt in milliseconds; undefined if there must be none. */
export function pauseAfter(error: unknown, attempt: number, isRepeatable: boolean): number | undefined {
  if (!(error instanceof SignatureRequestsError)) return undefined;
  const { code, status, retryAfterMs = 0 } = error;
  const wasRefused = status === 429 || REFUSALS.includes(code);
  const mayRepeat = wasRefused || (isOutcomeUnknown(error) && isRepeatable);
  if (!mayRepeat || retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  const backOff = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS);
  // Random jitter, so that clients that failed together do not retry together.
  return Math.max(retryAfterMs, backOff * (0.5 + Math.random() / 2));
}
