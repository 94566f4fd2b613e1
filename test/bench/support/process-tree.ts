import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

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

/** The kernel's account of a process; nothing if it has just ended. */
function told(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
      return '';
    throw error;
  }
}

/** The memory of the tree, with shared pages counted once (PSS). */
export function megabytes(root: number): number {
  const sizes = processTree(root).map((pid) => {
    const rollup = told(pid, 'smaps_rollup');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  });
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}

/** Linux counts in hundredths of a second on every platform that Node runs on. */
const TICKS_A_SECOND = 100;

/** The processor time of the tree in seconds, that of its ended processes included. */
export function processorSeconds(root: number): number {
  const ticks = processTree(root).map((pid) => {
    const stat = told(pid, 'stat');
    // The name in parentheses may hold spaces. After it come the state and, from the 12th on, the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
}
