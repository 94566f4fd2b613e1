import { readFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

/** Later than the oldest browser of `web/vite.config.ts`; a build changes syntax alone. */
const LATER =
  /\.(?:toWellFormed|isWellFormed|toSorted|toReversed|toSpliced|with|getOrInsert|getOrInsertComputed|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|toHex|toBase64|setFromHex|setFromBase64)\(|\b(?:URL\.(?:canParse|parse)|(?:Object|Map)\.groupBy|Promise\.(?:withResolvers|try)|Array\.fromAsync|AbortSignal\.any|Uint8Array\.from(?:Hex|Base64)|RegExp\.escape|Iterator\.from|Intl\.(?:Segmenter|DurationFormat))\b|\.(?:keys|values|entries)\(\)\.(?:map|filter|flatMap|some|every|find|reduce|take|drop|toArray)\(/g;

/** Styles, fonts and pdf.js, which brings what browsers lack. */
const besidesCode: Plugin = {
  name: 'besides-code',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^pdfjs-dist|\?url$|\.(?:css|svg|ttf|woff)$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

it.each(['signing/main.tsx', 'app/main.tsx', 'verify/main.tsx', 'verify/worker.ts'])(
  'web/%s uses no built-in that the oldest browsers of the build lack',
  async (entry) => {
    const { outputFiles } = await build({
      entryPoints: [`web/${entry}`],
      bundle: true,
      write: false,
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      plugins: [besidesCode],
    });
    const [file] = outputFiles;
    expect(file?.text.length).toBeGreaterThan(10_000);
    expect(file?.text.match(LATER)).toBeNull();
  },
);

it('the guide names the oldest browsers of the build', () => {
  const guide = readFileSync('docs/guides/signers.md', 'utf8');
  const [, target = ''] = /target: \[(.*)\]/.exec(readFileSync('web/vite.config.ts', 'utf8')) ?? [];
  const [chrome, firefox, safari] = target.match(/\d[\d.]*/g) ?? [];
  expect(guide).toContain(`Chrome or Edge ${chrome}, Firefox ${firefox} or Safari ${safari}, or newer`);
});
