/** The same seed draws the same values. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 0x9e3779b1) | 0;
  }

  /** A whole number from 0 to `below` - 1 (mulberry32). */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  }

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new Error('The list is empty.');
    return item;
  }

  /** A count spread over orders of magnitude, half of them the largest one. */
  upTo(most: number): number {
    if (this.below(2) === 0) return Math.max(1, most - this.below(Math.ceil(most / 2)));
    return Math.max(1, Math.floor(most ** (this.below(1_001) / 1_000)));
  }
}
