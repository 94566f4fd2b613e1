import { readFileSync } from 'node:fs';
import { type Block, blocksOf } from '../../docs/site/markdown.ts';

/** The blocks of code in the documentation for clients, and who runs them. */

const EXAMPLES = 'test/conformance/examples.test.ts';
const RECEIVERS = 'test/conformance/receivers.test.ts';
const PAYLOADS = 'test/unit/webhooks/docs.test.ts';

/** By file and language: the test that runs such blocks. A block of no row turns a unit test red. */
export const RUNNERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'docs/api.md': { sh: EXAMPLES },
  'docs/examples.md': { sh: EXAMPLES, ts: EXAMPLES },
  'docs/guides/quick-start.md': { sh: EXAMPLES, ts: EXAMPLES, json: EXAMPLES },
  'docs/guides/retries.md': { sh: EXAMPLES },
  'docs/guides/verification.md': { sh: EXAMPLES },
  'docs/webhooks.md': {
    sh: EXAMPLES,
    ts: EXAMPLES,
    python: RECEIVERS,
    go: RECEIVERS,
    php: RECEIVERS,
    http: PAYLOADS,
    json: PAYLOADS,
  },
  'docs/client.md': { sh: EXAMPLES, ts: EXAMPLES },
};

export const allBlocks = (file: string): Block[] =>
  blocksOf(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));

/** The blocks of a file in one language, for the test that runs them. */
export function blocksFor(runner: string, file: string, language: string): Block[] {
  if (RUNNERS[file]?.[language] !== runner)
    throw new Error(`test/support/docs-blocks.ts does not name ${runner} for ${language} in ${file}.`);
  return allBlocks(file).filter((block) => block.language === language);
}

/** The test that asks for blocks, as its path is written above. */
export const runnerOf = (test: string): string => test.slice(test.indexOf('/test/') + 1);
