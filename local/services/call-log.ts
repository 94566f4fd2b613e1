import type { CallRecord, PermissionUse } from '../ports.ts';

const MAX_RECORDS = 100_000;

/** The calls since the last clear, oldest first. */
export class CallLog {
  #records: CallRecord[] = [];
  readonly #uses = new Map<string, PermissionUse>();

  /** The caller completes the record while the call runs. */
  add(record: CallRecord): void {
    this.#records.push(record);
    if (this.#records.length > 2 * MAX_RECORDS) this.#records = this.#records.slice(-MAX_RECORDS);
  }

  all(): CallRecord[] {
    return this.#records.slice(-MAX_RECORDS);
  }

  /** Not affected by `clear`. */
  addUse(use: PermissionUse): void {
    this.#uses.set(`${use.function} ${use.action} ${use.resources}`, use);
  }

  uses(): PermissionUse[] {
    return [...this.#uses.values()];
  }

  clear(): void {
    this.#records = [];
  }
}
