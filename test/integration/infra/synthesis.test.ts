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

const inAssembly = (name: string) => readFileSync(join(assemblyFolder(), name), 'utf8');

it('a stack in production is protected from its deletion', () => {
  const { artifacts } = JSON.parse(inAssembly('manifest.json'));
  expect(artifacts.SignatureRequests.properties.terminationProtection).toBe(true);
});

/** Leaves room for a year's growth; CloudFormation counts bytes. */
it('the template stays below CloudFormation’s limit of a million bytes', () => {
  expect(Buffer.byteLength(inAssembly('SignatureRequests.template.json'))).toBeLessThan(800_000);
});

it('synthesis is reproducible, so a deployment without a change changes nothing', () => {
  const again = join(runFolder(), 'assembly-again');
  synthesize(again);
  const first = deployedFiles(assemblyFolder());
  expect(Object.keys(first).length).toBeGreaterThan(20);
  expect(deployedFiles(again)).toEqual(first);
});
