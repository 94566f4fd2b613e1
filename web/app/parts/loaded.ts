import { useEffect, useRef, useState } from 'preact/hooks';
import { afterFailures } from './failures.ts';
import { isRefusal } from './refusal.ts';
import { repeat } from './repetition.ts';

export interface Loaded<Value> {
  value: Value | undefined;
  /** The error of the newest load. An earlier value stays. */
  thrown: unknown;
  /** False if there was no response. */
  reload(): Promise<boolean>;
}

/** A value from the service, loaded again after a failed action, and with `isLive` while the page is visible. */
export function useLoaded<Value>(load: () => Promise<Value>, isLive = false): Loaded<Value> {
  const [value, setValue] = useState<Value>();
  const [thrown, setThrown] = useState<unknown>(null);
  const calls = useRef(0);
  const ask = async (tells = (_: unknown) => true) => {
    const call = ++calls.current;
    try {
      const answer = await load();
      // A slow response must not replace a newer one.
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
    // The action itself reports that the service cannot be reached.
    const stopListening = afterFailures(() => void latest.current(isRefusal));
    const repetition = isLive ? repeat(() => latest.current()) : null;
    return () => {
      stopListening();
      repetition?.stop();
    };
  }, []);
  return { value, thrown, reload: () => ask() };
}
