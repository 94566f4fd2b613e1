/** Fingerprints of folders, to know whether a synthesis would give the same assembly again. */
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Reads every file, so that nothing that could change the assembly goes unseen. */
export function contentFingerprint(folder: string, isExcluded: (path: string) => boolean): string {
  const hash = createHash('sha256');
  for (const path of filesIn(folder, isExcluded)) {
    const bytes = lstatSync(path).isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path);
    hash.update(`${relative(folder, path)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** The state of a folder's files by the times that the system gives them, which no program can set back. */
export function stateFingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const path of filesIn(folder, () => false)) {
    const { size, ino, ctimeNs } = lstatSync(path, { bigint: true });
    hash.update(`${relative(folder, path)}\0${size}\0${ino}\0${ctimeNs}\0`);
  }
  return hash.digest('hex');
}

function filesIn(folder: string, isExcluded: (path: string) => boolean): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !isExcluded(join(folder, name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesIn(path, isExcluded) : [path];
    });
}
