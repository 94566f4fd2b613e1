import type { Network } from './api.ts';

type Listeners = Pick<Network, 'onDelay' | 'onServerTime'>;

/** The browser's network, and a function that ends its pauses early. */
export function browserNetwork(listeners: Listeners): { network: Network; tryNow(): void } {
  const pauses = new Set<() => void>();
  const tryNow = () => {
    for (const end of pauses) end();
  };
  window.addEventListener('online', tryNow);
  const network: Network = {
    ...listeners,
    fetch: window.fetch.bind(window),
    isOnline: () => navigator.onLine,
    pause: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          pauses.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        pauses.add(end);
      }),
  };
  return { network, tryNow };
}
