import { readFileSync } from 'node:fs';
import { errorsPage, openApiPage } from '../../../docs/pages.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

describe('the documents made from the contract', () => {
  it('are up to date (npm run docs writes them)', () => {
    expect(read('openapi.json')).toBe(openApiPage());
    expect(read('errors.md')).toBe(errorsPage());
  });

  it('hold every endpoint once', () => {
    const { paths } = JSON.parse(openApiPage()) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const described = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(described.sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort());
  });
});
