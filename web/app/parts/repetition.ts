const PAUSES_MS = [4_000, 6_000, 10_000, 20_000, 40_000, 60_000];

/** Repeats work with growing pauses while the page is visible. Returning to the page starts with short pauses again. */
export function repeat(work: () => Promise<unknown>) {
  const ending = new AbortController();
  const { signal } = ending;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let times = 0;

  const schedule = () => {
    clearTimeout(timer);
    if (signal.aborted || document.visibilityState !== 'visible') return;
    const pause = PAUSES_MS[Math.min(times, PAUSES_MS.length - 1)];
    times += 1;
    timer = setTimeout(() => void run(), pause);
  };
  const run = async () => {
    clearTimeout(timer);
    await work();
    schedule();
  };
  const onSeen = () => {
    if (document.visibilityState !== 'visible') return clearTimeout(timer);
    times = 0;
    void run();
  };
  document.addEventListener('visibilitychange', onSeen, { signal });
  window.addEventListener('online', onSeen, { signal });
  schedule();

  return {
    /** After a change, more changes are likely soon. */
    restart() {
      times = 0;
      schedule();
    },
    stop() {
      ending.abort();
      clearTimeout(timer);
    },
  };
}
