import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../.ci/licences.mjs', import.meta.url));

interface Outcome {
  code: number;
  list: string;
  refused: string;
}

const check = (...lockfile: string[]): Promise<Outcome> =>
  new Promise((resolve) =>
    execFile(process.execPath, [SCRIPT, ...lockfile], (error, list, refused) =>
      resolve({ code: Number(error?.code ?? 0), list, refused }),
    ),
  );

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licences-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The outcome for a lockfile with one package, besides others. */
async function checkOne(entry: object, name = 'some-package', others: object = {}): Promise<Outcome> {
  const file = join(folder, 'package-lock.json');
  const packages = {
    '': {},
    [`node_modules/${name}`]: { version: '1.0.0', resolved: 'https://…', ...entry },
    ...others,
  };
  await writeFile(file, JSON.stringify({ packages }));
  return check(file);
}

describe('the check of licences', () => {
  it('the check of licences allows every package of the lockfile, and lists how many have which', async () => {
    const { code, list, refused } = await check();
    expect({ code, refused }).toEqual({ code: 0, refused: '' });
    expect(list).toMatch(/^ +\d+ {2}MIT$/m);
  });

  it.each([
    ['a copyleft licence', { license: 'GPL-3.0-or-later' }],
    ['a licence for tools in what is shipped', { license: 'MPL-2.0' }],
    ['one of two licences that both hold', { license: 'MIT AND GPL-2.0' }],
    ['a package that names none', {}],
  ])('the check of licences refuses %s, and names the package', async (_, entry) => {
    const { code, refused } = await checkOne(entry);
    expect(code).toBe(1);
    expect(refused).toContain('some-package@1.0.0: ');
  });

  it.each([
    ['a choice that holds an allowed one', { license: '(BSD-3-Clause OR GPL-2.0)' }],
    ['a licence for tools in a tool', { license: 'MPL-2.0', dev: true }],
    ['a link to a workspace, which is listed itself', { resolved: 'client', link: true }],
    ['a build for another system, which was not resolved', { optional: true, resolved: undefined }],
  ])('the check of licences allows %s', async (_, entry) => {
    expect(await checkOne(entry)).toMatchObject({ code: 0, refused: '' });
  });

  const TOOL = { license: 'MPL-2.0', dev: true };

  it.each(['preact', 'pdfjs-dist', 'preact-iso', '@preact/signals'])(
    'the check of licences treats the development package %s, which the pages bundle, as shipped',
    async (name) => {
      expect(await checkOne(TOOL, name)).toMatchObject({ code: 1 });
    },
  );

  it('the check of licences treats what a bundled package needs as shipped', async () => {
    const preact = { version: '1.0.0', license: 'MIT', dev: true, dependencies: { 'some-package': '1.0.0' } };
    expect(await checkOne(TOOL, 'some-package', { 'node_modules/preact': preact })).toMatchObject({
      code: 1,
    });
  });
});
