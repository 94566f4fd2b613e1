/** The one clock of the local cloud: the machine's time and an offset that the control port moves forward. */
import type { Clock } from './ports.ts';

// setTimeout takes at most this long.
const longestTimeoutMs = 2 ** 31 - 1;

export class LocalClock implements Clock {
  /** Shared with the functions' workers, so that a move is seen in all of them at once. */
  readonly sharedOffset = new SharedArrayBuffer(8);
  readonly #offset = new Float64Array(this.sharedOffset);
  readonly #listeners = new Set<() => void>();

  constructor(offsetMs = 0) {
    this.#offset[0] = offsetMs;
  }

  now(): number {
    return Date.now() + this.offsetMs();
  }

  offsetMs(): number {
    return this.#offset[0] ?? 0;
  }

  advance(ms: number): void {
    this.#offset[0] = this.offsetMs() + ms;
    for (const listener of [...this.#listeners]) listener();
  }

  onMove(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves when this clock shows the time, or the signal aborts. */
  async until(time: number, signal: AbortSignal): Promise<void> {
    while (this.now() < time && !signal.aborted) await this.#moveOrTimeout(time - this.now(), signal);
  }

  #moveOrTimeout(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#listeners.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, longestTimeoutMs));
      this.#listeners.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
