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

export function openFunctionLogs(dataFolder: string, verbose: boolean, log: (line: string) => void) {
  const folder = join(dataFolder, 'logs');
  mkdirSync(folder, { recursive: true });
  const files = new Map<string, number>();
  let isClosed = false;

  const fileOf = ({ name }: Source): number => {
    const file = files.get(name) ?? openSync(join(folder, `${name}.log`), 'a');
    files.set(name, file);
    return file;
  };

  return {
    onOutput(source: Source, text: string): void {
      // A worker that is being stopped may print after the files were closed.
      if (isClosed) return;
      // At once: a line costs less than handing it to another thread.
      appendFileSync(fileOf(source), text);
      if (!verbose) return;
      for (const line of text.split('\n').filter(Boolean))
        log(`${source.id}: ${line.slice(0, MAX_LINE_LENGTH)}`);
    },

    onFailure(source: Source, error: FunctionError): void {
      log(`${source.id} failed: ${error.errorType}: ${error.errorMessage}`.slice(0, MAX_LINE_LENGTH));
    },

    close(): void {
      isClosed = true;
      for (const file of files.values()) closeSync(file);
    },
  };
}
