import { parseArgs } from 'node:util';
import { UsageError } from '../../admin/errors.ts';
import prepare from '../support/prepare.ts';
import removeRunFolder from '../support/remove-run-folder.ts';
import { PARTS, SIZES } from './parts.ts';
import { writeResult } from './report.ts';

const HELP = `Proves over the local cloud that the service loses, doubles and forgets nothing.

  npm run proof -- [PART …] [--short] [--seed N] [--times N]

  load        Calls and whole lives, many at once
  chaos       Lives among kills, errors, throttles, slow and dead authorities, hanging receivers, bounces and clock jumps
  model       Random sequences of actions, two at once among them, each answer compared with a model of the life
  thousand    Signers who finish together: one seal
  soak        An hour of mixed load: memory, times and open files stay flat
              Without a PART all of them; in short all but the model

  --short     So much of each as fits into CI; writes nothing
  --seed N    Repeats the plan of an earlier run, which printed it (default: 1 if short, else a new one)
  --times N   Seconds of load and chaos, sequences of the model, rounds of thousand, minutes of soak

Results go to docs/reliability.md.
`;

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} must be a whole number, not "${text}".`);
  return Number(text);
}

function readArguments() {
  const { values, positionals } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string' },
      times: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  const unknown = positionals.find((name) => !PARTS.some((part) => part.name === name));
  if (unknown !== undefined)
    throw new UsageError(
      `There is no part "${unknown}"; there are ${PARTS.map(({ name }) => name).join(', ')}.`,
    );
  const asked = PARTS.filter(({ name }) => positionals.includes(name));
  return {
    help: values.help,
    short: values.short,
    parts: asked.length > 0 ? asked : PARTS.filter((part) => !(values.short && part.isLeftOutOfShort)),
    seed: wholeNumber('seed', values.seed) ?? (values.short ? 1 : Date.now() % 1_000_000),
    times: wholeNumber('times', values.times),
  };
}

async function prove({ parts, short, seed, times }: ReturnType<typeof readArguments>): Promise<void> {
  await prepare();
  try {
    for (const { name, title, run } of parts) {
      console.log(`\n${title}, seed ${seed}`);
      const start = performance.now();
      const text = await run({ ...(short ? SIZES.short : SIZES.whole), seed, times });
      console.log(`${text}\n${name}: ${((performance.now() - start) / 1_000).toFixed(0)} s`);
      const size = times === undefined ? '' : ` --times ${times}`;
      if (!short) writeResult(title, `npm run proof -- ${name}${size} --seed ${seed}`, text);
    }
  } finally {
    removeRunFolder();
  }
}

try {
  const asked = readArguments();
  if (asked.help) console.log(HELP);
  else await prove(asked);
} catch (error) {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  console.error(isUsage ? `${error.message} --help explains.` : error);
  process.exitCode = isUsage ? 2 : 1;
}
