import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../../infra/preflight/main.ts');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'preflight-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The preflight’s answer to options that no deployment can have: it stops before its first call. */
function complaint(files: Record<string, object>, ...args: string[]): string {
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), JSON.stringify(content));
  const { status, stderr } = spawnSync(process.execPath, [MAIN, '--region', 'eu-west-1', ...args], {
    cwd: folder,
    env: { ...process.env, HOME: folder },
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  return stderr.split('\n')[0] ?? '';
}

it('the options in each file that the CDK reads count for the preflight, too', () => {
  const wrong = (file: string) => expect.stringContaining(`not "${file}"`);
  const home = { '.cdk.json': { context: { stage: 'home' } } };
  expect(complaint(home)).toEqual(wrong('home'));
  const found = { ...home, 'cdk.context.json': { stage: 'found' } };
  expect(complaint(found)).toEqual(wrong('found'));
  const project = { ...found, 'cdk.json': { app: 'node app.ts', context: { stage: 'project' } } };
  expect(complaint(project)).toEqual(wrong('project'));
  expect(complaint(project, '-c', 'stage=given')).toEqual(wrong('given'));
});
