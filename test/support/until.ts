import { setTimeout as wait } from 'node:timers/promises';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 160;

/** Waits for a condition: tries again until `look` gives something, less and less often, since a look may cost a function call. */
export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  what: string,
  seconds = 40,
): Promise<T> {
  const end = performance.now() + seconds * 1_000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > end) throw new Error(`Waited ${seconds} s for ${what}.`);
    await wait(pause);
  }
}
