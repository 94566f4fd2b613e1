import { constants, copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { Failure, UsageError } from './errors.ts';

const isTaken = (file: string) => new UsageError(`The file ${file} exists already.`);

/** Called before the work that fills the file, which may cost money. */
export function requireFree(file: string): void {
  if (existsSync(file)) throw isTaken(file);
}

/** Writes a file that replaces none and appears when it is whole: a part of it, on a full disk, would pass for the document. */
export function writeNewFile(file: string, bytes: Uint8Array): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, bytes);
    // Not every file system has hard links.
    copyFileSync(part, file, constants.COPYFILE_EXCL);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isTaken(file);
    throw new Failure(`The file ${file} cannot be written (${code ?? String(error)}).`);
  } finally {
    rmSync(part, { force: true });
  }
}
