import { parseArgs } from 'node:util';
import type { Command, Option, Options } from './command.ts';
import { UsageError } from './errors.ts';

/** Where a command works. */
export const TARGET_OPTIONS = {
  dir: { kind: 'text', value: 'FOLDER', help: 'The data folder of the local run (default: .local)' },
  stack: { kind: 'text', value: 'NAME', help: 'A deployed stack, instead of the local run' },
  region: { kind: 'text', value: 'REGION', help: 'The region of the deployed stack' },
  json: { kind: 'switch', help: 'JSON, also where a person would be shown text' },
  help: { kind: 'switch', help: 'Explain the command' },
} as const satisfies Options;

export interface Target {
  dir: string;
  stack: string | undefined;
  region: string | undefined;
}

export interface Arguments {
  input: Record<string, unknown>;
  target: Target;
  help: boolean;
}

/** Splits the words of a command from what follows them; no command where they name none. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command | undefined; words: string[]; rest: string[] } {
  const firstOption = argv.findIndex((argument) => argument.startsWith('-'));
  const words = argv.slice(0, firstOption === -1 ? argv.length : firstOption);
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = words.length >= length && commands.find((candidate) => candidate.name === name);
    if (command) return { command, words: words.slice(0, length), rest: argv.slice(length) };
  }
  return { command: undefined, words, rest: argv.slice(words.length) };
}

/** Reads what follows a command's name by its declaration. */
export function readArguments(command: Command, argv: string[]): Arguments {
  const options: Options = { ...TARGET_OPTIONS, ...command.options };
  const { values, positionals } = parse(command, options, argv);
  const help = values.help === true;
  const target = {
    dir: text(values.dir) ?? process.env.LOCAL_DIR ?? '.local',
    stack: text(values.stack),
    region: text(values.region),
  };
  if (help) return { input: {}, target, help };

  if (target.stack && values.dir !== undefined)
    throw new UsageError('--dir names a local run and --stack a deployed one; give one of them.');
  if (target.region && !target.stack) throw new UsageError('--region belongs to --stack.');
  const { args, mayFollow = [] } = command;
  const [missing] = args.slice(positionals.length);
  if (missing) throw new UsageError(`"${command.name}" needs ${article(missing)}.`);
  const extra = positionals[args.length + mayFollow.length];
  if (extra !== undefined) throw new UsageError(`"${command.name}" does not take "${extra}".`);

  const given = Object.entries(command.options).map(([name, option]) => [
    name,
    checked(command, name, option, values[name]),
  ]);
  const named = [...args, ...mayFollow].map((name, place) => [name, positionals[place]]);
  return { input: Object.fromEntries([...given, ...named]), target, help };
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const article = (name: string) => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;

function parse(command: Command, options: Options, argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, { kind }]) => [
          name,
          { type: kind === 'switch' ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    });
  } catch (error) {
    const said = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : String(error);
    throw new UsageError(`${said} ("${command.name} --help" lists what it takes).`);
  }
}

function checked(command: Command, name: string, option: Option, value: unknown): unknown {
  if (option.kind === 'switch') return value === true;
  const said = text(value)?.trim();
  if (said === undefined) {
    if (option.required) throw new UsageError(`"${command.name}" needs --${name}.`);
    return undefined;
  }
  if (said === '') throw new UsageError(`--${name} must not be empty.`);
  if (option.kind === 'choice' && !option.choices.includes(said))
    throw new UsageError(`--${name} is one of ${option.choices.join(', ')}, not "${said}".`);
  return said;
}
