/** `npm run docs`: writes the documents that are made from code. Tests fail while one is out of date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { errorsPage } from './errors-page.ts';
import { readImports } from './imports.ts';
import { limitsPage } from './limits.ts';
import { noticesPage } from './notices.ts';
import { appOpenApiPage, openApiPage, privacyPage, signingOpenApiPage } from './pages.ts';
import { architecturePage } from './rooms.ts';
import { statesPage } from './states-page.ts';

const API = new URL('api.md', import.meta.url);
const PRIVACY = new URL('privacy.md', import.meta.url);
const NOTICES = new URL('notices.md', import.meta.url);
const ARCHITECTURE = new URL('architecture.md', import.meta.url);

writeFileSync(new URL('openapi.json', import.meta.url), openApiPage());
writeFileSync(new URL('openapi-signing.json', import.meta.url), signingOpenApiPage());
writeFileSync(new URL('openapi-app.json', import.meta.url), appOpenApiPage());
writeFileSync(new URL('errors.md', import.meta.url), errorsPage());
writeFileSync(new URL('states.md', import.meta.url), statesPage());
writeFileSync(API, limitsPage(readFileSync(API, 'utf8')));
writeFileSync(PRIVACY, privacyPage(readFileSync(PRIVACY, 'utf8')));
writeFileSync(ARCHITECTURE, architecturePage(readFileSync(ARCHITECTURE, 'utf8'), readImports().modules));
writeFileSync(NOTICES, noticesPage(readFileSync(NOTICES, 'utf8')));
