import { useRef, useState } from 'preact/hooks';

/** The work of a button, one run at a time, and whether it is running. During a run, another one resolves to undefined. */
export function useBusy<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const run = async (...args: Args): Promise<Result | undefined> => {
    if (isRunning.current) return undefined;
    isRunning.current = true;
    setBusy(true);
    try {
      return await work(...args);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { isBusy, run };
}
