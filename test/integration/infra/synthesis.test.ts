import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assemblyFolder } from '../../support/assembly.ts';
import { makeAssembly } from '../../support/synthesize.ts';

/** What CloudFormation is given, and the names of the assets, which are the hashes of their contents. */
function whatIsDeployed(folder: string): Record<string, string> {
  const names = readdirSync(folder).filter((name) => /^asset\.|\.(template|assets)\.json$/.test(name));
  return Object.fromEntries(
    names.map((name) => [name, name.endsWith('.json') ? readFileSync(join(folder, name), 'utf8') : 'asset']),
  );
}

it('The same sources make the same template and assets, so that a deployment without a change changes nothing', () => {
  const again = makeAssembly();
  try {
    const first = whatIsDeployed(assemblyFolder());
    expect(Object.keys(first).length).toBeGreaterThan(20);
    expect(whatIsDeployed(again)).toEqual(first);
  } finally {
    rmSync(again, { recursive: true });
  }
}, 60_000);
