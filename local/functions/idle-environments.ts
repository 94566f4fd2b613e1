/** Execution environments that wait for the next invocation. */
import type { Credentials } from '../ports.ts';
import type { FunctionWorker } from './function-worker.ts';

export interface Environment {
  worker: Pick<FunctionWorker, 'alive' | 'onOutput' | 'invoke' | 'kill' | 'ref' | 'unref'>;
  credentials: Credentials;
}

interface Idle {
  kind: string;
  since: number;
  retire(): void;
  timer: NodeJS.Timeout;
}

/** Each holds some 20 MB. Four clients at once keep about so many busy in turn; with fewer, most calls would start one anew. */
export const MAX_IDLE_ENVIRONMENTS = 48;
const IDLE_MS = 60_000;
/** Calls of a burst come in waves, which take the same environments in turn. */
const BURST_MS = 5_000;
/** A job of every minute keeps one or two. */
const AT_REST = 2;

/**
 * The idle environments of all functions, of which one is stopped when there are too many. One run of a stack can leave
 * them to the next, on the same ports and with the same values in its secrets: they remember both.
 */
export class IdleEnvironments {
  /** The clock that all of them follow. */
  readonly clockOffset = new SharedArrayBuffer(8);
  /** In the order of their last use. */
  readonly #idle = new Map<Environment, Idle>();
  readonly #most: number;
  readonly #now: () => number;

  constructor(most = MAX_IDLE_ENVIRONMENTS, now = () => performance.now()) {
    this.#most = most;
    this.#now = now;
  }

  add(kind: string, environment: Environment, onRetire: () => void): void {
    const retire = (): void => {
      this.#remove(environment);
      onRetire();
    };
    environment.worker.unref();
    const expire = (): void => {
      retire();
      if (this.#idle.size <= AT_REST) giveMemoryBack();
    };
    const timer = setTimeout(expire, IDLE_MS).unref();
    this.#idle.set(environment, { kind, since: this.#now(), retire, timer });
    if (this.#idle.size > this.#most) this.#leastNeeded()?.retire();
  }

  /** The one of this kind that was used last. */
  take(kind: string): Environment | undefined {
    for (const [environment, idle] of [...this.#idle].reverse()) {
      if (idle.kind !== kind) continue;
      if (environment.worker.alive) {
        this.#remove(environment);
        environment.worker.ref();
        return environment;
      }
      idle.retire();
    }
    return undefined;
  }

  has = (environment: Environment): boolean => this.#idle.has(environment);

  stop(): void {
    for (const { retire } of [...this.#idle.values()]) retire();
  }

  /**
   * The oldest of the function that has the most: what a burst of calls left goes before the only one of another function,
   * but not while it may go on.
   */
  #leastNeeded(): Idle | undefined {
    const old = [...this.#idle.values()].filter(({ since }) => this.#now() - since > BURST_MS);
    const all = old.length > 0 ? old : [...this.#idle.values()];
    const sizes = new Map<string, number>();
    for (const { kind } of all) sizes.set(kind, (sizes.get(kind) ?? 0) + 1);
    const most = Math.max(...sizes.values());
    return all.find(({ kind }) => sizes.get(kind) === most);
  }

  #remove(environment: Environment): void {
    clearTimeout(this.#idle.get(environment)?.timer);
    this.#idle.delete(environment);
  }
}

/** Under load this process's young generation grows to 64 MB, which V8 keeps at rest. Only `npm start` gives it `gc`. */
function giveMemoryBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
