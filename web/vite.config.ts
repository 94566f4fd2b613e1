import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { PAGE_TEXTS } from '../shared/texts/page.ts';

const here = dirname(fileURLToPath(import.meta.url));
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(join(pdfjs, 'package.json'), 'utf8')) as { version: string };

/** What pdf.js fetches by name. The version in the path stands for the hash: the files never change under it. */
const PDFJS_FILES = `assets/pdfjs-${version}`;

/** Character maps, the fourteen standard fonts and the image decoders of pdf.js, served from our own origin. */
const pdfjsFiles: Plugin = {
  name: 'pdfjs-files',
  apply: 'build',
  generateBundle() {
    for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
      for (const file of readdirSync(join(pdfjs, folder))) {
        const source = readFileSync(join(pdfjs, folder, file));
        this.emitFile({ type: 'asset', fileName: `${PDFJS_FILES}/${folder}/${file}`, source });
      }
    }
  },
};

/** With scripts off nothing can choose a language, so the sentence stands there in all of them. */
const noScriptSentences: Plugin = {
  name: 'no-script-sentences',
  transformIndexHtml: (html) =>
    html.replace(
      '%noscript%',
      Object.entries(PAGE_TEXTS)
        .map(([locale, texts]) => `<p class="noscript" lang="${locale}">${texts.noScript}</p>`)
        .join('\n'),
    ),
};

export default defineConfig({
  root: here,
  base: '/sign/',
  publicDir: false,
  plugins: [noScriptSentences, pdfjsFiles],
  define: { PDFJS_FILES: JSON.stringify(`/sign/${PDFJS_FILES}/`) },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(here, '../build/web/sign'),
    emptyOutDir: true,
    target: ['chrome109', 'firefox115', 'safari16.4'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1500,
    rolldownOptions: {
      output: {
        // The worker is a module that comes as .mjs; as .js every static host gives it the right media type.
        assetFileNames: (asset) =>
          asset.names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]',
      },
    },
  },
});
