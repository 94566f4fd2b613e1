/** Writes docs/cost.md (`npm run cost`). */
import { writeFileSync } from 'node:fs';
import { costPage } from './page.ts';

writeFileSync(new URL('../cost.md', import.meta.url), costPage());
