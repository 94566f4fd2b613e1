import type { RequestView } from '../contract.ts';

type Status = RequestView['request']['status'];

/** Pauses between polls. The last one repeats. */
const SEAL_PAUSES_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 13_000, 20_000, 30_000];
const OTHERS_PAUSES_MS = [20_000, 40_000, 60_000];

/** The statuses that change without the signer's doing. */
const PAUSES_MS: Partial<Record<Status, readonly number[]>> = {
  awaiting_stamp: SEAL_PAUSES_MS,
  stamp_failed: OTHERS_PAUSES_MS,
  pending: OTHERS_PAUSES_MS,
  sent: OTHERS_PAUSES_MS,
  opened: OTHERS_PAUSES_MS,
};

interface Polled {
  setTimer(ms: number, work: () => void): void;
  isVisible(): boolean;
  /** Null if the page no longer shows a status. */
  status(): Status | null;
  refresh(): Promise<void>;
}

/** Polls the request's status with growing pauses, and not while the page is hidden. */
export class StatusPolling {
  #current = 0;
  readonly #polled: Polled;

  constructor(polled: Polled) {
    this.#polled = polled;
  }

  start() {
    this.#current += 1;
    this.#schedule(this.#current, 0);
  }

  stop() {
    this.#current += 1;
  }

  #schedule(poll: number, attempt: number) {
    const status = this.#polled.status();
    const pauses = status && PAUSES_MS[status];
    if (!pauses || poll !== this.#current) return;
    const pause = pauses[Math.min(attempt, pauses.length - 1)] ?? 60_000;
    this.#polled.setTimer(pause, async () => {
      if (poll !== this.#current || !this.#polled.isVisible()) return;
      await this.#polled.refresh();
      if (poll !== this.#current) return;
      // After a change, start with short pauses again.
      if (this.#polled.status() === status) this.#schedule(poll, attempt + 1);
      else this.start();
    });
  }
}
