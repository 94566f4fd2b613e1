import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a condition: tries again until `look` gives something. */
export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  what: string,
  seconds = 40,
): Promise<T> {
  const end = performance.now() + seconds * 1_000;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${seconds} s for ${what}.`);
    await wait(20);
  }
}
