/** Writes function output to `<data folder>/logs/<function>.log`, and short lines of it to the console. */
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
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
  readonly #files = new Map<string, WriteStream>();

  constructor(dataFolder: string, verbose: boolean, log: (line: string) => void) {
    this.#folder = join(dataFolder, 'logs');
    this.#verbose = verbose;
    this.#log = log;
    mkdirSync(this.#folder, { recursive: true });
  }

  readonly onOutput = (source: Source, text: string): void => {
    const file = this.#fileOf(source);
    // A worker that is being stopped may print after the files were closed.
    if (!file.writableEnded) file.write(text);
    if (!this.#verbose) return;
    for (const line of text.split('\n').filter(Boolean))
      this.#log(`${source.id}: ${line.slice(0, MAX_LINE_LENGTH)}`);
  };

  readonly onFailure = (source: Source, error: FunctionError): void => {
    this.#log(`${source.id} failed: ${error.errorType}: ${error.errorMessage}`.slice(0, MAX_LINE_LENGTH));
  };

  close(): void {
    for (const file of this.#files.values()) file.end();
  }

  #fileOf(source: Source): WriteStream {
    const known =
      this.#files.get(source.name) ??
      createWriteStream(join(this.#folder, `${source.name}.log`), { flags: 'a' });
    this.#files.set(source.name, known);
    return known;
  }
}
