import { parseArgs } from 'node:util';
import { email, line } from '../shared/contract/fields.ts';
import { LIMITS } from '../shared/contract/limits.ts';
import { type Command, isSwitch, type Option, type Options } from './command.ts';
import { UsageError } from './errors.ts';
import type { Target } from './operator.ts';

/** Options that every command takes. */
export const TARGET_OPTIONS = {
  dir: { value: 'FOLDER', help: 'The data folder of the local run (default: .local)' },
  stack: { value: 'NAME', help: 'A deployed stack, instead of the local run' },
  region: { value: 'REGION', help: 'The region of the deployed stack' },
  json: { help: 'Print JSON even on a terminal' },
  help: { help: 'Show this help' },
} as const satisfies Options;

interface Arguments {
  input: Record<string, unknown>;
  target: Target;
  help: boolean;
  json: boolean;
}

/** Separates the common options that stand before the command. */
function splitLeading(argv: readonly string[]): { leading: string[]; words: string[] } {
  let end = 0;
  for (let given = argv[0]; given?.startsWith('--'); given = argv[end]) {
    const [name = '', value] = given.slice(2).split('=', 2);
    if (!Object.hasOwn(TARGET_OPTIONS, name)) break;
    const option = TARGET_OPTIONS[name as keyof typeof TARGET_OPTIONS];
    end += isSwitch(option) || value !== undefined ? 1 : 2;
  }
  return { leading: argv.slice(0, end), words: argv.slice(end) };
}

/** Finds the command that the first one or two words name, and splits them from its arguments. */
export function findCommand(
  commands: readonly Command[],
  argv: readonly string[],
): { command: Command | undefined; words: string[]; rest: string[] } {
  const { leading, words: given } = splitLeading(argv);
  const firstOption = given.findIndex((argument) => argument.startsWith('-'));
  const words = given.slice(0, firstOption === -1 ? given.length : firstOption);
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ');
    const command = words.length >= length && commands.find((candidate) => candidate.name === name);
    if (command)
      return { command, words: words.slice(0, length), rest: [...leading, ...given.slice(length)] };
  }
  return { command: undefined, words, rest: [...leading, ...given.slice(words.length)] };
}

export function readArguments(command: Command, argv: string[]): Arguments {
  const options: Options = { ...TARGET_OPTIONS, ...command.options };
  const { values, positionals } = parse(command, options, argv);
  const help = values.help === true;
  // An empty name, as of an unset variable, would mean the local run.
  const given = (name: 'dir' | 'stack' | 'region') =>
    text(validated(command, name, TARGET_OPTIONS[name], values[name]));
  const target = {
    dir: given('dir') ?? process.env.LOCAL_DIR ?? '.local',
    stack: given('stack'),
    region: given('region'),
  };
  const json = values.json === true;
  if (help) return { input: {}, target, help, json };

  if (target.stack && values.dir !== undefined)
    throw new UsageError('Give --dir for a local run or --stack for a deployed stack, not both.');
  if (target.region && !target.stack) throw new UsageError('--region needs --stack.');
  const { args, optionalArgs } = command;
  const [missing] = args.slice(positionals.length);
  if (missing) throw new UsageError(`"${command.name}" needs ${article(missing)}.`);
  const names = [...args, ...optionalArgs];
  const empty = names[positionals.findIndex((given) => given.trim() === '')];
  if (empty) throw new UsageError(`"${command.name}" was given an empty ${empty}.`);
  const extra = positionals[names.length];
  if (extra !== undefined) throw new UsageError(`"${command.name}" does not take "${extra}".`);

  const named = Object.entries(command.options).map(([name, option]) => [
    name,
    validated(command, name, option, values[name]),
  ]);
  const positional = names.map((name, place) => [name, positionals[place]]);
  return { input: Object.fromEntries([...named, ...positional]), target, help, json };
}

/** An e-mail address, as addresses are stored. */
export function addressOf(option: string, given: string): string {
  const { data } = email.safeParse(given);
  if (data === undefined) throw new UsageError(`${option} must be an e-mail address.`);
  return data;
}

/** The name of an organization or a key. */
export function nameOf(given: string, argument = '--name'): string {
  const { data } = line('invalid_name', LIMITS.nameLength).safeParse(given);
  if (!data)
    throw new UsageError(
      `${argument} must be one line of 1 to ${LIMITS.nameLength} characters, with a visible one.`,
    );
  return data;
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const article = (name: string) => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`;

function parse(command: Command, options: Options, argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(options).map(([name, option]) => [
          name,
          { type: isSwitch(option) ? ('boolean' as const) : ('string' as const) },
        ]),
      ),
    });
  } catch (error) {
    const problem = error instanceof Error ? (error.message.split(/[.\n]/)[0] ?? '') : String(error);
    throw new UsageError(`${problem} ("${command.name} --help" shows the usage).`);
  }
}

function validated(command: Command, name: string, option: Option, value: unknown): unknown {
  if (isSwitch(option)) return value === true;
  const given = text(value)?.trim();
  if (given === undefined) {
    if (option.required) throw new UsageError(`"${command.name}" needs --${name}.`);
    return undefined;
  }
  if (given === '') throw new UsageError(`--${name} must not be empty.`);
  if (option.choices && !option.choices.includes(given))
    throw new UsageError(`--${name} must be one of ${option.choices.join(', ')}, not "${given}".`);
  return given;
}
