import { exitOf } from './errors.ts';
import { run } from './run.ts';

/** The admin command: JSON on stdout, messages on stderr. */

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  const { code, sentence } = exitOf(error);
  process.stderr.write(`${sentence}\n`);
  process.exitCode = code;
}
