import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { IS_THOROUGH } from '../support/thorough.ts';

const FILES = IS_THOROUGH ? 100 : 30;

it('hostile PDFs take intake at most 1.5 s of processor time and 300 MB each, and none crashes it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    'test/fuzz/main.ts',
    `${FILES}`,
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ files: FILES, failed: [], peakMegabytes: expect.any(Number) });
}, 300_000);
