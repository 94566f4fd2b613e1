import { inColumns, indented } from '../shared/runtime/columns.ts';
import { TARGET_OPTIONS } from './arguments.ts';
import type { Command, Option, Options } from './command.ts';

const CALL = 'npm run --silent admin --';

const optionUsage = (name: string, { value, choices }: Option) => {
  const shown = choices?.join('|') ?? value;
  return shown === undefined ? `--${name}` : `--${name} ${shown}`;
};

const usage = ({ name, args, optionalArgs, options }: Command) =>
  [
    name,
    ...args.map((argument) => argument.toUpperCase()),
    ...optionalArgs.map((argument) => `[${argument.toUpperCase()}]`),
    ...Object.entries(options).map(([option, declared]) => {
      const form = optionUsage(option, declared);
      return declared.required ? form : `[${form}]`;
    }),
  ].join(' ');

const optionTable = (options: Options) =>
  indented(
    inColumns(Object.entries(options).map(([name, option]) => [optionUsage(name, option), option.help])),
  );

export const commandHelp = (command: Command): string =>
  `${command.summary}

  ${CALL} ${usage(command)}
${Object.keys(command.options).length > 0 ? `\n${optionTable(command.options)}\n` : ''}
Common options:
${optionTable(TARGET_OPTIONS)}
`;

export const overview = (commands: readonly Command[]): string =>
  `Manages the service: the local run, or a deployed stack with --stack NAME.
Prints tables on a terminal, and JSON in a pipe or with --json.

  ${CALL} [--stack NAME] COMMAND [options]

${indented(inColumns(commands.map(({ name, args, summary }) => [[name, ...args.map((argument) => argument.toUpperCase())].join(' '), summary])))}

COMMAND --help explains a command.
`;
