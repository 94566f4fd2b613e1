/**
 * Lists the licences of all packages, and fails for one that is not allowed: `node .ci/licences.mjs [LOCKFILE]`.
 * docs/dependencies.md says what is allowed, and why.
 */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const IMPORTED_PACKAGE = /\b(?:from|import) *\(? *'((?:@[^/']+\/)?[^./'][^/']*)/g;

const EVERYWHERE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
  'Zlib',
];
/** Of development packages nothing is passed on, except what the pages bundle. */
const FOR_TOOLS = [...EVERYWHERE, 'BlueOak-1.0.0', 'CC-BY-4.0', 'MPL-2.0'];

/** The packages that the pages import, and those that these need. */
function bundledIn(packages) {
  const pages = globSync('web/*/**/*.{ts,tsx}', { cwd: ROOT }).map((file) =>
    readFileSync(ROOT + file, 'utf8'),
  );
  const bundled = new Set(
    pages.flatMap((code) => [...code.matchAll(IMPORTED_PACKAGE)].map(([, name]) => name)),
  );
  // A set's iteration also visits what is added meanwhile.
  for (const name of bundled)
    for (const needed of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}))
      bundled.add(needed);
  return bundled;
}

/** Of an SPDX expression as packages write them: all of a conjunction, one of a choice. */
const isAllowed = (expression, allowed) =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((licence) => allowed.includes(licence)));

const { packages } = JSON.parse(readFileSync(process.argv[2] ?? `${ROOT}package-lock.json`, 'utf8'));
const bundled = bundledIn(packages);
const counts = {};
const refused = [];
for (const [place, { version, license, dev, optional, resolved, link }] of Object.entries(packages)) {
  // A link leads to a workspace, which has an entry of its own.
  if (place === '' || link) continue;
  // A build for another system, which complete-lockfile.mjs wrote in: the same package as the build for this one.
  if (license === undefined && optional && !resolved) continue;
  const name = place.replace(/^.*node_modules\//, '');
  const licence = license ?? 'none';
  counts[licence] = (counts[licence] ?? 0) + 1;
  if (!isAllowed(licence, dev && !bundled.has(name) ? FOR_TOOLS : EVERYWHERE))
    refused.push(`${name}@${version}: ${licence}`);
}
for (const [licence, count] of Object.entries(counts).sort(([, a], [, b]) => b - a))
  console.log(`${String(count).padStart(5)}  ${licence}`);
if (refused.length > 0) {
  console.error(`\nNot allowed (docs/dependencies.md):\n${refused.join('\n')}`);
  process.exitCode = 1;
}
