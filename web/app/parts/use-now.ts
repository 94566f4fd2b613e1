import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../page.ts';

const LOOK_MS = 10_000;

/** The service's time as it goes by: a page may stay open over night. */
export function useNow(): number {
  const { session } = usePage();
  const [now, setNow] = useState(session.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(session.now()), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
