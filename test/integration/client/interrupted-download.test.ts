import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { listenHere, originOf } from '../../support/loopback.ts';
import { until } from '../../support/until.ts';
import { ended, type Place, runCommand, startCommand } from './command.ts';

/** A service whose download halts midway while `isStalling`. */
const TRAIL = Buffer.alloc(200_000, '\xff\x00trail', 'latin1');
const HALF = TRAIL.length / 2;

let server: Server;
let isStalling: boolean;
let whileHalfway: () => Promise<void>;
let place: Place;

beforeEach(async () => {
  isStalling = false;
  whileHalfway = async () => undefined;
  server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.write(TRAIL.subarray(0, HALF));
    await whileHalfway();
    if (!isStalling) response.end(TRAIL.subarray(HALF));
  });
  await listenHere(server);
  const env = { SIGNATURE_REQUESTS_API_KEY: 'esk_test_1', SIGNATURE_REQUESTS_URL: originOf(server) };
  place = { cwd: await mkdtemp(join(tmpdir(), 'download-')), env };
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(place.cwd, { recursive: true });
});

const files = () => readdir(place.cwd);
const DOWNLOAD = ['download', 'r', '--audit-trail'];
const FILE = 'r-audit-trail.pdf';

it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a download stopped by %s leaves no file under its name, and the next run succeeds',
  async (signal) => {
    isStalling = true;
    const command = startCommand(DOWNLOAD, place);
    const outcome = ended(command);
    await until(async () => (await files()).length > 0, 'the first bytes');
    command.kill(signal);
    const { code, stderr } = await outcome;
    if (signal !== 'SIGKILL') {
      expect({ code, stderr }).toEqual({ code: 1, stderr: 'The download was interrupted.\n' });
      expect(await files()).toEqual([]);
    }
    expect(await files()).not.toContain(FILE);

    isStalling = false;
    expect(await runCommand(DOWNLOAD, place)).toMatchObject({
      code: 0,
      json: { file: FILE, bytes: TRAIL.length },
    });
    expect((await readFile(join(place.cwd, FILE))).equals(TRAIL)).toBe(true);
  },
);

it('a download for which there is no room ends at once, names its file, and leaves nothing', async () => {
  isStalling = true;
  const outcome = await runCommand(DOWNLOAD, { ...place, mostBlocks: 64 });
  expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: `${FILE} cannot be used (EFBIG).\n` });
  expect(await files()).toEqual([]);
});

it('nothing is downloaded into a folder that is not there, which is named', async () => {
  let calls = 0;
  whileHalfway = async () => {
    calls += 1;
  };
  expect(await runCommand([...DOWNLOAD, '-o', 'none/trail.pdf'], place)).toMatchObject({
    code: 1,
    stderr: 'There is no folder none.\n',
  });
  await writeFile(join(place.cwd, 'file'), 'mine');
  expect(await runCommand([...DOWNLOAD, '-o', 'file/trail.pdf'], place)).toMatchObject({
    code: 1,
    stderr: 'There is no folder file.\n',
  });
  expect(await runCommand([...DOWNLOAD, '-o', ''], place)).toMatchObject({
    code: 2,
    stderr: '--output names no file.\n',
  });
  expect(calls).toBe(0);
});

it('a file that appears during a download is not replaced, and named', async () => {
  whileHalfway = () => writeFile(join(place.cwd, FILE), 'mine');
  expect(await runCommand(DOWNLOAD, place)).toMatchObject({
    code: 1,
    stderr: `${FILE} exists already; name another with --output.\n`,
  });
  expect(await readFile(join(place.cwd, FILE), 'utf8')).toBe('mine');
  expect(await files()).toEqual([FILE]);
});

it('nothing is downloaded if the file exists already, unless it was named', async () => {
  await writeFile(join(place.cwd, FILE), 'mine');
  let calls = 0;
  whileHalfway = async () => {
    calls += 1;
  };
  expect(await runCommand(DOWNLOAD, place)).toMatchObject({ code: 1 });
  expect(calls).toBe(0);
  expect(await runCommand([...DOWNLOAD, '-o', FILE], place)).toMatchObject({ code: 0 });
  expect((await readFile(join(place.cwd, FILE))).equals(TRAIL)).toBe(true);
});

it('a pipe is not replaced by a download, even if it was named', async () => {
  execFileSync('mkfifo', [join(place.cwd, 'pipe')]);
  expect(await runCommand([...DOWNLOAD, '-o', 'pipe'], place)).toMatchObject({
    code: 1,
    stderr: 'pipe is not a regular file, so it is not replaced.\n',
  });
  expect((await stat(join(place.cwd, 'pipe'))).isFIFO()).toBe(true);
  expect(await files()).toEqual(['pipe']);
});

describe('a download to standard output', () => {
  const TO_STDOUT = [...DOWNLOAD, '--json', '-o', '-'];

  it('prints the bytes of the file and nothing else', async () => {
    const stdoutFile = join(place.cwd, 'out.pdf');
    expect(await runCommand(TO_STDOUT, { ...place, stdoutFile })).toMatchObject({ code: 0, stderr: '' });
    expect((await readFile(stdoutFile)).equals(TRAIL)).toBe(true);
    expect(await files()).toEqual(['out.pdf']);
  });

  it('prints nothing of a file that did not arrive whole', async () => {
    whileHalfway = async () => server.closeAllConnections();
    expect(await runCommand(TO_STDOUT, place)).toMatchObject({ code: 1, stdout: '' });
  });

  it('ends without an error when its reader has seen enough', async () => {
    const command = startCommand(TO_STDOUT, place);
    const closed = once(command, 'close');
    command.stdout?.once('data', () => command.stdout?.destroy());
    const complaints = text(command.stderr as Readable);
    expect([await closed, await complaints]).toEqual([[0, null], '']);
    expect(await files()).toEqual([]);
  });
});

it('a reader that has seen enough ends nothing with an error', async () => {
  const command = startCommand(DOWNLOAD, place);
  const closed = once(command, 'close');
  command.stdout?.destroy();
  const complaints = text(command.stderr as Readable);
  expect([await closed, await complaints]).toEqual([[0, null], '']);
});

it('a result that cannot be written is an error, which says that the command was carried out', async () => {
  const { code, stderr } = await runCommand(DOWNLOAD, { ...place, stdoutFile: '/dev/full' });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'The command was carried out, but its result could not be printed (ENOSPC).\n',
  });
});
