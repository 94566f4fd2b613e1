import { SignatureRequestsError } from './errors.ts';

/** Timers take no more: a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Runs work that ends with an error after some time, or when the caller's signal aborts, even if it ignores its own signal. */
export const withinTime = <T>(
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const stop = (reason: unknown) => {
      reject(reason);
      controller.abort(reason);
    };
    const onAbort = () => stop(signal?.reason);
    const timer = setTimeout(
      () => stop(new SignatureRequestsError('no_answer', `There was no answer within ${milliseconds} ms.`)),
      Math.min(milliseconds, LONGEST_MS),
    );
    signal?.addEventListener('abort', onAbort);
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      });
  });

export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
