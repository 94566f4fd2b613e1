import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { demo } from './demo.ts';
import { openRun } from './run.ts';

/** Shows the whole life of a request on a running `npm start`. */

const HELP = `Shows one request from its creation to its verified PDF, on the service that npm start runs.

  npm run demo -- [--dir FOLDER] [--out FOLDER] [FILE.pdf]

  FILE.pdf        The contract (default: one page made for the purpose)
  --dir FOLDER    The data folder of npm start (default: .local)
  --out FOLDER    Where the sealed document and the evidence go (default: artifacts/demo)
`;

try {
  const { values, positionals } = parseArgs({
    options: {
      dir: { type: 'string', default: '.local' },
      out: { type: 'string', default: 'artifacts/demo' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (values.help) console.log(HELP);
  else await demo(openRun(values.dir), { out: values.out, ...(file && { pdf: readFileSync(file) }) });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
