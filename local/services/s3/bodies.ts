import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The bytes of objects: one immutable file each. A file without a committed row is left over from a crash and is deleted
 * at the next start.
 */
export class Bodies {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'bodies');
    mkdirSync(this.#folder, { recursive: true });
  }

  async write(body: Uint8Array): Promise<string> {
    const file = randomUUID();
    await writeFile(join(this.#folder, file), body, { flag: 'wx', flush: true });
    return file;
  }

  read(file: string): Promise<Buffer> {
    return readFile(join(this.#folder, file));
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#folder, file), { force: true });
  }

  deleteUnreferenced(referenced: ReadonlySet<string>): void {
    for (const file of readdirSync(this.#folder)) {
      if (!referenced.has(file)) rmSync(join(this.#folder, file), { force: true });
    }
  }
}
