import { indented } from '../../shared/runtime/columns.ts';
import type { Command, Options } from './command.ts';
import { table } from './text.ts';

const CALL = 'signature-requests';

const optionRows = (options: Options): string[][] =>
  Object.entries(options).map(([name, { short, value, help }]) => [
    `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`,
    help,
  ]);

const COMMON: string[][] = [
  ['--json', 'Print JSON even on a terminal'],
  ['-h, --help', 'Show this help'],
];

export const commandHelp = ({ name, summary, args, options }: Command): string =>
  `${summary}.

  ${[CALL, name, ...args, '[options]'].join(' ')}

${indented(table(...optionRows(options), ...COMMON))}
`;

export const overview = (commands: readonly Command[]): string =>
  `Sends PDFs to be signed, and verifies what comes back.
Prints tables on a terminal, and JSON in a pipe or with --json.

  ${CALL} COMMAND [options]

${indented(table(...commands.map(({ name, args, summary }) => [[name, ...args].join(' '), summary])))}

COMMAND --help explains a command, and --version tells the package's version. The key is that of "login", or of
SIGNATURE_REQUESTS_API_KEY with the address in SIGNATURE_REQUESTS_URL.
`;
