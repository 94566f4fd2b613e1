import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * The bytes of objects, one file each, never changed once written. A file counts from the moment its row is committed;
 * one without a row is what a crash left behind, and goes at the next start.
 */
export class Bodies {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'bodies');
    mkdirSync(this.#folder, { recursive: true });
  }

  async write(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<string> {
    const file = randomUUID();
    const handle = await open(join(this.#folder, file), 'wx');
    try {
      for await (const chunk of source) await handle.writeFile(chunk);
      await handle.sync();
      return file;
    } catch (error) {
      await this.remove(file);
      throw error;
    } finally {
      await handle.close();
    }
  }

  /** The same bytes under a second name, at no cost. */
  async duplicate(file: string): Promise<string> {
    const copy = randomUUID();
    await link(join(this.#folder, file), join(this.#folder, copy));
    return copy;
  }

  async *read(files: string[]): AsyncGenerator<Buffer> {
    for (const file of files) {
      const handle = await this.open(file);
      yield* handle.createReadStream();
    }
  }

  open(file: string): Promise<FileHandle> {
    return open(join(this.#folder, file), 'r');
  }

  async remove(file: string): Promise<void> {
    await rm(join(this.#folder, file), { force: true });
  }

  clean(referenced: ReadonlySet<string>): void {
    for (const file of readdirSync(this.#folder)) {
      if (!referenced.has(file)) rmSync(join(this.#folder, file), { force: true });
    }
  }
}
