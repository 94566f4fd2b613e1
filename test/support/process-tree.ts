import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

interface Row {
  pid: number;
  parent: number;
  /** A letter: Z for one that has ended and waits for its parent. */
  state: string;
}

/** The fields of a process in /proc, from its state on. Its name before them, in parentheses, may hold spaces. */
function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function rowOf(pid: number): Row[] {
  try {
    const [state = '', parent] = statOf(pid);
    return [{ pid, parent: Number(parent), state }];
  } catch (error) {
    if (isEnded(error)) return [];
    throw error;
  }
}

/** All processes of the machine: of Linux without `ps`, which not every machine has. */
export function processes(): Row[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => rowOf(Number(name)));
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return rows.map((row) => {
    const [pid, parent, state = ''] = row.trim().split(/\s+/);
    return { pid: Number(pid), parent: Number(parent), state: state.slice(0, 1) };
  });
}

const isEnded = (error: unknown) =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');

/** A process and all its descendants. */
export function processTree(root: number): number[] {
  const rows = processes();
  const descendants = (of: number): number[] =>
    rows.flatMap(({ pid, parent }) => (parent === of ? [pid, ...descendants(pid)] : []));
  return [root, ...descendants(root)];
}

/** The sum over the tree, without processes that have just ended. */
const total = (root: number, read: (pid: number) => number): number =>
  processTree(root).reduce((sum, pid) => {
    try {
      return sum + read(pid);
    } catch (error) {
      if (isEnded(error)) return sum;
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
    // From the 12th field after the name on: its times.
    const fields = statOf(pid);
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  }) / TICKS_A_SECOND;

export const openFiles = (root: number): number =>
  total(root, (pid) => readdirSync(`/proc/${pid}/fd`).length);
