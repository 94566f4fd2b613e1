/** The counters of a coverage run take several times as long as the work that they count. */
const SHARE_OF_WORK = 0.25;

/** Milliseconds of processor time: unlike the clock, it does not depend on what else the machine does. */
export function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000) * ('__coverage__' in globalThis ? SHARE_OF_WORK : 1);
}
