type Write<T> = (items: T[]) => Promise<void>;

interface Batch<T> {
  items: T[];
  written: Promise<void>;
}

const LARGEST_BATCH = 20;

/** Writes what belongs to the same key one after the other: what comes while one write is under way goes into the next together. */
export class Gatherer<T> {
  /** Batches that still take items. */
  readonly #open = new Map<string, Batch<T>>();
  readonly #lastWrites = new Map<string, Promise<void>>();

  /** Resolves when the item was written, rejects when its batch could not be. */
  add(key: string, item: T, write: Write<T>): Promise<void> {
    const open = this.#open.get(key);
    if (open && open.items.length < LARGEST_BATCH) {
      open.items.push(item);
      return open.written;
    }
    const items = [item];
    const written = this.#afterTheLast(key, () => {
      if (this.#open.get(key)?.items === items) this.#open.delete(key);
      return write(items);
    });
    this.#open.set(key, { items, written });
    return written;
  }

  #afterTheLast(key: string, work: () => Promise<void>): Promise<void> {
    const written = (this.#lastWrites.get(key) ?? Promise.resolve()).then(work);
    const ended = written
      .catch(() => {})
      .then(() => {
        if (this.#lastWrites.get(key) === ended) this.#lastWrites.delete(key);
      });
    this.#lastWrites.set(key, ended);
    return written;
  }
}
