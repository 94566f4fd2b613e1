import { readFileSync } from 'node:fs';
import { noticesPage } from '../../../docs/notices.ts';
import { errorsPage, openApiPage, privacyPage } from '../../../docs/pages.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

describe('the documents made from code', () => {
  it('are up to date (npm run docs writes them)', () => {
    expect(read('openapi.json')).toBe(openApiPage());
    expect(read('errors.md')).toBe(errorsPage());
    expect(read('privacy.md')).toBe(privacyPage(read('privacy.md')));
    expect(read('notices.md')).toBe(noticesPage(read('notices.md')));
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
