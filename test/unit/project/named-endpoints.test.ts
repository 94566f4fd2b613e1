import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PAGES = globSync(['*.md', 'docs/**/*.md', '{client,local,mcp,shared}/**/*.md'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
});

/** Paths of the API, after the service's address or without it; a file's path has a folder before it. */
const named = (text: string) =>
  [...text.matchAll(/(?<![\w)])(?:(?:\$|BASE_)URL|https:\/\/[\w.]+)?(\/api\/[\w/{}.-]*[\w}])/g)].map(
    ([, path = '']) => path,
  );

const segmentsOf = (path: string) => path.split('/');
const known = ENDPOINTS.map(({ path }) => segmentsOf(path));

/** The path of an endpoint or its beginning, with any value in the place of a parameter. */
const isKnown = (path: string) =>
  known.some((endpoint) =>
    segmentsOf(path).every((segment, place) =>
      endpoint[place]?.startsWith('{') ? segment !== '' : segment === endpoint[place],
    ),
  );

it.each(PAGES)('%s names only endpoints that exist', (page) => {
  const paths = named(readFileSync(join(ROOT, page), 'utf8'));
  expect(paths.filter((path) => !isKnown(path))).toEqual([]);
});
