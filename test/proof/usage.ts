import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Processor time, memory and open files of this process with the processes that it started: service, clients and receivers. */

const TICKS_PER_SECOND = 100;

/** This process and all that it started. */
function processes(): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...below(pid)] : []));
  return [process.pid, ...below(process.pid)];
}

/** Of a process that has ended meanwhile, 0. */
function sum(read: (pid: number) => number): number {
  return processes()
    .map((pid) => {
      try {
        return read(pid);
      } catch {
        return 0;
      }
    })
    .reduce((total, each) => total + each, 0);
}

export const processorSeconds = (): number =>
  sum((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  });

/** Pages that several processes share are counted once. */
export const megabytes = (): number =>
  sum((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0)) /
  1024;

export const openFiles = (): number => sum((pid) => readdirSync(`/proc/${pid}/fd`).length);
