/** The command: runs the stack of a CDK project on this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { stop as stopEsbuild } from 'esbuild';
import { CannotStart } from './cannot-start.ts';
import type { LocalCloud } from './cloud.ts';
import { Progress } from './progress.ts';
import { runFileIn, writeRunFile } from './run-file.ts';
import { sdkEnvironment } from './sdk-environment.ts';

const HELP = `Runs the CDK app of this folder on this machine.

  --port N         port of the service; default: PORT or 3000. The control port is the next one
  --dir FOLDER     data folder; default: .local
  --fresh          delete all data first
  --setup COMMAND  run a command after the start. Of its JSON, rows and curl are shown, and run is saved in run.json
  -c KEY=VALUE     context for the CDK app; can be repeated
  --some-key VALUE the same as -c someKey=VALUE, for keys of several words
  --verbose        log ignored resources, start times, AWS calls and function output
  -h, --help       show this text`;

class UsageError extends Error {}

/** Options of several words are context. */
const asContext = (args: readonly string[]): string[] =>
  args.flatMap((arg, index) => {
    const [, before, valueBefore] = SEVERAL_WORDS.exec(args[index - 1] ?? '') ?? [];
    if (before !== undefined && valueBefore === undefined) return [];
    const [, name, value = args[index + 1] ?? ''] = SEVERAL_WORDS.exec(arg) ?? [];
    if (name === undefined) return [arg];
    const key = name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return ['-c', `${key}=${value}`];
  });

const SEVERAL_WORDS = /^--([a-z]+(?:-[a-z]+)+)(?:=(.*))?$/s;

function readOptions(given: string[]) {
  const args = asContext(given);
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string' },
      dir: { type: 'string', default: '.local' },
      fresh: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      setup: { type: 'string' },
      context: { type: 'string', short: 'c', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    process.exit(0);
  }
  if (values.dir === '') throw new UsageError('--dir must name a folder.');
  const port = Number(values.port ?? process.env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) {
    throw new UsageError(
      `The port must be a whole number from 1 to 65534, not ${values.port ?? process.env.PORT}.`,
    );
  }
  const context = values.context.map((pair): [string, string] => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined || value === undefined) throw new UsageError(`-c takes KEY=VALUE, not ${pair}.`);
    return [key, value];
  });
  return { ...values, port, context: Object.fromEntries(context) };
}

interface SetupReport {
  rows?: [string, string][];
  curl?: string;
  run?: Record<string, unknown>;
}

/** As shells say it. */
const INTERRUPTED = 130;

/**
 * Runs the project's own setup, for example of demo data. Undefined if Ctrl-C ended it, of which this process may hear only after
 * that end.
 */
async function runSetup(command: string, cloud: LocalCloud, dir: string): Promise<SetupReport | undefined> {
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      LOCAL_DIR: dir,
      LOCAL_TSA_URL: cloud.timestampUrl,
      LOCAL_TSA_CA: cloud.timestampCa,
      ...sdkEnvironment(cloud.operator, cloud),
    },
  });
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code === INTERRUPTED || signal === 'SIGINT') return undefined;
  if (code !== 0) throw new CannotStart(`The setup command failed with exit code ${code}: ${command}`);
  return JSON.parse(output) as SetupReport;
}

const progress = new Progress();
/** From then on nothing is reported: Ctrl-C ends the setup command, too. */
let stopping = false;

async function main(): Promise<void> {
  const startedAt = performance.now();
  const options = readOptions(process.argv.slice(2));
  progress.step('Loading');
  const { startLocalCloud } = await import('./cloud.ts');
  const cloud = await startLocalCloud({
    ...options,
    log: (line) => {
      progress.clear();
      console.error(line);
    },
    onStep: (name) => progress.step(name),
  });
  const dir = resolve(options.dir);
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    rmSync(runFileIn(dir), { force: true });
    await cloud.stop();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  writeRunFile(dir, cloud);
  if (options.setup) progress.step('Setting up');
  const report = options.setup ? await runSetup(options.setup, cloud, dir) : {};
  if (!report) await stop();
  if (!report || stopping) return;
  writeRunFile(dir, cloud, report.run);
  progress.end();
  const rows: [string, string][] = [
    ['Service', cloud.baseUrl],
    ...(report.rows ?? []),
    ['Inbox', cloud.controlUrl],
    ['Data', options.dir],
  ];
  console.log(`\n${table(rows)}\n`);
  if (report.curl) console.log(`A first request:\n\n${report.curl}\n`);
  // It keeps a thread and a process, and starts again if needed.
  await stopEsbuild();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Ready in ${seconds} s. Stop with Ctrl-C.`);
}

/** Formats two aligned columns with a rule above and below. */
function table(rows: [string, string][]): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const right = Math.max(...rows.map(([, value]) => value.length));
  const rule = '─'.repeat(left + right + 6);
  const lines = rows.map(([label, value]) => `  ${label.padEnd(left)}  ${value}`);
  return [rule, ...lines, rule].join('\n');
}

/** Errors that the user can fix are one sentence; all others have a stack trace. */
function reportAndExit(error: unknown): never {
  progress.end();
  const isUsage =
    error instanceof UsageError || String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
  if (isUsage) {
    console.error(`${(error as Error).message.replace(/\.?$/, '.')} See npm start -- --help.`);
    process.exit(2);
  }
  console.error(error instanceof CannotStart ? error.message : error);
  process.exit(1);
}

main().catch((error) => {
  if (!stopping) reportAndExit(error);
});
