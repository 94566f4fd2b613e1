/** Writes docs/cost.md, and the table of loads in docs/scale.md (`npm run cost`). */
import { readFileSync, writeFileSync } from 'node:fs';
import { withLoadTable } from './load.ts';
import { costPage } from './page.ts';

writeFileSync(new URL('../cost.md', import.meta.url), costPage());
const scale = new URL('../scale.md', import.meta.url);
writeFileSync(scale, withLoadTable(readFileSync(scale, 'utf8')));
