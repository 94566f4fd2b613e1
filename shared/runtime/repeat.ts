import { sleep } from './time.ts';

/** Between the attempts of a call that the SDK does not repeat by itself: as many as it makes. */
const PAUSES_MS = [300, 1_500];

/** Repeats work that fails, unless the error is known not to be transient. */
export async function repeat<T>(
  work: () => Promise<T>,
  isTransient: (error: unknown) => boolean = () => true,
  [pause, ...pauses]: readonly number[] = PAUSES_MS,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (pause === undefined || !isTransient(error)) throw error;
    await sleep(pause);
    return repeat(work, isTransient, pauses);
  }
}
