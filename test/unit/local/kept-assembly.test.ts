import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeIfChanged } from '../../../local/assembly/kept.ts';

/** Counts its runs in a file that is no input. Like the CDK, leaves an asset alone that is there. A shell starts sooner than Node. */
const APP = `
printf . >> runs
test ! -e broken || exit 1
mkdir -p "$CDK_OUTDIR"
test -e "$CDK_OUTDIR/source" || cp -R source "$CDK_OUTDIR"
test ! -e edited-meanwhile || printf . >> source/a.ts
`;

let project: string;
const write = (name: string, text: string) => writeFileSync(join(project, name), text);
const runs = () => readFileSync(join(project, 'runs'), 'utf8').length;
const start = (context: { [name: string]: string } = {}) =>
  synthesizeIfChanged(project, join(project, 'data'), context, () => undefined);

beforeEach(async () => {
  project = mkdtempSync(join(tmpdir(), 'kept-'));
  for (const folder of ['source', 'data', 'node_modules']) mkdirSync(join(project, folder));
  write('cdk.json', '{ "app": "sh app.sh", "watch": { "exclude": ["runs"] } }');
  write('app.sh', APP);
  write('package-lock.json', '{}');
  write('node_modules/.package-lock.json', '{}');
  write('source/a.ts', 'a');
  await start();
  expect(runs()).toBe(1);
});
afterEach(() => rmSync(project, { recursive: true }));

describe('the assembly of the last start', () => {
  it('the assembly of the last start is reused while only data and outputs change', async () => {
    write('data/dynamodb.sqlite', 'more');
    await start();
    await start();
    expect(runs()).toBe(1);
  });

  it.each<[string, () => void]>([
    ['a source file changes', () => write('source/a.ts', 'b')],
    ['a source file is added', () => write('source/b.ts', '')],
    ['a source file is removed', () => rmSync(join(project, 'source/a.ts'))],
    [
      'a source file is renamed',
      () => renameSync(join(project, 'source/a.ts'), join(project, 'source/b.ts')),
    ],
    ['the app changes', () => write('app.sh', `${APP}\n`)],
    [
      'cdk.json changes',
      () => write('cdk.json', '{ "app": "sh  app.sh", "watch": { "exclude": ["runs"] } }'),
    ],
    ['the locked packages change', () => write('package-lock.json', '{ }')],
    ['other packages are installed', () => write('node_modules/.package-lock.json', '{ }')],
    ['a file of the assembly changes', () => write('data/assembly/source/a.ts', 'x')],
    ['a file of the assembly is removed', () => rmSync(join(project, 'data/assembly/source/a.ts'))],
  ])('the stack is synthesized again if %s', async (_, change) => {
    change();
    await start();
    expect(runs()).toBe(2);
  });

  it('a damaged asset of the assembly is copied again', async () => {
    write('data/assembly/source/a.ts', 'half');
    await start();
    expect(readFileSync(join(project, 'data/assembly/source/a.ts'), 'utf8')).toBe('a');
  });

  it('a cdk.json that begins with a byte order mark is read, as the CDK command reads it', async () => {
    write('cdk.json', '\ufeff{ "app": "sh app.sh", "watch": { "exclude": ["runs"] } }');
    await start();
    expect(runs()).toBe(2);
  });

  it('the stack is synthesized again for another context', async () => {
    await start({ stage: 'other' });
    expect(runs()).toBe(2);
    await start({ stage: 'other' });
    expect(runs()).toBe(2);
  });

  it('the stack is synthesized again after a failed synthesis, even if the sources are those of the kept assembly', async () => {
    write('broken', '');
    await expect(start()).rejects.toThrow('Cannot synthesize');
    rmSync(join(project, 'broken'));
    await start();
    expect(runs()).toBe(3);
  });

  it('the stack is synthesized again if a file changed during the last synthesis', async () => {
    write('edited-meanwhile', '');
    await start();
    rmSync(join(project, 'edited-meanwhile'));
    write('source/a.ts', 'a');
    await start();
    expect(runs()).toBe(3);
  });
});
