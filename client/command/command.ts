import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';
import type { SignatureRequests } from '../src/node.ts';
import { wrongUsage } from './problem.ts';

interface Option extends ParseArgsOptionDescriptor {
  help: string;
  /** The value's name in the help; absent for a switch. */
  value?: string;
}
export type Options = Readonly<Record<string, Option>>;

type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O; strict: true }>>['values'];

/** The result of a command: for a person at a terminal, and as JSON for a pipe. */
export interface Result {
  text: string;
  json: unknown;
  exitCode?: number;
}

/** The environment of the commands. */
export interface World {
  /** Created on demand: not every command needs a key. */
  client: () => Promise<SignatureRequests>;
  /** Whether the output is for a person. */
  isTerminal: boolean;
  /** Writes a line for the person, apart from the result. */
  note: (line: string) => void;
}

interface Declaration<O extends Options> {
  name: string;
  summary: string;
  /** As shown in the help; those in brackets are optional. */
  args: readonly string[];
  options: O;
  /** Returns undefined if the command has printed its result itself. */
  run: (args: string[], options: Values<O>, world: World) => Promise<Result | undefined>;
}

export interface Command extends Omit<Declaration<Options>, 'run'> {
  run: (argv: string[], world: World) => Promise<Result | undefined>;
}

/** Declares a command, from which parsing and help are derived. */
export const command = <const O extends Options>(declaration: Declaration<O>): Command => ({
  ...declaration,
  run: async (argv, world) => {
    const { positionals, values } = parsed(declaration, argv);
    return declaration.run(positionals, values, world);
  },
});

function parsed<O extends Options>({ name, args, options }: Declaration<O>, argv: string[]) {
  const { positionals, values } = parse(name, { args: argv, options, allowPositionals: true, strict: true });
  const missing = args.filter((arg) => !arg.startsWith('['))[positionals.length];
  if (missing) throw wrongUsage(`"${name}" needs ${missing}: see "signature-requests ${name} --help".`);
  const empty = args[positionals.findIndex((given) => given.trim() === '')];
  if (empty) throw wrongUsage(`"${name}" was given an empty ${empty.replace(/[[\]]/g, '')}.`);
  const extra = positionals[args.length];
  if (extra !== undefined) throw wrongUsage(`"${name}" does not take "${extra}".`);
  return { positionals, values: values as Values<O> };
}

function parse(name: string, config: Parameters<typeof parseArgs>[0]) {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, option] = /use '(--[\w-]+)=-XYZ'/.exec(message) ?? [];
    if (option) throw wrongUsage(`Write a value that begins with a dash as ${option}=VALUE.`);
    const [sentence = ''] = message.split(/[.\n]/);
    throw wrongUsage(`${sentence}: see "signature-requests ${name} --help".`);
  }
}
