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
  const names = Object.keys(require(path)).filter((name) => name !== 'default' && IDENTIFIER.test(name));
  const loaded = `globalThis.requireByNode(${JSON.stringify(path)})`;
  return { code: supportsStaticESM ? asModule(loaded, names) : asCommonJs(loaded, names) };
}

/** A name can be a reserved word, so it only appears as an export's name. */
const asModule = (loaded, names) =>
  [
    `const loaded = ${loaded};`,
    'export default loaded.default;',
    ...names.map((name) => `const $${name} = loaded.${name};\nexport { $${name} as ${name} };`),
  ].join('\n');

/** Exports are found by reading the text, without running it, as in Node. */
const asCommonJs = (loaded, names) =>
  `module.exports = ${loaded};\n0 && (module.exports = { ${names.join(', ')} });`;

/** Of the result: an entry file that exports another file's names does not change with them. */
const getCacheKey = (...given) =>
  createHash('sha256')
    .update(process(...given).code)
    .digest('hex');

export default { process, getCacheKey };
