import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Global setup: makes the folder for what one run of jest makes once and its tests share. */
export default function makeRunFolder(): void {
  process.env.TEST_RUN_FOLDER ??= mkdtempSync(join(tmpdir(), 'tests-'));
  // Tests start hundreds of Node processes; each loads in half the time when its code is already compiled.
  process.env.NODE_COMPILE_CACHE = join(runFolder(), 'compile-cache');
  // A local cloud has a thread for each function; glibc would keep the memory that each of them has freed.
  process.env.MALLOC_ARENA_MAX = '2';
}

export function runFolder(): string {
  const folder = process.env.TEST_RUN_FOLDER;
  if (!folder) throw new Error('There is no folder for this run of tests; see test/support/run-folder.ts.');
  return folder;
}

/** The synthesized stack. */
export const assemblyFolder = (): string => join(runFolder(), 'assembly');
