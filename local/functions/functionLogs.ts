/** What functions print: whole in `<data folder>/logs/<function>.log`, in short on the console. */
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import type { FunctionError } from './protocol.ts';

/** A function or a container. */
interface Speaker {
  id: string;
  name: string;
}

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

  readonly onOutput = (speaker: Speaker, text: string): void => {
    const file = this.#fileOf(speaker);
    // A worker that is being ended may still have something to say when the files are closed.
    if (!file.writableEnded) file.write(text);
    if (!this.#verbose) return;
    for (const line of text.split('\n').filter(Boolean))
      this.#log(`${speaker.id}: ${line.slice(0, shortLength)}`);
  };

  readonly onFailure = (speaker: Speaker, error: FunctionError): void => {
    this.#log(`${speaker.id} failed: ${error.errorType}: ${error.errorMessage}`.slice(0, shortLength));
  };

  close(): void {
    for (const file of this.#files.values()) file.end();
  }

  #fileOf(speaker: Speaker): WriteStream {
    const known =
      this.#files.get(speaker.name) ??
      createWriteStream(join(this.#folder, `${speaker.name}.log`), { flags: 'a' });
    this.#files.set(speaker.name, known);
    return known;
  }
}
