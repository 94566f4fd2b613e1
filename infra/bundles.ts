import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';
import { ENDPOINTS } from '../shared/contract/endpoints.ts';
import { JOBS } from './functions.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const BUNDLES = join(ROOT, 'build', 'functions');
export const INGEST_BUNDLE = join(ROOT, 'build', 'ingest');
/** Where Vite puts the signing page (`npm run build:web`). */
export const PAGE = join(ROOT, 'build', 'web');

/** Function name → source file. */
export const sources = (): Map<string, string> =>
  new Map([
    ...ENDPOINTS.map(({ name, area }) => [name, `functions/${area}/${name}.ts`] as const),
    ...Object.keys(JOBS).map((name) => [name, `functions/jobs/${name}.ts`] as const),
  ]);

// What is CommonJS inside asks for `require`, which an ES module has to make for itself.
const REQUIRE = "import{createRequire}from'node:module';const require=createRequire(import.meta.url);\n";

/** Packages of which the functions need next to nothing. */
const STAND_INS = {
  '@aws-sdk/credential-provider-node': join(ROOT, 'infra/stand-ins/credentials.ts'),
  '@pdf-lib/standard-fonts': join(ROOT, 'infra/stand-ins/standard-fonts.ts'),
  '@pdf-lib/upng': join(ROOT, 'infra/stand-ins/upng.ts'),
  pako: join(ROOT, 'infra/stand-ins/pako.ts'),
};

const COMMON = {
  absWorkingDir: ROOT,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  minify: true,
  // Functions keep the names that stack traces show.
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** Fonts are read at run time, so they stand beside the bundles that set type. */
const FONTS = 'shared/typesetting/fonts';

/** Bundles the ingest, whose credentials come from its container and not from its environment. */
export function bundleIngest(out: string = INGEST_BUNDLE): void {
  const { outputFiles } = buildSync({
    ...COMMON,
    outdir: out,
    entryPoints: [{ in: 'functions/ingest/main.ts', out: 'index' }],
  });
  writeBundles(outputFiles);
}

/** Bundles every function in one go: `<out>/<name>/index.mjs`. */
export function bundleFunctions(out: string = BUNDLES): void {
  const functions = sources();
  const { outputFiles, metafile } = buildSync({
    ...COMMON,
    entryPoints: [...functions].map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir: out,
    alias: STAND_INS,
    metafile: true,
  });
  writeBundles(outputFiles);
  for (const [path, output] of Object.entries(metafile.outputs)) {
    if (Object.keys(output.inputs).some((input) => input.startsWith('shared/typesetting/')))
      copyFonts(join(ROOT, dirname(path), 'fonts'));
  }
  for (const name of readdirSync(out)) {
    if (!functions.has(name)) rmSync(join(out, name), { recursive: true, force: true });
  }
  write(join(dirname(out), 'meta.json'), JSON.stringify(metafile));
}

function copyFonts(to: string): void {
  for (const name of readdirSync(join(ROOT, FONTS)).filter((file) => file.endsWith('.ttf')))
    write(join(to, name), readFileSync(join(ROOT, FONTS, name)));
}

function writeBundles(outputs: readonly OutputFile[]): void {
  for (const { path, text } of outputs)
    write(path, text.includes('Dynamic require of') ? REQUIRE + text : text);
}

/** Leaves an unchanged file alone and swaps in a changed one whole, so that builds side by side do no harm. */
function write(path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}
