import type { CallRecord, PermissionUse } from '../ports.ts';

const kept = 100_000;

/** The calls since the last clear, in the order in which they came. */
export class CallLog {
  #records: CallRecord[] = [];
  readonly #uses = new Map<string, PermissionUse>();

  /** The record is filled in further while the call runs. */
  add(record: CallRecord): void {
    this.#records.push(record);
    if (this.#records.length > 2 * kept) this.#records = this.#records.slice(-kept);
  }

  all(): CallRecord[] {
    return this.#records.slice(-kept);
  }

  /** What a call was allowed to do; kept over a clear. */
  used(use: PermissionUse): void {
    this.#uses.set(JSON.stringify(use), use);
  }

  uses(): PermissionUse[] {
    return [...this.#uses.values()];
  }

  clear(): void {
    this.#records = [];
  }
}
