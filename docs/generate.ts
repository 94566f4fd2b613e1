/** `npm run docs`: writes the documents that are made from code. Tests fail while one is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { errorsPage } from './errors-page.ts';
import { readImports } from './imports.ts';
import { limitsPage } from './limits.ts';
import { noticesPage } from './notices.ts';
import { appOpenApiPage, openApiPage, privacyPage, signingOpenApiPage } from './pages.ts';
import { architecturePage } from './rooms.ts';
import { statesPage } from './states-page.ts';

const write = (name: string, text: string) => writeFileSync(new URL(name, import.meta.url), text);

const rewrite = (name: string, change: (page: string) => string) =>
  write(name, change(readFileSync(new URL(name, import.meta.url), 'utf8')));

write('openapi.json', openApiPage());
write('openapi-signing.json', signingOpenApiPage());
write('openapi-app.json', appOpenApiPage());
write('errors.md', errorsPage());
write('states.md', statesPage());
rewrite('api.md', limitsPage);
rewrite('privacy.md', privacyPage);
rewrite('architecture.md', (page) => architecturePage(page, readImports().modules));
rewrite('notices.md', noticesPage);
