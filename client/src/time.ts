import { SignatureRequestsError } from './errors.ts';

/** The limit of timers: a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

const onAborts = new WeakMap<AbortSignal, Set<() => void>>();

/** The callbacks for an abort of the signal. One listener calls them all: Node warns of a leak from the eleventh listener on. */
function onAbortOf(signal: AbortSignal): Set<() => void> {
  const known = onAborts.get(signal);
  if (known) return known;
  const added = new Set<() => void>();
  onAborts.set(signal, added);
  const callAll = () => {
    for (const callback of added) callback();
  };
  signal.addEventListener('abort', callAll, { once: true });
  return added;
}

/** Rejects after a time limit or when the caller's signal aborts, even if the work ignores its own signal. */
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
    const callbacks = signal && onAbortOf(signal);
    const timer = setTimeout(
      () => stop(new SignatureRequestsError('no_answer', `There was no answer within ${milliseconds} ms.`)),
      Math.min(milliseconds, LONGEST_MS),
    );
    callbacks?.add(onAbort);
    work(controller.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        callbacks?.delete(onAbort);
      });
  });

export const sleep = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const callbacks = signal && onAbortOf(signal);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      callbacks?.delete(onAbort);
      resolve();
    }, milliseconds);
    callbacks?.add(onAbort);
  });
