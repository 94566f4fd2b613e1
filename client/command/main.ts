#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { SignatureRequests } from '../src/node.ts';
import type { Command, Result, World } from './command.ts';
import { download } from './download.ts';
import { commandHelp, overview } from './help.ts';
import { listen } from './listen.ts';
import { login } from './login.ts';
import { lineOf, Problem, wrongUsage } from './problem.ts';
import { cancel, list, resend, status } from './requests.ts';
import { send } from './send.ts';
import { readSettings } from './settings.ts';
import { shownJson } from './text.ts';
import { verify } from './verify.ts';

const COMMANDS: readonly Command[] = [login, send, status, list, download, cancel, resend, listen, verify];

/** Runs a command line, and returns the output for stdout. */
async function run(argv: readonly string[]): Promise<string> {
  const [name = '--help', ...given] = argv;
  if (isHelp(name) || name === 'help') return overview(COMMANDS);
  if (name === '--version') return `${ownVersion()}\n`;
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) throw wrongUsage(`There is no command "${name}": see "signature-requests --help".`);
  if (given.some(isHelp)) return commandHelp(command);

  const isTerminal = process.stdout.isTTY === true && !given.includes('--json');
  const world: World = {
    client: async () => new SignatureRequests(await readSettings(process.env)),
    isTerminal,
    note: (line) => process.stderr.write(`${line}\n`),
  };
  const rest = given.filter((argument) => argument !== '--json');
  return shown(await command.run(rest, world), isTerminal);
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h';

/** The package's description lies one folder up, from here and from the built command. */
const ownVersion = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

function shown(result: Result | undefined, isTerminal: boolean): string {
  if (!result) return '';
  process.exitCode = result.exitCode ?? 0;
  return `${isTerminal ? result.text : shownJson(result.json)}\n`;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, as `head` does.
  if (error.code === 'EPIPE') return;
  // A repeated "send" would mail its signers again.
  fail(new Problem(`The command was carried out, but its result could not be printed (${error.code}).`));
});

// Without a reader of stderr, the command must still finish its work.
process.stderr.on('error', () => {});

function fail(error: unknown): void {
  const { line, exitCode } = lineOf(error);
  process.stderr.write(`${line}\n`);
  process.exitCode = exitCode;
}

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  fail(error);
}
