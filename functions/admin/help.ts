import { TARGET_OPTIONS } from './arguments.ts';
import type { Command, Option, Options } from './command.ts';

const CALL = 'npm run --silent admin --';

const written = (name: string, option: Option) => {
  if (option.kind === 'switch') return `--${name}`;
  return `--${name} ${option.kind === 'choice' ? option.choices.join('|') : option.value}`;
};

const usage = ({ name, args, mayFollow = [], options }: Command) =>
  [
    name,
    ...args.map((argument) => argument.toUpperCase()),
    ...mayFollow.map((argument) => `[${argument.toUpperCase()}]`),
    ...Object.entries(options).map(([option, declared]) => {
      const form = written(option, declared);
      return declared.kind !== 'switch' && declared.required ? form : `[${form}]`;
    }),
  ].join(' ');

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n');
}

const described = (options: Options) =>
  columns(Object.entries(options).map(([name, option]) => [written(name, option), option.help]));

export const commandHelp = (command: Command): string =>
  `${command.summary}

  ${CALL} ${usage(command)}
${Object.keys(command.options).length > 0 ? `\n${described(command.options)}\n` : ''}
Where it works:
${described(TARGET_OPTIONS)}
`;

export const overview = (commands: readonly Command[]): string =>
  `Manages the service: the local run, or with --stack NAME a deployed one. Answers are JSON.

  ${CALL} COMMAND [options]

${columns(commands.map((command) => [[command.name, ...command.args.map((argument) => argument.toUpperCase())].join(' '), command.summary]))}

COMMAND --help explains one of them.
`;
