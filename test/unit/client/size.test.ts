import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const MAX_BYTES = 8 * 1024;

it('the client is small, without a dependency and without Node', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../../client/src/index.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    metafile: true,
  });
  expect(Object.keys(metafile.inputs).filter((file) => !file.includes('client/src/'))).toEqual([]);
  expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(MAX_BYTES);
});
