import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/** Changes to packages' code that let esbuild drop what the functions do not use. If they no longer match, bundles grow over their budgets. */

const CONSTANT = /^const (_\w+) = ("[^"]*");$/gm;

/**
 * The schemas of an AWS client name HTTP headers as `{ [_hH]: … }`. A computed key may have side effects, so esbuild keeps
 * the schemas of all operations. It drops those of the unused ones once the keys are text.
 */
function withLiteralKeys(code: string): string {
  const texts = new Map([...code.matchAll(CONSTANT)].map(([, name, text]) => [name, text]));
  return code.replace(/\[(_\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key));
}

/** Schemas are written as JSON schemas only for the documents. */
const withoutJsonSchema = (code: string): string =>
  code
    .replace(/^ *inst\._zod\.processJSONSchema = .*$/gm, '')
    .replace(/^ *(?:in|out)put: createStandardJSONSchemaMethod\(.*$/gm, '')
    .replace(/^ *return createToJSONSchemaMethod\(.*$/gm, '');

/** An import in the middle of the SDK's core, of what these functions never use, keeps esbuild from joining the core into one scope. */
const withoutEventStreams = (code: string): string =>
  code.replace(
    'await import("@smithy/core/event-streams")',
    'await Promise.reject(new Error("Event streams are not in this bundle."))',
  );

/** The SDK would look for a developer's settings in two files of the home folder, at the first call of each environment. */
const withoutConfigFiles = (): string =>
  `export { CONFIG_PREFIX_SEPARATOR } from './constants';
  export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`;

const CHANGES: [path: RegExp, change: (code: string) => string][] = [
  [/@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_0\.js$/, withLiteralKeys],
  [/@smithy\/core\/dist-es\/submodules\/protocols\/HttpProtocol\.js$/, withoutEventStreams],
  [
    /@smithy\/core\/dist-es\/submodules\/config\/shared-ini-file-loader\/loadSharedConfigFiles\.js$/,
    withoutConfigFiles,
  ],
  [/zod\/v4\/classic\/schemas\.js$/, withoutJsonSchema],
];

export const leanPackages: Plugin = {
  name: 'lean-packages',
  setup({ onLoad }) {
    for (const [filter, change] of CHANGES)
      onLoad({ filter }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')), loader: 'js' }));
  },
};

const BUILT_IN = new RegExp(`^(?:node:.+|${builtinModules.join('|')})$`);

/**
 * Gets Node's modules by a call. An `import` reads each export of a module, also those that load other parts of Node when they are
 * read: that is some milliseconds of a cold start.
 */
export const builtInsByCall: Plugin = {
  name: 'built-ins-by-call',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: BUILT_IN }, ({ path }) => ({ path, namespace: 'built-in', sideEffects: false }));
    onLoad({ filter: /^/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}');`,
    }));
  },
};
