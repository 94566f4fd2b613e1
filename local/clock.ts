/** The clock of the local cloud: the machine's time plus an offset, which the control port moves forward. */
import type { Clock } from './ports.ts';

// The longest delay that setTimeout supports.
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export class LocalClock implements Clock {
  readonly #offset: Float64Array;
  readonly #listeners = new Set<() => void>();

  /** Shared memory lets the functions' workers see a move at once. */
  constructor(offsetMs = 0, sharedOffset = new SharedArrayBuffer(8)) {
    this.#offset = new Float64Array(sharedOffset);
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

  /** Resolves when this clock reaches the time or the signal aborts. */
  async until(time: number, signal: AbortSignal): Promise<void> {
    while (this.now() < time && !signal.aborted)
      await interruptiblePause(time - this.now(), this.#listeners, signal);
  }
}

/** Ends early when one of the listeners is called or the signal aborts. */
export const interruptiblePause = (
  ms: number,
  listeners: Set<() => void>,
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      listeners.delete(wake);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, Math.min(ms, LONGEST_TIMEOUT_MS));
    listeners.add(wake);
    signal.addEventListener('abort', wake);
  });
