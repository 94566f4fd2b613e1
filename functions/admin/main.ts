import { findCommand, readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { demoCommands } from './demo.ts';
import { Failure, UsageError } from './errors.ts';
import { commandHelp, overview } from './help.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { connect } from './operator.ts';
import { organizationCommands } from './organization.ts';
import { originSecretCommands } from './origin-secret.ts';
import { ownerCommands } from './owners.ts';
import { queueCommands } from './queues.ts';
import { requestCommands } from './requests.ts';
import { sealKeyCommands } from './seal-key.ts';
import { timestampCommands } from './seal-key-timestamps.ts';
import { sealCommands } from './seals.ts';
import { statusCommands } from './status.ts';

/** The administrator's command: JSON on stdout, sentences for people on stderr. */

const COMMANDS: readonly Command[] = [
  ...statusCommands,
  ...ownerCommands,
  ...organizationCommands,
  ...keyCommands,
  ...requestCommands,
  ...sealCommands,
  ...queueCommands,
  ...jobCommands,
  ...sealKeyCommands,
  ...timestampCommands,
  ...originSecretCommands,
  ...demoCommands,
];

async function run(argv: string[]): Promise<string> {
  const { command, words, rest } = findCommand(COMMANDS, argv);
  if (!command) return helpFor(words, rest);
  const { input, target, help } = readArguments(command, rest);
  if (help) return commandHelp(command);
  const answer = await command.run(input, await connect(target));
  return typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`;
}

function helpFor(words: string[], rest: string[]): string {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (rest.includes('--help') && words.length <= 1) return overview(group.length > 0 ? group : COMMANDS);
  if (words.length === 0) throw new UsageError('Say what to do; --help lists the commands.');
  const near = group.length > 0 ? ` There is ${group.map(({ name }) => `"${name}"`).join(', ')}.` : '';
  throw new UsageError(
    `There is no command "${words.slice(0, 2).join(' ')}".${near || ' --help lists them.'}`,
  );
}

/** What AWS or the machine said, in one sentence. */
function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof UsageError || error instanceof Failure) return error.message;
  if (error.name === 'CredentialsProviderError')
    return 'There are no AWS credentials in the environment; sign in first, for one with AWS_PROFILE.';
  return `${error.name}: ${error.message}`;
}

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  process.stderr.write(`${sentence(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
