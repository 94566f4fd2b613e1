import { shownJson } from '../shared/runtime/shown-json.ts';
import { accountLogCommands } from './account-log.ts';
import { archiveCommands } from './archive.ts';
import { findCommand, readArguments } from './arguments.ts';
import { brandCommands } from './brand.ts';
import type { Command } from './command.ts';
import { demoCommands } from './demo.ts';
import { UsageError } from './errors.ts';
import { commandHelp, overview } from './help.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { connect } from './operator.ts';
import { organizationCommands } from './organization.ts';
import { originSecretCommands } from './origin-secret.ts';
import { ownerCommands } from './owners.ts';
import { personCommands } from './person.ts';
import { queueCommands } from './queues.ts';
import { reconcileCommands } from './reconcile.ts';
import { requestListCommands } from './request-list.ts';
import { requestCommands } from './requests.ts';
import { sealKeyCommands } from './seal-key.ts';
import { sealCommands } from './seals.ts';
import { statusCommands } from './show-status.ts';
import { processTerminal, type Terminal } from './terminal.ts';
import { textOf } from './text.ts';
import { timestampCommands } from './timestamps.ts';

const COMMANDS: readonly Command[] = [
  ...statusCommands,
  ...ownerCommands,
  ...organizationCommands,
  ...accountLogCommands,
  ...brandCommands,
  ...keyCommands,
  ...requestListCommands,
  ...requestCommands,
  ...personCommands,
  ...sealCommands,
  ...queueCommands,
  ...jobCommands,
  ...reconcileCommands,
  ...sealKeyCommands,
  ...timestampCommands,
  ...archiveCommands,
  ...originSecretCommands,
  ...demoCommands,
];

/** Runs one command and returns what it prints on stdout. */
export async function run(argv: string[], terminal: Terminal = processTerminal): Promise<string> {
  const long = argv.map((argument) => (argument === '-h' ? '--help' : argument));
  const { command, words, rest } = findCommand(COMMANDS, long);
  if (!command) return helpFor(words, rest);
  const { input, target, help, json } = readArguments(command, rest);
  if (help) return commandHelp(command);
  const showsTables = terminal.showsTables && !json;
  const answer = await command.run(input, await connect(target, { ...terminal, showsTables }));
  if (typeof answer === 'string') return answer;
  return showsTables ? textOf(answer) : `${shownJson(answer)}\n`;
}

function helpFor(words: string[], rest: string[]): string {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (rest.includes('--help') && words.length <= 1) return overview(group.length > 0 ? group : COMMANDS);
  if (words.length === 0) throw new UsageError('Name a command; --help lists them.');
  const near = group.length > 0 ? ` There is ${group.map(({ name }) => `"${name}"`).join(', ')}.` : '';
  throw new UsageError(
    `There is no command "${words.slice(0, 2).join(' ')}".${near || ' --help lists them.'}`,
  );
}
