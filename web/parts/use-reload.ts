import { useBusy } from './use-busy.ts';
import { useIsShown } from './use-is-shown.ts';

/**
 * Loads the page again if the service can be reached: without a connection, the browser's own error would take the place of the
 * page. `reach` resolves to whether there was a response.
 */
export function useReload(reach: () => Promise<boolean>) {
  const isShown = useIsShown();
  const { isBusy, run: reload } = useBusy(async () => {
    const isReached = await reach();
    // Not below a user who is elsewhere on the page by now.
    if (isReached && isShown.current) location.reload();
  });
  return { isBusy, reload };
}
