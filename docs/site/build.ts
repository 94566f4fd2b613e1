/** A part of `npm run build:web`: writes the pages at /docs, with their script, style and search index. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';
import type { Assets } from './layout.tsx';

const HERE = import.meta.dirname;
const OUT = join(HERE, '../../build/web/docs');

// Node reads TypeScript, but no JSX.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context);
    const { code } = transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
      loader: 'tsx',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    });
    return { format: 'module', shortCircuit: true, source: code };
  },
});
const { renderedSite } = await import('./site.tsx');

function write(file: string, content: string): void {
  mkdirSync(dirname(join(OUT, file)), { recursive: true });
  writeFileSync(join(OUT, file), content);
}

/** Bundles the files of all pages under names with a hash, and returns their addresses. */
async function assets(): Promise<Assets> {
  const { metafile } = await build({
    entryPoints: ['browser/search.ts', 'style/docs.css', '../../web/parts/mark.svg'].map((file) =>
      join(HERE, file),
    ),
    loader: { '.svg': 'copy' },
    entryNames: '[name]-[hash]',
    outdir: join(OUT, 'assets'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome109', 'firefox115', 'safari16.4'],
    metafile: true,
  });
  const named = (end: string) => {
    const file = Object.keys(metafile.outputs).find((output) => output.endsWith(end));
    if (!file) throw new Error(`The bundler wrote no ${end} file.`);
    return `/docs/assets/${basename(file)}`;
  };
  return { script: named('.js'), style: named('.css'), icon: named('.svg') };
}

rmSync(OUT, { recursive: true, force: true });
const { pages, index } = renderedSite(await assets());
for (const { path, html } of pages) write(join(path, 'index.html'), html);
write('search.json', JSON.stringify(index));
