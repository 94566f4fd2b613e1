import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SET_UPS = ['.ci/setup', '.ci/conformance-setup'];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'debian-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program that does nothing but this. */
function program(name: string, does: string): void {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${does}\n`);
  chmodSync(file, 0o755);
}

/** The calls that an installation makes as the user with this id. */
function callsAs(userId: number): string[] {
  const calls = join(folder, `calls-of-${userId}`);
  program('id', `echo ${userId}`);
  for (const name of ['sudo', 'env', 'apt-get']) program(name, `echo "${name} $*" >> ${calls}`);
  execFileSync('bash', ['-c', '. .ci/debian && install_packages qpdf xvfb'], {
    cwd: ROOT,
    env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
  });
  return readFileSync(calls, 'utf8').trimEnd().split('\n');
}

it('packages are installed with sudo by anybody but root', () => {
  const install =
    'env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends qpdf xvfb';
  expect(callsAs(0)).toEqual(['apt-get update -qq', install]);
  expect(callsAs(1000)).toEqual(['sudo apt-get update -qq', `sudo ${install}`]);
});

it.each(SET_UPS)('%s installs packages in no other way', (file) => {
  const script = readFileSync(join(ROOT, file), 'utf8');
  expect(script).toContain('. .ci/debian\n');
  expect(script).toContain('install_packages ');
  expect(script).not.toContain('apt-get');
});
