import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;
const require = createRequire(import.meta.url);

/**
 * Replaces the entry file of a package by one that takes the package from Node itself, which loads it once for each
 * worker. Jest would load it, and all that it imports, again for each test file.
 */
function process(source, path, { supportsStaticESM, supportsDynamicImport }) {
  // A global setup, which runs in Node's own context.
  if (!supportsDynamicImport) return { code: source };
  const kind = supportsStaticESM ? 'module' : 'commonjs';
  const code = written.get(kind + path) ?? WRITERS[kind](path);
  written.set(kind + path, code);
  return { code };
}

/** Jest asks again for each test file. */
const written = new Map();

const loaded = (path) => `globalThis.requireByNode(${JSON.stringify(path)})`;
const namesOf = (path) =>
  Object.keys(require(path)).filter((name) => name !== 'default' && IDENTIFIER.test(name));

const WRITERS = {
  /** A name can be a reserved word, so it only appears as an export's name. */
  module: (path) =>
    [
      `const loaded = ${loaded(path)};`,
      ...('default' in require(path) ? ['export default loaded.default;'] : []),
      ...namesOf(path).map((name) => `const $${name} = loaded.${name};\nexport { $${name} as ${name} };`),
    ].join('\n'),
  /** Exports are found by reading the text, without running it, as in Node. */
  commonjs: (path) =>
    `module.exports = ${loaded(path)};\n0 && (module.exports = { ${namesOf(path).join(', ')} });`,
};

/** Of the result: an entry file that exports another file's names does not change with them. */
const getCacheKey = (...given) =>
  createHash('sha256')
    .update(process(...given).code)
    .digest('hex');

export default { process, getCacheKey };
