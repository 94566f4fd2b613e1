/** Lets work in the background wait for urgent work. */
export class Turns {
  readonly #urgent = new Set<Promise<unknown>>();
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the work at once. */
  async now<Result>(work: () => Promise<Result>): Promise<Result> {
    const running = work();
    this.#urgent.add(running);
    try {
      return await running;
    } finally {
      this.#urgent.delete(running);
    }
  }

  /** Runs the work when nothing urgent runs, one after the other. */
  later(work: () => Promise<unknown> | undefined): void {
    this.#last = this.#last.then(async () => {
      while (this.#urgent.size > 0) await Promise.allSettled(this.#urgent);
      await Promise.allSettled([work()]);
    });
  }
}
