import type { World } from './command.ts';

const SILENT_MS = 1_000;

/** Shows the elapsed seconds on stderr while long work runs, on a terminal. */
export async function withProgress<T>(label: string, { isTerminal }: World, work: Promise<T>): Promise<T> {
  if (!isTerminal || !process.stderr.isTTY) return work;
  const started = Date.now();
  let line = '';
  const timer = setInterval(() => {
    line = `${label} ${Math.round((Date.now() - started) / 1_000)} s`;
    process.stderr.write(`\r${line}`);
  }, SILENT_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    // Spaces, since not every terminal knows the sequence that clears a line.
    if (line) process.stderr.write(`\r${' '.repeat(line.length)}\r`);
  }
}
