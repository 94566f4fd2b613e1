/**
 * Completes package-lock.json, or another lockfile: `node .ci/complete-lockfile.mjs [FILE]` after each `npm install`.
 *
 * If a registry mirror does not serve the builds of a package for other systems, npm leaves them out of the lockfile,
 * and `npm ci` then calls the lockfile incomplete. This writes them in, with the system each is for, so that they are
 * passed over everywhere else.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = process.argv[2] ?? new URL('../package-lock.json', import.meta.url);
const SYSTEMS = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];
const PROCESSORS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** The name of a build tells its platform: `…-linux-arm64-musl`. */
function platformOf(name) {
  const words = name.split('/').at(-1).split(/[-.]/);
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu =
    PROCESSORS.find((processor) => words.includes(processor)) ??
    (words.includes('ppc64le') ? 'ppc64' : undefined);
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return {
    ...(cpu && { cpu: [cpu] }),
    ...(libc && os === 'linux' && { libc: [libc] }),
    // A build for no system we know is passed over here too.
    os: [os ?? 'none'],
  };
}

/** Whether node would find a package from inside another one. */
function isFound(packages, from, name) {
  const outer = from
    .split('/node_modules/')
    .map((_, index, parts) => parts.slice(0, index + 1).join('/node_modules/'));
  return ['', ...outer.map((place) => `${place}/`)].some((place) => packages[`${place}node_modules/${name}`]);
}

const lock = JSON.parse(readFileSync(FILE, 'utf8'));
let added = 0;
for (const [place, { optionalDependencies = {}, dev }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (isFound(lock.packages, place, name)) continue;
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[^\d]*/, ''),
      ...(dev && { dev: true }),
      ...platformOf(name),
      optional: true,
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
);
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} builds for other systems written into ${process.argv[2] ?? 'package-lock.json'}.`);
