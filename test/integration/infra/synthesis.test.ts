import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { synthesize } from '../../support/prepare.ts';
import { assemblyFolder, runFolder } from '../../support/run-folder.ts';

/** Templates, and the names of the assets, which are content hashes. */
function deployedFiles(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /^asset\.|\.(template|assets)\.json$/.test(name));
  return Object.fromEntries(
    names.map((name) => [name, name.endsWith('.json') ? readFileSync(join(folder, name), 'utf8') : 'asset']),
  );
}

it('synthesis is reproducible, so a deployment without a change changes nothing', () => {
  const again = join(runFolder(), 'assembly-again');
  synthesize(again);
  const first = deployedFiles(assemblyFolder());
  expect(Object.keys(first).length).toBeGreaterThan(20);
  expect(deployedFiles(again)).toEqual(first);
}, 60_000);
