import { useState } from 'preact/hooks';
import { useBusy } from '../../parts/use-busy.ts';
import { usePage } from '../page.ts';
import { noteFailure } from './failures.ts';
import { messageOf } from './problem.tsx';

/** Runs the work of a button, and keeps the error to show. `run` resolves to true if the work is done. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const { texts, say } = usePage();
  const [thrown, setThrown] = useState<unknown>(null);
  const attempt = async (...args: Args) => {
    setThrown(null);
    say('');
    try {
      await work(...args);
      return true;
    } catch (error) {
      setThrown(error);
      noteFailure(error);
      return false;
    }
  };
  return {
    ...useBusy(attempt),
    thrown,
    forget: () => setThrown(null),
    problem: thrown === null ? null : messageOf(thrown, texts),
  };
}
