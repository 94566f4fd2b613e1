/** A part of `npm run build:web`: writes the page that errors lead to. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { errorsHtml } from './errors-page.ts';

const FOLDER = new URL('../build/web/docs/errors/', import.meta.url);

mkdirSync(FOLDER, { recursive: true });
writeFileSync(new URL('index.html', FOLDER), errorsHtml());
