const PAUSES_MS = [4_000, 6_000, 10_000, 20_000, 40_000, 60_000];

/** Repeats work with growing pauses while the page is visible. Returning to the page starts with short pauses again. */
export class Repetition {
  readonly #work: () => Promise<unknown>;
  readonly #ending = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #times = 0;

  constructor(work: () => Promise<unknown>) {
    this.#work = work;
    const { signal } = this.#ending;
    document.addEventListener('visibilitychange', () => this.#seen(), { signal });
    window.addEventListener('online', () => this.#seen(), { signal });
    this.#schedule();
  }

  /** After a change, more changes are likely soon. */
  restart() {
    this.#times = 0;
    this.#schedule();
  }

  stop() {
    this.#ending.abort();
    clearTimeout(this.#timer);
  }

  #seen() {
    if (document.visibilityState !== 'visible') return clearTimeout(this.#timer);
    this.#times = 0;
    void this.#run();
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#ending.signal.aborted || document.visibilityState !== 'visible') return;
    const pause = PAUSES_MS[Math.min(this.#times, PAUSES_MS.length - 1)];
    this.#times += 1;
    this.#timer = setTimeout(() => void this.#run(), pause);
  }

  async #run() {
    clearTimeout(this.#timer);
    await this.#work();
    this.#schedule();
  }
}
