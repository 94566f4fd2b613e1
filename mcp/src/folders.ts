import { constants } from 'node:fs';
import { open, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { Problem } from '../../client/command/problem.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** The folders that an assistant may read and write in. Links are followed before a path is compared with them. */
export class Folders {
  readonly #roots: readonly string[];

  private constructor(roots: readonly string[]) {
    this.#roots = roots;
  }

  static async of(folders: readonly string[]): Promise<Folders> {
    if (folders.length === 0) throw new Problem('Name a folder for documents: --folder /home/ann/contracts.');
    return new Folders(await Promise.all(folders.map(realFolder)));
  }

  get names(): string {
    return this.#roots.join(', ');
  }

  async read(path: string): Promise<Buffer<ArrayBuffer>> {
    const real = await this.#inside(path, this.#absolute(path));
    // The last part was resolved above: if it has become a link since, this fails.
    // O_NONBLOCK, because opening a pipe would wait for a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(real, flags).catch(refused(path, 'read'));
    try {
      const found = await file.stat();
      if (!found.isFile()) throw new Problem(`${path} is not a file.`);
      if (found.size > MAX_BYTES) throw new Problem(`${path} is larger than ${MAX_BYTES} bytes.`);
      return Buffer.from(await file.readFile());
    } finally {
      await file.close();
    }
  }

  /** Writes a new file, and returns its path. Replaces none, and follows no link. */
  async write(path: string, bytes: Uint8Array): Promise<string> {
    const target = await this.requireFree(path);
    const refuse = refused(path, 'written');
    const file = await open(target, 'wx', 0o600).catch(refuse);
    try {
      await file.writeFile(bytes);
    } catch (error) {
      // A part of it, on a full disk, would pass for the document.
      await rm(target, { force: true });
      refuse(error);
    } finally {
      await file.close();
    }
    return target;
  }

  /** The path of a new file. Fails if it could not be written, before it is downloaded. */
  async requireFree(path: string): Promise<string> {
    const absolute = this.#absolute(path);
    const folder = await this.#inside(path, dirname(absolute));
    const target = join(folder, basename(absolute));
    const isTaken = await stat(target).then(
      () => true,
      () => false,
    );
    if (isTaken) throw new Problem(`${path} exists already: choose another name.`);
    return target;
  }

  /** Relative paths are resolved in the first folder. */
  #absolute = (path: string): string => resolve(this.#roots[0] ?? '/', path);

  /** The same error for what is missing and what is elsewhere, so that nobody learns what else this machine has. */
  async #inside(path: string, absolute: string): Promise<string> {
    const real = await realOf(absolute);
    const isIn = (root: string) => real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep);
    if (real !== undefined && this.#roots.some(isIn)) return real;
    throw new Problem(
      `${path} is not there, or is outside the folders that this server may use: ${this.names}.`,
    );
  }
}

async function realFolder(folder: string): Promise<string> {
  const real = await realOf(folder);
  if (real === undefined) throw new Problem(`${folder} is not there, or cannot be read.`);
  if (!(await stat(real)).isDirectory()) throw new Problem(`${folder} is not a folder.`);
  return real;
}

/** Undefined for what is not there or cannot be read. */
const realOf = (path: string): Promise<string | undefined> => realpath(path).catch(() => undefined);

/** Reports the system's error code, such as EACCES or ENOSPC. */
const refused =
  (path: string, what: 'read' | 'written') =>
  (error: unknown): never => {
    const { code } = error as NodeJS.ErrnoException;
    throw new Problem(`${path} cannot be ${what} (${code ?? String(error)}).`);
  };
