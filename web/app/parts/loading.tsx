import { useEffect, useState } from 'preact/hooks';
import { Spinner } from '../../parts/spinner.tsx';
import { usePage } from '../page.ts';

const LASTS_MS = 1_000;

/** The text appears after a second: screen readers announce it, and usually loading is over by then. */
export function Loading() {
  const { texts } = usePage();
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLasts, LASTS_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p class="loading" role="status">
      <Spinner />
      {lasts && <span>{texts.loading}</span>}
    </p>
  );
}
