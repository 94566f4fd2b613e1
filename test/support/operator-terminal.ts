import type { Operator } from '../../admin/operator.ts';
import type { Terminal } from '../../admin/terminal.ts';
import type { Table } from '../../shared/store/table.ts';
import { NOON } from './requests.ts';

/** Stands among the notes for the exit code. */
export const BAD_NEWS = 'exit code 1';

/** A script's pipes: nobody answers, and notes are kept. */
export const pipes = (notes: string[] = []): Terminal => ({
  showsTables: false,
  canAsk: false,
  ask: () => Promise.reject(new Error('Nobody can answer.')),
  readSecret: () => Promise.reject(new Error('Nobody can answer.')),
  note: (sentence) => {
    notes.push(sentence);
  },
  badNews: () => {
    notes.push(BAD_NEWS);
  },
});

/** A person who gives these answers, in order. Questions and notes are kept. */
export function person(...answers: string[]): Terminal & { seen: string[] } {
  const seen: string[] = [];
  const answer = async (question: string) => {
    seen.push(question);
    const next = answers.shift();
    if (next === undefined) throw new Error(`There is no answer to "${question}".`);
    return next;
  };
  return { ...pipes(seen), showsTables: true, canAsk: true, ask: answer, readSecret: answer, seen };
}

/** An operator of a stack that has every output, under its own name. */
export const operatorOf = (table: Table): Operator => ({
  table,
  clients: { requestHandler: { connectionTimeout: 1, requestTimeout: 1, throwOnRequestTimeout: true } },
  now: () => NOON,
  output: (name) => name,
  outputIfAny: () => undefined,
  localFolder: undefined,
  terminal: pipes(),
});
