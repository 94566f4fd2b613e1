import { accessSync, constants, copyFileSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure, UsageError } from './errors.ts';

const taken = (file: string) => new UsageError(`The file ${file} exists already.`);

function unwritable(file: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException;
  return new Failure(`The file ${file} cannot be written (${code ?? String(error)}).`);
}

/** Called before the work that fills the file, which may cost money. */
export function requireFree(file: string): void {
  try {
    accessSync(dirname(file), constants.W_OK);
    // A dangling symbolic link is in the way, too.
    if (!lstatSync(file, { throwIfNoEntry: false })) return;
  } catch (error) {
    throw unwritable(file, error);
  }
  throw taken(file);
}

/** Writes a file that replaces none and appears when it is whole: a part of it, on a full disk, would pass for the document. */
export function writeNewFile(file: string, bytes: Uint8Array): void {
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, bytes);
    // Not every file system has hard links.
    copyFileSync(part, file, constants.COPYFILE_EXCL);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file);
    throw unwritable(file, error);
  } finally {
    rmSync(part, { force: true });
  }
}
