import { sleep } from '../runtime/time.ts';
import { ConditionFailed, WriteCollision } from './table.ts';

const ATTEMPTS = 50;

/**
 * Runs a read, decide, write-if-unchanged again while others are faster. The condition that says "unchanged" is the
 * transaction's first write; another one that fails is the caller's own matter and thrown at once.
 */
export async function untilNotOvertaken<T>(work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const overtaken =
        error instanceof WriteCollision || (error instanceof ConditionFailed && error.failed.includes(0));
      if (!overtaken || attempt === ATTEMPTS) throw error;
      await sleep(Math.random() * Math.min(10 * attempt, 300));
    }
  }
}
