import { readFileSync } from 'node:fs';

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
type Packages = Record<string, string>;
const packagesOf = (file: string): Packages => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(file));
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
};
const named = Object.entries({ ...packagesOf('mcp/package.json'), ...packagesOf('package.json') });

describe('every dependency', () => {
  it('every dependency has its reason in docs/dependencies.md, which lists nothing else', () => {
    const rows = [...read('docs/dependencies.md').matchAll(/^\| (\S+) \| (.+) \|$/gm)].map(
      ([, name = '', why = '']) => [name, why] as const,
    );
    const reasons = rows.filter(([name]) => name !== 'package');
    expect(reasons.map(([name]) => name).sort()).toEqual(named.map(([name]) => name).sort());
    for (const [, why] of reasons) expect(why.length).toBeGreaterThan(10);
  });

  it('every dependency is pinned to one version', () => {
    for (const [name, version] of named)
      expect([name, version]).toEqual([name, expect.stringMatching(/^(npm:\S+@)?\d+\.\d+\.\d+$/)]);
  });

  it('every dependency is in the lockfile with its builds for every platform, so that npm ci works everywhere', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Packages }>;
    };
    const builds = Object.values(packages).flatMap(({ optionalDependencies: optional = {} }) =>
      Object.keys(optional),
    );
    const missing = builds.filter(
      (name) => !Object.keys(packages).some((place) => place.endsWith(`node_modules/${name}`)),
    );
    expect(missing).toEqual([]);
  });

  it('every dependency has its digest in the lockfile for every platform, but for those that docs/dependencies.md names', () => {
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { integrity?: string; link?: true; inBundle?: true }>;
    };
    const unverified = Object.entries(packages)
      .filter(([place, { link, inBundle }]) => place.includes('node_modules/') && !link && !inBundle)
      .filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
      .map(([place]) => place.replace(/^.*node_modules\//, ''));
    const [told = ''] =
      read('docs/dependencies.md').match(/^- \*\*What is installed\*\*[\s\S]*?(?=^- )/m) ?? [];
    expect([...told.matchAll(/`(@[^`]+)`/g)].map(([, name]) => name)).toEqual(unverified);
  });
});
