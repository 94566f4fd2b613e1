import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runFolder } from '../../support/run-folder.ts';
import { until } from '../../support/until.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export const run = promisify(execFile);

/** The Node that runs npm, which may be older than that of the scripts. */
export const NPM_NODE = process.env.npm_node_execpath ?? process.execPath;

/** Packs the client as it is published, once for a run of jest: that takes longer than most test files. */
async function packedClient(): Promise<string> {
  const folder = join(runFolder(), 'package');
  const packed = join(folder, 'client.tgz');
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) {
    const pack = ['pack', '--json', '-w', 'client', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: ROOT });
    const [{ filename }] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
    renameSync(join(folder, filename), packed);
  }
  return until(() => existsSync(packed) && packed, 'the packed client', 100);
}

/** Installs the client as it is published into an empty folder. */
export async function installPackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'package-'));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'user', private: true, type: 'module' }),
  );
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', await packedClient()], {
    cwd: folder,
  });
  return folder;
}

/** The faults in a program's types, and in the declarations that it imports. */
export async function typeFaults(file: string, ...options: string[]): Promise<string> {
  const strict = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2022',
  ];
  const compiler = join(ROOT, 'node_modules/.bin', options.includes('node10') ? 'tsc6' : 'tsc');
  return run(compiler, [...strict, ...options, file], { cwd: dirname(file) }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const FOR_NODE = ['--lib', 'es2022', '--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')];
export const NODE_TYPES = ['--module', 'nodenext', ...FOR_NODE];
/** The default of TypeScript 5 for CommonJS, which does not read `exports`. TypeScript 7 no longer has it. */
export const OLD_NODE_TYPES = [
  ...['--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'],
  ...FOR_NODE,
];
export const BROWSER_TYPES = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'];
