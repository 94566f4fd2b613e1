import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { markdownHtml } from '../../../docs/site/markdown.ts';
import { HOUSE } from '../../../floors.config.ts';
import { SCHEDULED } from '../../../infra/functions.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGES = globSync(
  [
    '*.md',
    'docs/*.md',
    'docs/guides/*.md',
    'mcp/*.md',
    'local/*.md',
    'shared/*/*.md',
    'client/*.md',
    'client/*/*.md',
  ],
  {
    cwd: ROOT,
  },
);

const read = (page: string) => readFileSync(join(ROOT, page), 'utf8');

/** Links to files of this repository, each with the heading that it points at. Those of the service begin with a slash. */
const linksOf = (page: string) =>
  [...read(page).matchAll(/\]\((?!https?:|mailto:|\/)([^)#]*)#?([^)]*)\)/g)].map(
    ([, path = '', anchor = '']) => ({
      path: path ? join(dirname(page), path) : page,
      anchor,
    }),
  );

/** Paths in code type; patterns and placeholders name no single file. */
const inCode = (text: string) =>
  [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => (path.split('/')[0] ?? '') in HOUSE);

it.each(PAGES)('%s names only files that exist', (page) => {
  const paths = [...linksOf(page).map(({ path }) => path), ...inCode(read(page))];
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

/** Beside the README, a published package holds what its description lists. */
it.each(['client', 'mcp'])(
  'the README of the published %s leads to no file that is not in the package',
  (folder) => {
    const { files } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      files: string[];
    };
    const published = files.map((name) => join(folder, name, '/'));
    const links = linksOf(`${folder}/README.md`).map(({ path }) => path);
    expect(links.filter((path) => !published.some((one) => path.startsWith(one)))).toEqual([]);
  },
);

it.each(PAGES)('%s points only at headings that exist', (page) => {
  const dead = linksOf(page).filter(
    ({ path, anchor }) =>
      anchor && path.endsWith('.md') && !markdownHtml(read(path), path).includes(` id="${anchor}"`),
  );
  expect(dead).toEqual([]);
});

it.each([
  ['shared/sealing/README.md', 'shared/sealing'],
  ['shared/typesetting/README.md', 'shared/typesetting'],
  ['client/README.md', 'client/src'],
  ['client/verifier/README.md', 'client/verifier'],
  ['mcp/README.md', 'mcp/src'],
])('the table of %s has each file of %s, and no other', (page, folder) => {
  const cells = [...read(page).matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+\.ts)`/g)].map(([, name]) => name));
  expect(named.sort()).toEqual(globSync('*.ts', { cwd: join(ROOT, folder) }).sort());
});

it('docs/architecture.md has a row for each scheduled job, and for nothing else', () => {
  const rows = [...read('docs/architecture.md').matchAll(/^\| `functions\/jobs\/([\w-]+)\.ts` \|/gm)];
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(SCHEDULED).sort());
});
