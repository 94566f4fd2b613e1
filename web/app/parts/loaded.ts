import { useEffect, useRef, useState } from 'preact/hooks';
import { refused } from './refusal.ts';
import { Repetition } from './repetition.ts';

export interface Loaded<Value> {
  value: Value | undefined;
  /** The error of the newest load. It leaves an earlier value. */
  thrown: unknown;
  reload(): Promise<void>;
}

/**
 * A value from the service. It is asked for again after a refusal, and with `isLive` while the page is seen, less and less
 * often.
 */
export function useLoaded<Value>(load: () => Promise<Value>, isLive = false): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [thrown, setThrown] = useState<unknown>(null);
  const calls = useRef(0);
  const reload = async () => {
    const call = ++calls.current;
    try {
      const answer = await load();
      // A slow answer must not replace a newer one.
      if (call !== calls.current) return;
      setValue(answer);
      setThrown(null);
    } catch (error) {
      if (call === calls.current) setThrown(error);
    }
  };
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    // Called at once, too.
    const unsubscribe = refused.subscribe(() => void latest.current());
    const repetition = isLive ? new Repetition(() => latest.current()) : null;
    return () => {
      unsubscribe();
      repetition?.stop();
    };
  }, []);
  return { value, thrown, reload };
}
