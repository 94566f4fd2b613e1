import { useState } from 'preact/hooks';

/** The work of a button, and whether it is running. */
export function useBusy(work: () => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await work();
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, run: () => void run() };
}
