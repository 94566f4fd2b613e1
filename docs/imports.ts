import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ICruiseResult } from 'dependency-cruiser';

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const MAX_OUTPUT = 100 * 1024 * 1024;

/** Every import below a directory, this repository's root by default, and what floors.config.ts says against it. */
export function readImports(directory = path('.')): ICruiseResult {
  const json = execFileSync(
    process.execPath,
    [path('node_modules/.bin/depcruise'), '--config', path('floors.config.ts'), '--output-type', 'json', '.'],
    { cwd: directory, encoding: 'utf8', maxBuffer: MAX_OUTPUT },
  );
  return JSON.parse(json) as ICruiseResult;
}
