import { readFile } from 'node:fs/promises';
import { SignatureRequests as Client, type ClientOptions } from './client.ts';

/** The entry for Node, Deno and Bun, where a file can also be given as a path. */
export * from './index.ts';

export class SignatureRequests extends Client {
  constructor(options: ClientOptions) {
    super(options, async (path) => new Blob([await readFile(path)]));
  }
}
