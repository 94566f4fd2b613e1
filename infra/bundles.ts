import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type OutputFile } from 'esbuild';
import { ENDPOINTS, functionOf } from '../shared/contract/endpoints.ts';
import { JOBS } from './functions.ts';
import { builtInsByCall, leanPackages, unusedConstants } from './lean-bundles.ts';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const BUNDLES = join(ROOT, 'build', 'functions');
export const INGEST_BUNDLE = join(ROOT, 'build', 'ingest');
/** Vite's output folder of the signing page (`npm run build:web`). */
export const PAGE = join(ROOT, 'build', 'web');

/** Function name → source file. */
export const sources = (): Map<string, string> =>
  new Map([
    ...ENDPOINTS.map((each) => [functionOf(each), `functions/${each.area}/${functionOf(each)}.ts`] as const),
    ...Object.keys(JOBS).map((name) => [name, `functions/jobs/${name}.ts`] as const),
  ]);

/** Small replacements for packages of which the functions need almost nothing. */
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
  // Stack traces must show the original names.
  keepNames: true,
  legalComments: 'none',
  plugins: [leanPackages, builtInsByCall, unusedConstants],
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Files that typesetting reads at run time, beside each bundle that typesets: the fonts, a colour profile, and HarfBuzz where Node
 * looks for it.
 */
const FONT_READER = 'shared/typesetting/fonts.ts';
const TYPESETTING_FILES: readonly { readonly from: string; readonly to: string; readonly only: RegExp }[] = [
  { from: 'shared/typesetting/fonts', to: 'fonts', only: /\.(ttf|icc)$/ },
  { from: 'shared/typesetting/fonts/scripts', to: 'fonts/scripts', only: /./ },
  { from: 'node_modules/harfbuzzjs', to: 'node_modules/harfbuzzjs', only: /^(package\.json|LICENSE)$/ },
  { from: 'node_modules/harfbuzzjs/dist', to: 'node_modules/harfbuzzjs/dist', only: /^harfbuzz\.wasm$/ },
];

/** Bundles the ingest without the stand-ins: its credentials come from the container, not from the environment. */
export async function bundleIngest(): Promise<void> {
  const { outputFiles } = await build({
    ...COMMON,
    outdir: INGEST_BUNDLE,
    entryPoints: [{ in: 'functions/ingest/main.ts', out: 'index' }],
  });
  writeBundles(outputFiles);
}

/** Bundles every function to `<out>/<name>/index.mjs`. */
export async function bundleFunctions(out: string = BUNDLES): Promise<void> {
  const functions = sources();
  const { outputFiles, metafile } = await build({
    ...COMMON,
    entryPoints: [...functions].map(([name, file]) => ({ in: file, out: `${name}/index` })),
    outdir: out,
    alias: STAND_INS,
    metafile: true,
  });
  writeBundles(outputFiles);
  for (const [path, output] of Object.entries(metafile.outputs)) {
    if (output.inputs[FONT_READER]) copyTypesettingFiles(join(ROOT, dirname(path)));
  }
  for (const name of readdirSync(out)) {
    if (!functions.has(name)) rmSync(join(out, name), { recursive: true, force: true });
  }
  write(join(dirname(out), 'meta.json'), JSON.stringify(metafile));
}

function copyTypesettingFiles(bundle: string): void {
  for (const { from, to, only } of TYPESETTING_FILES)
    for (const name of readdirSync(join(ROOT, from)).filter((file) => only.test(file)))
      write(join(bundle, to, name), readFileSync(join(ROOT, from, name)));
}

function writeBundles(outputs: readonly OutputFile[]): void {
  for (const { path, contents } of outputs) write(path, contents);
}

/** Replaces changed files atomically and leaves others alone, so that concurrent builds do not disturb one another. */
function write(path: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content);
  if (existsSync(path) && readFileSync(path).equals(bytes)) return;
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, bytes);
  renameSync(temporary, path);
}
