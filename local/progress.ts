/** Progress of the start: one line that counts the seconds on a terminal, otherwise a line for each step. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  #step: { name: string; startedAt: number } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: NodeJS.WriteStream = process.stdout) {
    this.#out = out;
  }

  step(name: string): void {
    this.#step = { name, startedAt: performance.now() };
    if (!this.#out.isTTY) {
      this.#out.write(`${name}\n`);
      return;
    }
    this.#draw();
    this.#timer ??= setInterval(() => this.#draw(), 1_000).unref();
  }

  /** Removes the line, so that other output starts on a clean one. The next second draws it again. */
  clear(): void {
    if (this.#timer) this.#out.write('\r\x1b[2K');
  }

  end(): void {
    this.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #draw(): void {
    if (!this.#step) return;
    const { name, startedAt } = this.#step;
    const seconds = Math.floor((performance.now() - startedAt) / 1_000);
    this.#out.write(`\r\x1b[2K${name} … ${seconds} s`);
  }
}
