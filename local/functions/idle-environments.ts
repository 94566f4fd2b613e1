/** Execution environments that wait for the next invocation. */
import type { Credentials } from '../ports.ts';
import type { FunctionWorker } from './function-worker.ts';

export interface Environment {
  worker: Pick<FunctionWorker, 'alive' | 'onOutput' | 'invoke' | 'end' | 'kill' | 'ref' | 'unref'>;
  credentials: Credentials;
}

interface Idle {
  kind: string;
  since: number;
  retire(): void;
  timer: NodeJS.Timeout;
}

/** Each takes about 20 MB. Four concurrent clients use about this many in turn; below it, most of their calls would be cold starts. */
export const MAX_IDLE_ENVIRONMENTS = 48;
const IDLE_MS = 60_000;
/** A burst of calls comes in waves, which use the same environments in turn. */
const BURST_MS = 5_000;
/** Jobs that run every minute keep one or two environments. */
const AT_REST = 2;

/**
 * The idle environments of all functions; above the limit, one is stopped. A run of a stack can leave them to the next run, if that
 * has the same ports and secret values: environments remember both.
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
   * The oldest environment of the function that has the most: leftovers of a burst go before another function's only environment,
   * but not while the burst may continue.
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

/** Under load V8's young generation grows to 64 MB and keeps that size. Only `npm start` exposes `gc`. */
function giveMemoryBack(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
