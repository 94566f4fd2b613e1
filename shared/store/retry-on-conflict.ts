import { sleep } from '../runtime/time.ts';
import { Contended } from './overload.ts';
import { ConditionFailed, WriteCollision } from './table.ts';

const ATTEMPTS = 50;

/**
 * Repeats a read, decide, write-if-unchanged cycle until no concurrent write interferes. The first write of the
 * transaction must carry the "unchanged" condition; failures of other conditions are thrown at once.
 */
export async function retryOnConflict<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const overtaken =
        error instanceof WriteCollision || (error instanceof ConditionFailed && error.failed.includes(0));
      if (!overtaken) throw error;
      if (attempt === ATTEMPTS) throw new Contended(error);
      await sleep(Math.random() * Math.min(10 * attempt, 300));
    }
  }
}
