import { useEffect, useRef, useState } from 'preact/hooks';
import { afterFailures } from './failures.ts';
import { isRefusal } from './refusal.ts';
import { Repetition } from './repetition.ts';

export interface Loaded<Value> {
  value: Value | undefined;
  /** The error of the newest load. It leaves an earlier value. */
  thrown: unknown;
  /** False without an answer. */
  reload(): Promise<boolean>;
}

/** A value from the service. It is asked for again after an action failed, and with `isLive` while the page is seen. */
export function useLoaded<Value>(load: () => Promise<Value>, isLive = false): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [thrown, setThrown] = useState<unknown>(null);
  const calls = useRef(0);
  const ask = async (tells = (_: unknown) => true) => {
    const call = ++calls.current;
    try {
      const answer = await load();
      // A slow answer must not replace a newer one.
      if (call === calls.current) {
        setValue(answer);
        setThrown(null);
      }
      return true;
    } catch (error) {
      if (call === calls.current && (value === undefined || tells(error))) setThrown(error);
      return false;
    }
  };
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    void latest.current();
    // The action tells by itself that the service cannot be reached.
    const stopListening = afterFailures(() => void latest.current(isRefusal));
    const repetition = isLive ? new Repetition(() => latest.current()) : null;
    return () => {
      stopListening();
      repetition?.stop();
    };
  }, []);
  return { value, thrown, reload: () => ask() };
}
