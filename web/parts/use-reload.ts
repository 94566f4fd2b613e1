import { useBusy } from './use-busy.ts';
import { useIsShown } from './use-is-shown.ts';

/** Reloads the page once `reach` had a response: without a connection, the browser's own error would replace the page. */
export function useReload(reach: () => Promise<boolean>) {
  const isShown = useIsShown();
  const { isBusy, run: reload } = useBusy(async () => {
    const isReached = await reach();
    // Not below a user who is elsewhere on the page by now.
    if (isReached && isShown.current) location.reload();
  });
  return { isBusy, reload };
}
