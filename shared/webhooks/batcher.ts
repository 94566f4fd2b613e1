type Write<T> = (items: T[]) => Promise<void>;

interface Batch<T> {
  items: T[];
  written: Promise<void>;
}

const MAX_BATCH_ITEMS = 20;

/** Runs one write at a time for each key. Items added during a write go together into the next one. */
export class Batcher<T> {
  /** Batches that still accept items. */
  readonly #open = new Map<string, Batch<T>>();
  readonly #lastWrites = new Map<string, Promise<void>>();

  /** Resolves when the item is written, rejects if its batch fails. */
  add(key: string, item: T, write: Write<T>): Promise<void> {
    const open = this.#open.get(key);
    if (open && open.items.length < MAX_BATCH_ITEMS) {
      open.items.push(item);
      return open.written;
    }
    const items = [item];
    const written = this.#afterLastWrite(key, () => {
      if (this.#open.get(key)?.items === items) this.#open.delete(key);
      return write(items);
    });
    this.#open.set(key, { items, written });
    return written;
  }

  #afterLastWrite(key: string, work: () => Promise<void>): Promise<void> {
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
