import { exitOf, Failure } from './errors.ts';
import { run } from './run.ts';

/** The admin command: JSON on stdout, messages on stderr. */

function fail(error: unknown): void {
  const { code, sentence } = exitOf(error);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, as `head` does.
  if (error.code === 'EPIPE') return;
  fail(new Failure(`The command was carried out, but its result could not be printed (${error.code}).`));
});

// If nobody reads its messages, a command continues instead of ending in the middle of its work.
process.stderr.on('error', () => {});

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
