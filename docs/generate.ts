/** Writes the documents that are made from the contract: `npm run docs`. A test holds them against it. */
import { writeFileSync } from 'node:fs';
import { errorsPage, openApiPage } from './pages.ts';

writeFileSync(new URL('openapi.json', import.meta.url), openApiPage());
writeFileSync(new URL('errors.md', import.meta.url), errorsPage());
