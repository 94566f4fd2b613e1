import type { World } from './command.ts';

const SILENT_MS = 1_000;

/** Shows the elapsed seconds on stderr while long work runs, on a terminal. */
export async function withProgress<T>(label: string, { isTerminal }: World, work: Promise<T>): Promise<T> {
  if (!isTerminal || !process.stderr.isTTY) return work;
  const started = Date.now();
  const timer = setInterval(() => {
    process.stderr.write(`\r${label} ${Math.round((Date.now() - started) / 1_000)} s`);
  }, SILENT_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    process.stderr.write('\r\x1b[K');
  }
}
