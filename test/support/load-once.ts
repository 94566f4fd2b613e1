import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

declare global {
  /** Set by environment.ts; absent where no jest runs. */
  var requireByNode: NodeJS.Require | undefined;
}

const load = globalThis.requireByNode ?? createRequire(import.meta.url);

/**
 * Loads a file or a package by Node itself, once for each process. Jest would load it and all that it imports again for each test file,
 * and never free it; code in jest's contexts is also slower.
 */
export const loadOnce = <Module>(from: URL | string): Module =>
  load(typeof from === 'string' ? from : fileURLToPath(from));
