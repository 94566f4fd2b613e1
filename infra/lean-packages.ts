import { readFileSync } from 'node:fs';
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
  code.replace(/^ *inst\._zod\.processJSONSchema = .*$/gm, '');

const CHANGES: [path: RegExp, change: (code: string) => string][] = [
  [/@aws-sdk\/client-[^/]+\/dist-es\/schemas\/schemas_0\.js$/, withLiteralKeys],
  [/zod\/v4\/classic\/schemas\.js$/, withoutJsonSchema],
];

export const leanPackages: Plugin = {
  name: 'lean-packages',
  setup({ onLoad }) {
    for (const [filter, change] of CHANGES)
      onLoad({ filter }, ({ path }) => ({ contents: change(readFileSync(path, 'utf8')), loader: 'js' }));
  },
};
