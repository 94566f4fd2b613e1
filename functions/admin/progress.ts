const WIDTH = 30;
/** Short work shows nothing. */
const SILENT_MS = 500;
const REDRAW_MS = 100;
/** Where nobody watches, a line now and then. */
const LINE_MS = 10_000;

/** A bar on stderr for work that takes long; stdout is the answer's alone. */
export class Progress {
  readonly #what: string;
  readonly #total: number;
  readonly #began = Date.now();
  readonly #live = process.stderr.isTTY === true;
  #count = 0;
  #drawn = 0;

  constructor(what: string, total: number) {
    this.#what = what;
    this.#total = total;
  }

  add(count = 1): void {
    this.#count += count;
    const now = Date.now();
    if (now - this.#began < SILENT_MS || now - this.#drawn < (this.#live ? REDRAW_MS : LINE_MS)) return;
    this.#drawn = now;
    this.#draw();
  }

  end(): void {
    if (this.#drawn === 0) return;
    this.#draw();
    if (this.#live) process.stderr.write('\n');
  }

  #draw(): void {
    const total = Math.max(this.#total, this.#count);
    const full = total === 0 ? WIDTH : Math.round((this.#count / total) * WIDTH);
    const bar = `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}]`;
    const line = `${this.#what} ${bar} ${this.#count} of ${total}`;
    process.stderr.write(this.#live ? `\r${line}` : `${line}\n`);
  }
}
