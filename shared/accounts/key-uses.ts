import { errorFields, log } from '../runtime/log.ts';
import { SECOND } from '../runtime/time.ts';
import { recordKeyUse, startOfHour } from '../store/key-uses.ts';
import type { Table } from '../store/table.ts';

/** An answer waits at most this long for the write, which starts before the call's own work and usually ends first. */
const MAX_WAIT_MS = 0.25 * SECOND;

/** Records that API keys are used, while their calls are served: once an hour for each key and function instance. */
export class KeyUses {
  readonly #table: Table;
  readonly #recorded = new Set<string>();
  #hour = 0;
  #writing: Promise<void> | undefined;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Starts the write, if one is due. */
  note(keyId: string, now: Date): void {
    const hour = startOfHour(now).getTime();
    if (hour !== this.#hour) this.#recorded.clear();
    this.#hour = hour;
    if (!this.#recorded.has(keyId)) this.#writing = this.#record(keyId, now);
  }

  async #record(keyId: string, now: Date): Promise<void> {
    try {
      await recordKeyUse(this.#table, keyId, now);
      this.#recorded.add(keyId);
    } catch (error) {
      log.warn('The use of a key was not recorded', errorFields(error));
    }
  }

  /** Await it before answering: Lambda freezes the function afterwards. */
  async settled(): Promise<void> {
    const writing = this.#writing;
    if (!writing) return;
    this.#writing = undefined;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS);
    });
    await Promise.race([writing, timeout]);
    clearTimeout(timer);
  }
}
