import { existsSync, readFileSync } from 'node:fs';
import { CHANGELOG, GUIDES } from '../../../docs/site/sources.ts';
import { allBlocks, RUNNERS } from '../../support/docs-blocks.ts';

const files = ['docs/examples.md', ...[...GUIDES, CHANGELOG].map(({ file }) => file)];

it.each(files)('every block of code in %s has a test that runs it', (file) => {
  const without = allBlocks(file).filter(({ language }) => !RUNNERS[file]?.[language]);
  expect(without.map(({ language, code }) => `${language}: ${code.slice(0, 60)}`)).toEqual([]);
});

const rows = Object.entries(RUNNERS).flatMap(([file, runners]) =>
  Object.entries(runners).map(([language, runner]) => ({ file, language, runner })),
);

it.each(rows)(
  '$runner runs the blocks of $language in $file, and there are some',
  ({ file, language, runner }) => {
    expect(allBlocks(file).some((block) => block.language === language)).toBe(true);
    expect(existsSync(runner)).toBe(true);
    expect(readFileSync(runner, 'utf8')).toContain(`'${file}'`);
  },
);
