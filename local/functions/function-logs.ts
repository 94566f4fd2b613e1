/** Writes function output to `<data folder>/logs/<function>.log`, and short lines of it to the console. */
import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { FunctionError } from './protocol.ts';

/** A function or a container. */
interface Source {
  id: string;
  name: string;
}

const MAX_LINE_LENGTH = 160;

export class FunctionLogs {
  readonly #folder: string;
  readonly #verbose: boolean;
  readonly #log: (line: string) => void;
  readonly #files = new Map<string, number>();
  #closed = false;

  constructor(dataFolder: string, verbose: boolean, log: (line: string) => void) {
    this.#folder = join(dataFolder, 'logs');
    this.#verbose = verbose;
    this.#log = log;
    mkdirSync(this.#folder, { recursive: true });
  }

  readonly onOutput = (source: Source, text: string): void => {
    // A worker that is being stopped may print after the files were closed.
    if (this.#closed) return;
    // At once: a line costs less than handing it to another thread.
    appendFileSync(this.#fileOf(source), text);
    if (!this.#verbose) return;
    for (const line of text.split('\n').filter(Boolean))
      this.#log(`${source.id}: ${line.slice(0, MAX_LINE_LENGTH)}`);
  };

  readonly onFailure = (source: Source, error: FunctionError): void => {
    this.#log(`${source.id} failed: ${error.errorType}: ${error.errorMessage}`.slice(0, MAX_LINE_LENGTH));
  };

  close(): void {
    this.#closed = true;
    for (const file of this.#files.values()) closeSync(file);
  }

  #fileOf({ name }: Source): number {
    const file = this.#files.get(name) ?? openSync(join(this.#folder, `${name}.log`), 'a');
    this.#files.set(name, file);
    return file;
  }
}
