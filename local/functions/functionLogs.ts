/** What functions print: whole in `<data folder>/logs/<function>.log`, in short on the console. */
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { FunctionPlan } from '../assembly/plan.ts';
import type { FunctionError } from './protocol.ts';

const shortLength = 160;

export class FunctionLogs {
  readonly #folder: string;
  readonly #verbose: boolean;
  readonly #log: (line: string) => void;
  readonly #files = new Map<string, WriteStream>();

  constructor(dataFolder: string, verbose: boolean, log: (line: string) => void) {
    this.#folder = join(dataFolder, 'logs');
    this.#verbose = verbose;
    this.#log = log;
    mkdirSync(this.#folder, { recursive: true });
  }

  readonly onOutput = (plan: FunctionPlan, text: string): void => {
    this.#fileOf(plan).write(text);
    if (!this.#verbose) return;
    for (const line of text.split('\n').filter(Boolean))
      this.#log(`${plan.id}: ${line.slice(0, shortLength)}`);
  };

  readonly onFailure = (plan: FunctionPlan, error: FunctionError): void => {
    this.#log(`${plan.id} failed: ${error.errorType}: ${error.errorMessage}`.slice(0, shortLength));
  };

  close(): void {
    for (const file of this.#files.values()) file.end();
  }

  #fileOf(plan: FunctionPlan): WriteStream {
    const known =
      this.#files.get(plan.name) ?? createWriteStream(join(this.#folder, `${plan.name}.log`), { flags: 'a' });
    this.#files.set(plan.name, known);
    return known;
  }
}
