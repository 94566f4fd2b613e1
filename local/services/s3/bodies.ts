import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
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

  open(file: string): Promise<FileHandle> {
    return open(join(this.#folder, file), 'r');
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
