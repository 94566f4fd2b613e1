import { useRef, useState } from 'preact/hooks';
import { usePage } from '../page.ts';
import { noteFailure } from './failures.ts';
import { messageOf } from './problem.tsx';

/** Runs the work of a button, one run at a time, and keeps the error to show. */
export function useAction<Args extends unknown[]>(work: (...args: Args) => Promise<unknown>) {
  const { texts, say } = usePage();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [thrown, setThrown] = useState<unknown>(null);
  const run = async (...args: Args): Promise<boolean> => {
    if (isRunning.current) return false;
    isRunning.current = true;
    setBusy(true);
    setThrown(null);
    say('');
    try {
      await work(...args);
      return true;
    } catch (error) {
      setThrown(error);
      noteFailure(error);
      return false;
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return {
    run,
    isBusy,
    thrown,
    forget: () => setThrown(null),
    problem: thrown === null ? null : messageOf(thrown, texts),
  };
}
