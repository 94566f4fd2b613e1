import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure, UsageError } from './errors.ts';

/** The command's input and output: a person at a terminal, or the pipes of a script. */
export interface Terminal {
  /** Whether a person reads the result. */
  showsTables: boolean;
  /** Whether somebody can answer a question. */
  canAsk: boolean;
  ask: (question: string) => Promise<string>;
  /** Shows nothing of what is typed. Without a terminal, reads a line of stdin. */
  readSecret: (question: string) => Promise<string>;
  note: (sentence: string) => void;
  /** The command was carried out, but its result is bad news: exit code 1, for scripts that do not read it. */
  badNews: () => void;
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

const lineOf = (question: string, output: NodeJS.WritableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true });
    lines.once('close', () => reject(new Failure('There was no answer; nothing was changed.')));
    lines.once('SIGINT', () => lines.close());
    lines.question(question, (line) => {
      resolve(line.trim());
      lines.close();
    });
  });

/** Questions and notes go to stderr, so that stdout carries only the result. */
export const processTerminal: Terminal = {
  showsTables: process.stdout.isTTY === true,
  canAsk: process.stdin.isTTY === true && process.stderr.isTTY === true,
  ask: (question) => lineOf(question, process.stderr),
  readSecret: async (question) => {
    if (process.stdin.isTTY) process.stderr.write(question);
    const line = await lineOf('', nowhere());
    if (process.stdin.isTTY) process.stderr.write('\n');
    return line;
  },
  note: (sentence) => {
    process.stderr.write(`${sentence}\n`);
  },
  badNews: () => {
    process.exitCode = 1;
  },
};

/** Asks before something that is hard to undo. A script must say `--yes`. */
export async function confirm(terminal: Terminal, consequence: string, yes: boolean): Promise<void> {
  if (yes) return;
  if (!terminal.canAsk) throw new UsageError(`${consequence} Give --yes to do it.`);
  const answer = await terminal.ask(`${consequence} Continue? (yes/no) `);
  if (!/^y(es)?$/i.test(answer)) throw new Failure('Nothing was changed.');
}
