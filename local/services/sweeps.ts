import type { Clock } from '../ports.ts';

/** Sweeps every so often and when the clock moves, until the returned function is called. */
export function startSweeps(
  name: string,
  everyMs: number,
  clock: Clock,
  log: (line: string) => void,
  sweep: (signal: AbortSignal) => Promise<void>,
): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  let running = Promise.resolve();
  let isWaiting = false;
  const sweepSoon = () => {
    // One sweep can wait for the one that runs: it sees all that expired meanwhile.
    if (isWaiting || signal.aborted) return;
    isWaiting = true;
    running = running
      .then(() => {
        isWaiting = false;
        return sweep(signal);
      })
      .catch((error) => {
        if (!signal.aborted) log(`${name} failed: ${error instanceof Error ? error.message : error}`);
      });
  };
  const timer = setInterval(sweepSoon, everyMs).unref();
  clock.onMove(sweepSoon);
  return () => {
    stopped.abort();
    clearInterval(timer);
    return running;
  };
}
