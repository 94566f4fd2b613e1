/** The counters of a coverage run take several times as long as the work that they count. */
const SHARE_OF_WORK = 0.25;

/** Milliseconds of processor time: unlike the clock, it does not depend on what else the machine does. */
export function cpuTimeOf(work: () => unknown): number {
  const passed = startCpuClock();
  work();
  return passed();
}

/** The same for work that waits. */
export async function cpuTimeOfAsync(work: () => Promise<unknown>): Promise<number> {
  const passed = startCpuClock();
  await work();
  return passed();
}

function startCpuClock(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1000) * ('__coverage__' in globalThis ? SHARE_OF_WORK : 1);
  };
}
