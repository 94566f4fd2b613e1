import type { CallRecord } from '../ports.ts';

const kept = 100_000;

/** The calls since the last clear, in the order in which they came. */
export class CallLog {
  #records: CallRecord[] = [];

  /** The record is filled in further while the call runs. */
  add(record: CallRecord): void {
    this.#records.push(record);
    if (this.#records.length > 2 * kept) this.#records = this.#records.slice(-kept);
  }

  all(): CallRecord[] {
    return this.#records.slice(-kept);
  }

  clear(): void {
    this.#records = [];
  }
}
