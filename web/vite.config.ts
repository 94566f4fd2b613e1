import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { LIMITS } from '../shared/contract/limits.ts';
import type { InsteadTexts } from '../shared/texts/en/service.ts';
import { INSTEAD_TEXTS, LOCALES } from '../shared/texts/languages.ts';

const HERE = dirname(fileURLToPath(import.meta.url));
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
const { version } = JSON.parse(readFileSync(join(pdfjs, 'package.json'), 'utf8')) as { version: string };

/** The folder of the files that pdf.js fetches by name. With a version in its path, browsers can cache it for good. */
const PDFJS_FILES = `assets/pdfjs-${version}`;

/** Adds the character maps, standard fonts, image decoders and colour profiles of pdf.js to the build. */
const pdfjsFiles: Plugin = {
  name: 'pdfjs-files',
  apply: 'build',
  generateBundle() {
    for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
      for (const file of readdirSync(join(pdfjs, folder))) {
        // The page runs no scripts of documents.
        if (file.startsWith('quickjs')) continue;
        const source = readFileSync(join(pdfjs, folder, file));
        this.emitFile({ type: 'asset', fileName: `${PDFJS_FILES}/${folder}/${file}`, source });
      }
    }
  },
};

/** No file that a page loads later needs another one to be fetched ahead: what Vite adds for that costs a kilobyte. */
const noPreloads: Plugin = {
  name: 'no-preloads',
  enforce: 'pre',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

const limits: Readonly<Record<string, number>> = LIMITS;

/** Puts each limit in the place of its name: a page would carry all of them for the few that it needs. */
const limitsInPlace: Plugin = {
  name: 'limits-in-place',
  enforce: 'pre',
  transform: {
    filter: { code: /\bLIMITS\./ },
    handler: (code) =>
      code.replaceAll(/\bLIMITS\.(\w+)/g, (written, name) => String(limits[name] ?? written)),
  },
};

/** Without scripts a page cannot choose a language, so it says this in every language. */
const inEveryLanguage = (textOf: (texts: InsteadTexts) => string): string =>
  LOCALES.map((locale) => `<p lang="${locale}">${textOf(INSTEAD_TEXTS[locale])}</p>`).join('\n');

const TEMPLATE = readFileSync(join(HERE, 'page.html'), 'utf8');

/** The pages are one document but for these: every `index.html` is made from `page.html`. */
const documentOf = (title: string, page: keyof InsteadTexts['noScript']): Plugin => {
  const isDocument = (id: string) => id.endsWith('/index.html');
  return {
    name: 'document',
    enforce: 'pre',
    resolveId: (id) => (isDocument(id) ? id : undefined),
    load: (id) =>
      isDocument(id)
        ? TEMPLATE.replaceAll('%title%', title)
            .replace(
              '%noscript%',
              inEveryLanguage(({ noScript }) => noScript[page]),
            )
            .replace(
              '%not-loaded%',
              inEveryLanguage(({ notLoaded }) => notLoaded),
            )
        : undefined,
  };
};

/** The pages by the first part of their path, with their folders. */
const PAGES = {
  sign: { folder: 'signing', plugins: [documentOf('Signature requests', 'sign'), pdfjsFiles] },
  verify: {
    folder: 'verify',
    plugins: [documentOf('Verify a sealed PDF – Signature requests', 'verify')],
  },
  app: { folder: 'app', plugins: [documentOf('Signature requests', 'app')] },
};

const isPage = (mode: string): mode is keyof typeof PAGES => Object.hasOwn(PAGES, mode);

/** `--mode` selects the page. */
export default defineConfig(({ mode }) => {
  const path = isPage(mode) ? mode : 'sign';
  const { folder, plugins } = PAGES[path];
  return {
    root: join(HERE, folder),
    base: `/${path}/`,
    publicDir: false,
    plugins: [...plugins, noPreloads, limitsInPlace],
    define: {
      PDFJS_FILES: JSON.stringify(`/sign/${PDFJS_FILES}/`),
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    worker: { format: 'es' },
    build: {
      outDir: join(HERE, '../build/web', path),
      emptyOutDir: true,
      target: ['chrome109', 'firefox115', 'safari16.4'],
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      chunkSizeWarningLimit: 1500,
      rolldownOptions: {
        // A slow machine would tell every deployer how long the plugins took.
        checks: { bundlerTimings: false },
        output: {
          // The worker is an .mjs file. As .js, every static host serves it with the right media type.
          assetFileNames: (asset) =>
            asset.names[0]?.endsWith('.mjs') ? 'assets/[name]-[hash].js' : 'assets/[name]-[hash][extname]',
        },
      },
    },
  };
});
