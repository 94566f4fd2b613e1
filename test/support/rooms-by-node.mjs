import swc from '@swc/jest';
import packages from './packages-by-node.mjs';

/**
 * Takes a file of the product from Node itself, as a package, so that each worker compiles it once. Coverage counts the
 * lines of what jest loads, and a global setup runs in Node's own context already.
 */
function createTransformer(options) {
  const byJest = swc.createTransformer(options);
  const chosen = ({ instrument, supportsDynamicImport }) =>
    instrument || !supportsDynamicImport ? byJest : packages;
  return {
    process: (source, path, asked) => chosen(asked).process(source, path, asked),
    getCacheKey: (source, path, asked) => chosen(asked).getCacheKey(source, path, asked),
  };
}

export default { createTransformer };
