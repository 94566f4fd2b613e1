import { sleep } from '../runtime/time.ts';
import { Contended } from './overload.ts';
import { ConditionFailed, type Table, type Write, WriteCollision } from './table.ts';

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
      if (attempt === ATTEMPTS)
        throw new Contended('Other writes touched the same items at every attempt.', { cause: error });
      await sleep(Math.random() * Math.min(10 * attempt, 300));
    }
  }
}

/**
 * The write of such a cycle. The conditions of the first writes say that what was read still holds; one of them that fails
 * counts as that of the very first. A read may have seen another transaction in part.
 */
export async function transactIfUnchanged(table: Table, unchanged: Write[], others: Write[]): Promise<void> {
  try {
    await table.transact([...unchanged, ...others]);
  } catch (error) {
    const isOvertaken =
      error instanceof ConditionFailed && error.failed.some((place) => place < unchanged.length);
    throw isOvertaken ? new ConditionFailed(error.current) : error;
  }
}
