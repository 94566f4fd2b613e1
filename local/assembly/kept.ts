/** Keeps the assembly of the last start: building and synthesizing it takes longer than everything else. */
import { createHash, hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { orUndefined } from '../or-undefined.ts';
import { readSettings, synthesize } from './synthesize.ts';

interface Kept {
  inputs: string;
  outputs: string;
}

/** The compiled code of the assembly's functions. */
export const compileCacheIn = (dataFolder: string): string => join(dataFolder, 'compile-cache');

const NEVER_INPUTS = ['node_modules', '.git', 'cdk.out'];
/** Settings of the CDK and of AWS, which an app may read. */
const SETTINGS = /^(AWS|CDK)_/;

/** Synthesizes the project unless all its files, its packages and its context are those of the assembly in the folder. */
export async function synthesizeIfChanged(
  projectFolder: string,
  dataFolder: string,
  context: Record<string, string>,
  step: (name: string) => void,
): Promise<string> {
  const folder = join(dataFolder, 'assembly');
  const file = join(dataFolder, 'assembly.json');
  const inputsNow = () => inputsOf(projectFolder, dataFolder, context);
  const inputs = inputsNow();
  const known: Kept | undefined = orUndefined(() => JSON.parse(readFileSync(file, 'utf8')));
  if (known?.inputs === inputs && known.outputs === stateFingerprint(folder)) return folder;
  // The assembly too: the CDK does not copy an asset that is there, even if it is damaged or only half of one.
  for (const old of [file, compileCacheIn(dataFolder), folder]) rmSync(old, { recursive: true, force: true });
  await synthesize(projectFolder, folder, context, step);
  // A file that changed meanwhile may or may not be in the assembly.
  if (inputsNow() === inputs)
    writeFileSync(file, JSON.stringify({ inputs, outputs: stateFingerprint(folder) } satisfies Kept));
  return folder;
}

function inputsOf(projectFolder: string, dataFolder: string, context: Record<string, string>): string {
  const { outputs } = readSettings(projectFolder);
  const names = new Set([...NEVER_INPUTS, ...outputs]);
  const isExcluded = (path: string) => names.has(basename(path)) || resolve(path) === resolve(dataFolder);
  const installed = join(projectFolder, 'node_modules', '.package-lock.json');
  return hash(
    'sha256',
    JSON.stringify([
      process.versions,
      Object.entries(context).sort(),
      Object.entries(process.env)
        .filter(([name]) => SETTINGS.test(name))
        .sort(),
      contentFingerprint(projectFolder, isExcluded),
      existsSync(installed) ? readFileSync(installed, 'utf8') : null,
    ]),
  );
}

/** Reads every file, so that nothing that could change the assembly goes unseen. */
function contentFingerprint(folder: string, isExcluded: (path: string) => boolean): string {
  const hash = createHash('sha256');
  for (const path of filesIn(folder, isExcluded)) {
    const bytes = lstatSync(path).isSymbolicLink() ? Buffer.from(readlinkSync(path)) : readFileSync(path);
    hash.update(`${relative(folder, path)}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Covers each file's size, inode and ctime, which no program can set back. */
function stateFingerprint(folder: string): string {
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
