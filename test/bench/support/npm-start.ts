import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { freePort } from '../../../local/listen.ts';
import { processTree } from '../../support/process-tree.ts';

export interface Run {
  child: ChildProcess;
  baseUrl: string;
  /** From the command to its `Ready`. */
  seconds: number;
}

/** Starts a local cloud by a command that takes `--port` and `--dir`. */
export async function startRun(cwd: string, dir: string, command: string, ...args: string[]): Promise<Run> {
  const startedAt = performance.now();
  const port = String(await freePort());
  const child = spawn(command, [...args, '--port', port, '--dir', dir], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text;
    if (output.includes('Ready in')) break;
  }
  child.stdout.resume();
  if (!output.includes('Ready in')) throw new Error('The local cloud did not start.');
  return { child, baseUrl: `http://localhost:${port}`, seconds: (performance.now() - startedAt) / 1000 };
}

export const npmStart = (checkout: string, dir: string): Promise<Run> =>
  startRun(checkout, dir, 'npm', 'start', '--silent', '--');

export async function stopRun({ child }: Run): Promise<void> {
  const ended = once(child, 'close');
  for (const pid of processTree(child.pid ?? 0)) {
    const isCloud = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('local/main.ts\0');
    if (isCloud) process.kill(pid, 'SIGINT');
  }
  await ended;
}
