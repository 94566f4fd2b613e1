/** A cache that is emptied when the total weight of its items passes a limit. */
export class Kept<T> {
  readonly #limit: number;
  readonly #items = new Map<number, { item: T; weight: number }>();
  #weight = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(num: number): { item: T; weight: number } | undefined {
    return this.#items.get(num);
  }

  keep(num: number, item: T, weight: number): T {
    this.#weight += weight;
    if (this.#weight > this.#limit) {
      this.#items.clear();
      this.#weight = weight;
    }
    this.#items.set(num, { item, weight });
    return item;
  }
}
