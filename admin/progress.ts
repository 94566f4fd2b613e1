import { SECOND } from '../shared/runtime/time.ts';

const WIDTH = 30;
/** Work that ends sooner shows no progress. */
const SILENT_MS = 500;
const REDRAW_MS = 100;
/** Without a terminal, print a line this often. */
const LINE_MS = 10_000;

/**
 * A progress bar on stderr; stdout carries only the result. Without a total, it counts. Declared with `using`, it ends its
 * line with the work, also before an error is printed.
 */
export class Progress {
  readonly #label: string;
  readonly #total: number | undefined;
  readonly #startedAt = Date.now();
  readonly #isTerminal = process.stderr.isTTY === true;
  #count = 0;
  #drawnAt = 0;
  #line = '';

  constructor(label: string, total?: number) {
    this.#label = label;
    this.#total = total;
  }

  add(count = 1): void {
    this.#count += count;
    const now = Date.now();
    if (now - this.#startedAt < SILENT_MS || now - this.#drawnAt < (this.#isTerminal ? REDRAW_MS : LINE_MS))
      return;
    this.#drawnAt = now;
    this.#draw();
  }

  [Symbol.dispose](): void {
    if (this.#drawnAt === 0) return;
    this.#draw();
    if (this.#isTerminal) process.stderr.write('\n');
  }

  #draw(): void {
    const line = `${this.#label} ${this.#total === undefined ? this.#count : this.#bar(this.#total)}`;
    if (line === this.#line) return;
    this.#line = line;
    process.stderr.write(this.#isTerminal ? `\r${line}` : `${line}\n`);
  }

  #bar(expected: number): string {
    const total = Math.max(expected, this.#count);
    const full = total === 0 ? WIDTH : Math.round((this.#count / total) * WIDTH);
    return `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}] ${this.#count} of ${total}`;
  }
}

/** Counts the seconds of work that does not say how far it is. */
export async function countSeconds<T>(label: string, work: Promise<T>): Promise<T> {
  using progress = new Progress(label);
  const timer = setInterval(() => progress.add(), SECOND);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
