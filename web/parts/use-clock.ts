import { useEffect, useState } from 'preact/hooks';

/** The service's time, read again and again: a page may stay open overnight. */
export function useClock(now: () => number, everyMs: number): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    const timer = setInterval(() => setTime(now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return time;
}
