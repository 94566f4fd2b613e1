import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

it('100 hostile PDFs take intake at most 2 s of processor time and 300 MB each, and none crashes it', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--no-warnings',
    'test/fuzz/main.ts',
    '100',
  ]);
  expect(JSON.parse(stdout)).toMatchObject({ files: 100, failed: [], peakMegabytes: expect.any(Number) });
}, 300_000);
