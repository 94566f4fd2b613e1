import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// npm writes only its own platform's optional packages into a new lockfile; .ci/complete-lockfile.mjs adds the others.

interface Package {
  optional?: boolean;
  version: string;
  bin?: Record<string, string>;
  os?: string | string[];
  cpu?: string | string[];
}

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package-lock.json'), 'utf8'),
);

const PLATFORMS = ['linux', 'darwin'].flatMap((os) => ['x64', 'arm64'].map((cpu) => [os, cpu] as const));

describe.each(PLATFORMS)('on %s %s', (os, cpu) => {
  const own = Object.entries(packages).filter(
    ([, found]) => found.optional && [found.os].flat().includes(os) && [found.cpu].flat().includes(cpu),
  );

  it('npm ci installs Node 24 for the scripts', () => {
    const runtimes = own.filter(([, { bin }]) => bin?.node !== undefined);
    expect(runtimes.map(([, { version }]) => version.split('.')[0])).toEqual(['24']);
  });

  it('npm ci installs the DynamoDB engine under the name that the local cloud looks for', () => {
    expect(own.map(([path]) => path)).toContain(`node_modules/@dynoxide/${os}-${cpu}`);
  });
});
