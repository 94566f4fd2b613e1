import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { Random } from './random.ts';

/** A function may need so many turns from its begin to its end. */
const MOST_DELAY = 60;

/** What happens to a function. Each of its calls of AWS counts as two halves. */
export interface Fate {
  /** Its next answer never comes. */
  diesAfter: number | undefined;
  /** Its next answer comes when it is woken. */
  sleepsAfter: number | undefined;
}

interface Life extends Fate {
  halves: number;
  die: () => void;
  sleep: () => Promise<void>;
}

/** A function that has begun. */
interface Running {
  /** False if it died. */
  ended: Promise<boolean>;
  asleep: Promise<void>;
  wake: () => void;
}

/** Draws how calls of AWS meet that functions make at the same time. */
export class Meeting {
  readonly #random: Random;
  readonly #lives = new AsyncLocalStorage<Life>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Mostly for a moment, sometimes for as long as another takes for all that it does. */
  async letOthersGoOn(): Promise<void> {
    await this.#pass(this.#random.below(4) === 0 ? 25 : 4);
  }

  /** Lets functions that are called at the same time begin one after another. */
  async begin(): Promise<void> {
    await this.#pass(MOST_DELAY);
  }

  async #pass(most: number): Promise<void> {
    for (let turns = this.#random.below(most); turns > 0; turns -= 1) await setImmediate();
  }

  /** A call of AWS. */
  async call<T>(answer: () => T | Promise<T>): Promise<T> {
    await this.#halfACall();
    try {
      return await answer();
    } finally {
      await this.#halfACall();
    }
  }

  async #halfACall(): Promise<void> {
    await this.letOthersGoOn();
    const life = this.#lives.getStore();
    if (!life) return;
    life.halves += 1;
    if (life.halves === life.sleepsAfter) await life.sleep();
    if (life.diesAfter === undefined || life.halves <= life.diesAfter) return;
    life.die();
    await new Promise(() => undefined);
  }

  /** Begins a function that has this fate. */
  run(fate: Fate, work: () => Promise<unknown>): Running {
    const end = Promise.withResolvers<boolean>();
    const evening = Promise.withResolvers<void>();
    const morning = Promise.withResolvers<void>();
    const sleep = () => {
      evening.resolve();
      return morning.promise;
    };
    const life: Life = { ...fate, halves: 0, die: () => end.resolve(false), sleep };
    const live = async () => {
      await this.begin();
      await work();
    };
    this.#lives.run(life, live).then(() => end.resolve(true), end.reject);
    return { ended: end.promise, asleep: evening.promise, wake: morning.resolve };
  }
}
