import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Folders } from '../../../mcp/src/folders.ts';

let place: string;
let folders: Folders;
beforeEach(async () => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'folders-')));
  for (const folder of ['in', 'in/sub', 'out', 'in-other']) mkdirSync(join(place, folder));
  for (const file of ['in/a.pdf', 'out/secret', 'in-other/secret']) writeFileSync(join(place, file), file);
  symlinkSync(join(place, 'out/secret'), join(place, 'in/link'));
  symlinkSync(join(place, 'out'), join(place, 'in/linked'));
  symlinkSync(join(place, 'out/new'), join(place, 'in/dangling'));
  symlinkSync(join(place, 'in/a.pdf'), join(place, 'in/inner'));
  spawnSync('mkfifo', [join(place, 'in/pipe')]);
  folders = await Folders.of([join(place, 'in')]);
});
afterEach(() => rmSync(place, { recursive: true }));

it.each(['a.pdf', './sub/../a.pdf', 'inner'])('%s, which is below the folder, is read', async (path) => {
  expect((await folders.read(path)).toString()).toBe('in/a.pdf');
});

it('files below any of several folders are read', async () => {
  const both = await Folders.of([join(place, 'in'), join(place, 'in-other')]);
  expect((await both.read('a.pdf')).toString()).toBe('in/a.pdf');
  expect((await both.read(join(place, 'in-other/secret'))).toString()).toBe('in-other/secret');
  await expect(both.read(join(place, 'out/secret'))).rejects.toThrow('outside the folders');
});

it.each(['link', 'linked/secret', '../out/secret', '../in-other/secret', '/etc/passwd'])(
  '%s, which leads out of the folder, is not read',
  async (path) => {
    await expect(folders.read(path)).rejects.toThrow('outside the folders');
  },
);

it('no error tells whether a file or folder outside of the folder is there', async () => {
  const said = (path: string, { message }: Error) => message.replace(path, 'PATH');
  const onRead = (path: string) => folders.read(path).catch((error) => said(path, error));
  const onWrite = (path: string) => folders.write(path, Buffer.from('x')).catch((error) => said(path, error));
  expect(await onRead('../out/secret')).toBe(await onRead('../out/none'));
  expect(await onWrite('../out/new')).toBe(await onWrite('../none/new'));
});

it.each([
  ['a file that is not there', 'none.pdf', 'is not there'],
  ['a folder', 'sub', 'is not a file'],
  ['a pipe', 'pipe', 'is not a file'],
])('%s is not read', async (_, path, why) => {
  await expect(folders.read(path)).rejects.toThrow(why);
});

it('a file larger than 64 MB is not read', async () => {
  writeFileSync(join(place, 'in/large'), '');
  truncateSync(join(place, 'in/large'), 64 * 1024 * 1024 + 1);
  await expect(folders.read('large')).rejects.toThrow('is larger than');
});

it('a new file is written below the folder', async () => {
  const written = await folders.write('sub/new.pdf', Buffer.from('new'));
  expect(written).toBe(join(place, 'in/sub/new.pdf'));
  expect(readFileSync(written, 'utf8')).toBe('new');
});

it.each(['linked/new', '../out/new', '/tmp/new-file-of-folders-test'])(
  '%s, which is out of the folder, is not written',
  async (path) => {
    await expect(folders.write(path, Buffer.from('x'))).rejects.toThrow('outside the folders');
  },
);

it.each(['n'.repeat(256), 'a\0b'])(
  'a file whose name the system refuses is not written, and the reason is told',
  async (name) => {
    await expect(folders.write(name, Buffer.from('x'))).rejects.toMatchObject({
      name: 'Problem',
      message: expect.stringContaining(`${name} cannot be written (E`),
    });
  },
);

it('a partly written file is removed when the disk is full, and the reason is told', () => {
  const program = `
    const { Folders } = await import(${JSON.stringify(new URL('../../../mcp/src/folders.ts', import.meta.url).href)});
    const folders = await Folders.of([${JSON.stringify(join(place, 'in'))}]);
    await folders.write('cut.pdf', Buffer.alloc(1_000_000)).catch(({ message }) => console.log(message));`;
  // The shell's limit counts blocks of 512 or 1,024 bytes.
  const limited = spawnSync(
    'sh',
    ['-c', 'ulimit -f 64; exec "$@"', 'sh', process.execPath, '--no-warnings', '-e', program],
    {
      encoding: 'utf8',
    },
  );
  expect(limited.stdout).toBe('cut.pdf cannot be written (EFBIG).\n');
  expect(existsSync(join(place, 'in/cut.pdf'))).toBe(false);
});

it('a file that exists is not replaced', async () => {
  await expect(folders.write('a.pdf', Buffer.from('x'))).rejects.toThrow('exists already');
  expect(readFileSync(join(place, 'in/a.pdf'), 'utf8')).toBe('in/a.pdf');
});

it('nothing is written through a symbolic link', async () => {
  await expect(folders.write('dangling', Buffer.from('x'))).rejects.toThrow();
  expect(() => readFileSync(join(place, 'out/new'))).toThrow('ENOENT');
});

it('without a folder, nothing can be read or written', async () => {
  await expect(Folders.of([])).rejects.toThrow('--folder');
  await expect(Folders.of([join(place, 'in/a.pdf')])).rejects.toThrow('not a folder');
});
