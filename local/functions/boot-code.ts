/** The code that runs before a function's or a container's own code, bundled as a `data:` URL of plain JavaScript. */
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

type BootFile = 'boot.ts' | 'container-boot.ts';

const urls = new Map<BootFile, string>();

/** Bundled once: a worker starts twice as fast from plain JavaScript. */
export function bootUrl(file: BootFile): string {
  const url = urls.get(file) ?? bundle(file);
  urls.set(file, url);
  return url;
}

function bundle(file: BootFile): string {
  const { outputFiles } = buildSync({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node24',
  });
  return `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`;
}
