type Write<T, R> = (items: T[]) => Promise<R>;

interface Batch<T, R> {
  items: T[];
  written: Promise<R>;
}

const MAX_BATCH_ITEMS = 20;

/** Runs one write at a time for each key. Items added during a write go together into the next one. */
export class Batcher<T, R = void> {
  /** Batches that still accept items. */
  readonly #open = new Map<string, Batch<T, R>>();
  readonly #lastWrites = new Map<string, Promise<void>>();

  /** Resolves to what the write of the item's batch returns, rejects if that fails. */
  add(key: string, item: T, write: Write<T, R>): Promise<R> {
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

  #afterLastWrite(key: string, work: () => Promise<R>): Promise<R> {
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
