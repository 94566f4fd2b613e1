import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure, UsageError } from '../../../admin/errors.ts';
import { requireFree, writeNewFile } from '../../../admin/new-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'new-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BYTES = Buffer.from('new');
const MODULE = new URL('../../../admin/new-file.ts', import.meta.url).href;

it('a new file has all bytes, and nothing is left beside it', () => {
  writeNewFile(join(folder, 'out.pdf'), BYTES);
  expect(readdirSync(folder)).toEqual(['out.pdf']);
  expect(readFileSync(join(folder, 'out.pdf'))).toEqual(BYTES);
});

it('a file that is there is neither replaced nor called unwritable', () => {
  const file = join(folder, 'out.pdf');
  writeFileSync(file, 'old');
  const refusal = new UsageError(`The file ${file} exists already.`);
  expect(() => requireFree(file)).toThrow(refusal);
  expect(() => writeNewFile(file, BYTES)).toThrow(refusal);
  expect(readFileSync(file, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['out.pdf']);
});

it('a file in a folder that is not there, or is none, is refused with the reason before any work', () => {
  const own = join(folder, 'own.pdf');
  writeFileSync(own, 'old');
  for (const [file, code] of [
    [join(folder, 'none/out.pdf'), 'ENOENT'],
    [join(own, 'out.pdf'), 'ENOTDIR'],
  ] as const) {
    const refusal = new Failure(`The file ${file} cannot be written (${code}).`);
    expect(() => requireFree(file)).toThrow(refusal);
  }
});

it('a folder, and a link that leads nowhere, are in the way like a file', () => {
  const link = join(folder, 'link.pdf');
  symlinkSync(join(folder, 'none'), link);
  for (const file of [folder, link])
    expect(() => requireFree(file)).toThrow(new UsageError(`The file ${file} exists already.`));
});

it('nothing is left of a file for which there is no room', () => {
  const program = `
    const { writeNewFile } = await import(${JSON.stringify(MODULE)});
    try {
      writeNewFile('cut.pdf', Buffer.alloc(1_000_000));
    } catch ({ message }) {
      console.log(message);
    }`;
  // The shell's limit counts blocks of 512 or 1,024 bytes.
  const limited = spawnSync(
    'sh',
    ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, '--no-warnings', '-e', program],
    { cwd: folder, encoding: 'utf8' },
  );
  expect(limited.stdout).toBe('The file cut.pdf cannot be written (EFBIG).\n');
  expect(readdirSync(folder)).toEqual([]);
});
