import { readFileSync } from 'node:fs';
import { errorsPage } from '../../../docs/errors-page.ts';
import { limitsPage } from '../../../docs/limits.ts';
import { noticesPage } from '../../../docs/notices.ts';
import { appOpenApiPage, openApiPage, privacyPage, signingOpenApiPage } from '../../../docs/pages.ts';
import { statesPage } from '../../../docs/states-page.ts';
import { ENDPOINTS } from '../../../shared/contract/endpoints.ts';
import { ERRORS } from '../../../shared/contract/errors.ts';

const read = (name: string) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

describe('the documents made from code', () => {
  it('the documents made from code are up to date (npm run docs writes them)', () => {
    expect(read('openapi.json')).toBe(openApiPage());
    expect(read('openapi-signing.json')).toBe(signingOpenApiPage());
    expect(read('openapi-app.json')).toBe(appOpenApiPage());
    expect(read('errors.md')).toBe(errorsPage());
    expect(read('states.md')).toBe(statesPage());
    expect(read('api.md')).toBe(limitsPage(read('api.md')));
    expect(read('privacy.md')).toBe(privacyPage(read('privacy.md')));
    expect(read('notices.md')).toBe(noticesPage(read('notices.md')));
  });

  it.each([
    ['api', openApiPage()],
    ['signing', signingOpenApiPage()],
    ['app', appOpenApiPage()],
  ])('the OpenAPI document of the area %s holds every endpoint of it, and no other', (area, page) => {
    const { paths } = JSON.parse(page) as { paths: Record<string, Record<string, unknown>> };
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = ENDPOINTS.filter((endpoint) => endpoint.area === area);
    expect(described.sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each([
    ['api', openApiPage()],
    ['signing', signingOpenApiPage()],
    ['app', appOpenApiPage()],
  ])(
    'each call with a body of the area %s names the error of gateway and ingest under 413, and no other call does',
    (_, page) => {
      const { paths } = JSON.parse(page);
      const operations = Object.values(paths).flatMap((path) => Object.values(path ?? {}));
      for (const { requestBody, responses } of operations)
        expect(Object.keys(responses['413']?.content['application/json'].examples ?? {})).toEqual(
          requestBody ? ['document_too_large'] : [],
        );
    },
  );

  it.each([
    ['api', openApiPage()],
    ['signing', signingOpenApiPage()],
    ['app', appOpenApiPage()],
  ])(
    'each call of the area %s names under 502 the error of the gateway if the function is killed',
    (_, page) => {
      const { paths } = JSON.parse(page);
      for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path ?? {})))
        expect(responses['502']?.content['application/json'].examples).toHaveProperty('internal_error');
    },
  );

  it.each(Object.keys(ERRORS))(
    'the page of errors tells of %s what it means, why it happens and what to do, in sentences',
    (code) => {
      const [, markdown = ''] = errorsPage().split(`### ${code}\n`);
      expect(markdown).toMatch(/^\nStatus \d{3}\. .+\n\n- Why: .+\.\n- What to do: .+\.\n/);
    },
  );
});
