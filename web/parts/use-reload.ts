import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Loads the page again if the service can be reached: without a connection, the browser's own error would take the place of the
 * page. `reach` resolves to whether there was a response.
 */
export function useReload(reach: () => Promise<boolean>) {
  const [isBusy, setBusy] = useState(false);
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const reload = async () => {
    setBusy(true);
    const isReached = await reach();
    // Not below a user who is elsewhere on the page by now.
    if (isReached && isShown.current) location.reload();
    setBusy(false);
  };
  return { isBusy, reload: () => void reload() };
}
