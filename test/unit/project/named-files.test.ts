import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOUSE } from '../../../floors.config.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGES = globSync(['*.md', 'docs/*.md', 'local/*.md', 'shared/*/*.md', 'client/*.md', 'client/*/*.md'], {
  cwd: ROOT,
});

/** Links to files of this repository, without the part of the page that they point at. */
const linked = (page: string, text: string) =>
  [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#]+)/g)].map(([, link = '']) => join(dirname(page), link));

/** Paths in code type; patterns and placeholders name no single file. */
const inCode = (text: string) =>
  [...text.matchAll(/`([\w.-]+\/[\w./-]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => (path.split('/')[0] ?? '') in HOUSE);

it.each(PAGES)('%s names only files that exist', (page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  expect([...linked(page, text), ...inCode(text)].filter((path) => !existsSync(join(ROOT, path)))).toEqual(
    [],
  );
});

it.each([
  ['shared/sealing/README.md', 'shared/sealing'],
  ['shared/typesetting/README.md', 'shared/typesetting'],
  ['client/README.md', 'client/src'],
  ['client/verifier/README.md', 'client/verifier'],
  ['mcp/README.md', 'mcp/src'],
])('%s has each file of %s', (page, folder) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const files = globSync('*.ts', { cwd: join(ROOT, folder) });
  expect(files.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
});
