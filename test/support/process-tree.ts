import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A process and all its descendants. */
export function processTree(root: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const descendants = (parent: number): number[] =>
    rows.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid, ...descendants(pid)] : []));
  return [root, ...descendants(root)];
}

/** The sum over the tree, without processes that have just ended. */
const total = (root: number, read: (pid: number) => number): number =>
  processTree(root).reduce((sum, pid) => {
    try {
      return sum + read(pid);
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
        return sum;
      throw error;
    }
  }, 0);

/** The memory of the tree, with shared pages counted once (PSS). */
export const megabytes = (root: number): number =>
  total(root, (pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }) / 1024;

/** Linux counts in hundredths of a second on every platform that Node runs on. */
const TICKS_A_SECOND = 100;

/** The processor time of the tree in seconds, that of its ended processes included. */
export const processorSeconds = (root: number): number =>
  total(root, (pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces. After it come the state and, from the 12th on, the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  }) / TICKS_A_SECOND;

export const openFiles = (root: number): number =>
  total(root, (pid) => readdirSync(`/proc/${pid}/fd`).length);
