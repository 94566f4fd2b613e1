import type { Network } from './api.ts';

interface Listeners {
  onConnection(lost: boolean): void;
  onServerTime(now: number): void;
}

/** The browser's own network, and what ends its pauses early. */
export function browserNetwork(listeners: Listeners): { network: Network; tryNow(): void } {
  let endPause = () => {};
  window.addEventListener('online', () => endPause());
  const network: Network = {
    ...listeners,
    fetch: window.fetch.bind(window),
    isOnline: () => navigator.onLine,
    pause: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
  return { network, tryNow: () => endPause() };
}
