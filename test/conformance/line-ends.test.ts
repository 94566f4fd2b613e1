import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePrograms } from './judges.ts';

let folder: string;
beforeAll(() => {
  requirePrograms('git');
  folder = mkdtempSync(join(tmpdir(), 'line-ends-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('Git for Windows, whose clones are used in WSL, keeps the ends of lines: bash would not find a script with others', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', '-c', 'core.autocrlf=true', ...args], {
      cwd: folder,
      stdio: 'pipe',
    });
  const script = join(folder, 'script');
  git('init');
  cpSync('.gitattributes', join(folder, '.gitattributes'));
  writeFileSync(script, '#!/usr/bin/env bash\n');
  git('add', '.');
  git('commit', '-m', 'x');
  rmSync(script);
  git('checkout', 'script');
  expect(readFileSync(script, 'utf8')).toBe('#!/usr/bin/env bash\n');
});
