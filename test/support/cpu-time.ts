/** The counters of a coverage run take several times as long as the work that they count. */
const SHARE_OF_WORK = 0.25;

/** The time of the reference work on the machine that the limits of the tests are meant for. */
const REFERENCE_MS = 60;

/**
 * Milliseconds of processor time that the work would take on the machine of the limits: unlike the clock, they depend little
 * on what else this machine does and on how slow it is.
 */
export function cpuTimeOf(work: () => unknown): number {
  const passed = startCpuClock();
  work();
  return passed() / slowness();
}

/** The same for work that waits. */
export async function cpuTimeOfAsync(work: () => Promise<unknown>): Promise<number> {
  const passed = startCpuClock();
  await work();
  return passed() / slowness();
}

/** Of this thread alone: others of the process may be functions that an earlier suite has left. */
function startCpuClock(): () => number {
  const before = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(before);
    return ((user + system) / 1000) * ('__coverage__' in globalThis ? SHARE_OF_WORK : 1);
  };
}

/** The time of the reference work now, as a multiple of the time there; at least 1, so that a faster machine keeps the limits. */
export function slowness(): number {
  const passed = startCpuClock();
  const values = Array.from({ length: 100_000 }, (_, n) => ({ key: ((n * 7919) % 100_003).toString(16), n }));
  const byKey = new Map(values.map((value) => [value.key, value]));
  [...byKey.keys()].sort();
  return Math.max(1, passed() / REFERENCE_MS);
}
