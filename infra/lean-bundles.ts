import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

/** Changes to code that let esbuild drop what a function does not use. If they no longer match, bundles grow over their budgets. */

const TEXT = /^const (_\w+) = ("[^"]*");$/gm;

/**
 * The schemas of an AWS client name HTTP headers as `{ [_hH]: … }`. A computed key may have side effects, so esbuild keeps
 * the schemas of all operations. It drops those of the unused ones once the keys are text.
 */
function withLiteralKeys(code: string): string {
  const texts = new Map([...code.matchAll(TEXT)].map(([, name, text]) => [name, text]));
  return code.replace(/\[(_\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key));
}

/**
 * Schemas are written as JSON schemas only for the documents. And zod writes and compiles a function for each object that it reads:
 * that takes 15 ms of a cold start's first read of a request, and saves less than 0.1 ms in each later one.
 */
const withPlainSchemas = (code: string): string =>
  code
    .replace('core.$ZodObjectJIT.init(', 'core.$ZodObject.init(')
    .replace(/^ *inst\._zod\.processJSONSchema = .*$/gm, '')
    .replace(/^ *(?:in|out)put: createStandardJSONSchemaMethod\(.*$/gm, '')
    .replace(/^ *return createToJSONSchemaMethod\(.*$/gm, '');

/** The functions use no event streams, and this import inside the SDK's core keeps esbuild from joining the core into one scope. */
const withoutEventStreams = (code: string): string =>
  code.replace(
    'await import("@smithy/core/event-streams")',
    'await Promise.reject(new Error("Event streams are not in this bundle."))',
  );

/** The clients of S3 and Lambda load a reader of event streams for one operation each, which the functions do not call. */
const withoutEventStreamReader = (code: string): string =>
  code.replace(
    'import { eventStreamSerdeProvider } from "@smithy/core/event-streams";',
    'const eventStreamSerdeProvider = () => undefined;',
  );

/** pdf-lib's classes come from calls, so esbuild keeps also those that nobody uses, unless the calls are marked as pure. */
const withPureClasses = (code: string): string =>
  code.replaceAll('= /** @class */ (function', '= /* @__PURE__ */ (function');

/** No function uses pdf-lib for forms, for reading and copying PDFs, for attachments, scripts and pictures. */
const UNUSED_OF_PDF_LIB =
  /\b(PDFForm|PDFAcroForm|PDFParser|PDFObjectCopier|PDFPageEmbedder|FileEmbedder|JavaScriptEmbedder|JpegEmbedder|PngEmbedder|svgPathToOperators)\b(?!["']),? ?/g;

/** Takes the imports of these parts away from a module, so that to use one throws. */
function withoutUnusedParts(code: string): string {
  const unused = new Set<string>();
  const imports = code.replace(/^import .+$/gm, (line) =>
    line
      .replace(UNUSED_OF_PDF_LIB, (_, name: string) => {
        unused.add(name);
        return '';
      })
      .replace(/^import (?:\{ \} )?from .+$/, ''),
  );
  const parts = [...unused].map((name) => `const ${name} = notBundled;`).join('\n');
  return withPureClasses(`const refuse = () => { throw new Error("This part of pdf-lib is not bundled."); };
    const notBundled = new Proxy(refuse, { get: refuse });
    ${parts}
    ${imports}`);
}

/** The SDK would look for a developer's settings in two files of the home folder, at the first call of each environment. */
const withoutConfigFiles = (): string =>
  `export { CONFIG_PREFIX_SEPARATOR } from './constants';
  export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`;

/** Node loads the global class at first use, and most functions stream nothing. */
const withGlobalStream = (code: string): string =>
  code.replace('import { ReadableStream } from "node:stream/web";', '');

const CHANGES: [path: RegExp, change: (code: string) => string][] = [
  [/@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_0\.js$/, withLiteralKeys],
  [/@smithy\/core\/dist-es\/submodules\/protocols\/HttpProtocol\.js$/, withoutEventStreams],
  [/@aws-sdk\/client-(?:s3|lambda)\/dist-es\/runtimeConfig\.js$/, withoutEventStreamReader],
  [/pdf-lib\/es\/(?:api\/[^/]+|core\/structures\/PDFCatalog)\.js$/, withoutUnusedParts],
  [/pdf-lib\/es\/.+\.js$/, withPureClasses],
  [
    /@smithy\/core\/dist-es\/submodules\/config\/shared-ini-file-loader\/loadSharedConfigFiles\.js$/,
    withoutConfigFiles,
  ],
  [/@middy\/core\/executionModeStreamifyResponse\.js$/, withGlobalStream],
  [/zod\/v4\/classic\/schemas\.js$/, withPlainSchemas],
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
 * Loads Node's modules by a call. An `import` reads every export, and some exports load other parts of Node: milliseconds of a cold
 * start.
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

/** A constant of a module: as Biome formats it, the next statement is the first line that is neither indented nor closes a bracket. */
const CONSTANT_STATEMENT =
  /^((?:export )?const \w+(?:: [^=\n]+)? = )([\s\S]+?);(?=\n+[^\s)\]}]|\n*(?![\s\S]))/gm;
/** A function (its name comes from the constant), an awaited value, or a value without a call. */
const LEFT_UNCHANGED = /^(?:(?:async )?\(|(?:async )?\w+ =>|<|await\b|[^(]*$)/;

const withUnusedConstantsMarked = (code: string): string =>
  code.replace(CONSTANT_STATEMENT, (statement, head, value) =>
    LEFT_UNCHANGED.test(value) ? statement : `${head}/* @__PURE__ */ (() => (${value}))();`,
  );

const OWN_SOURCE = /\/(?:functions|shared)\/[^.]+\.ts$/;

/**
 * Lets esbuild drop the constants of the product's own modules that a function does not use, above all the schemas of other
 * endpoints. A call may have side effects, so esbuild keeps what it makes, unless it is marked as pure.
 */
export const unusedConstants: Plugin = {
  name: 'unused-constants',
  setup({ onLoad }) {
    onLoad({ filter: OWN_SOURCE }, ({ path }) => ({
      contents: withUnusedConstantsMarked(readFileSync(path, 'utf8')),
      loader: 'ts',
    }));
  },
};
