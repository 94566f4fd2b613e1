/** Writes docs/cost.md and the computed parts of docs/scale.md: `npm run cost`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withCapacity } from './capacity.ts';
import { withLoadTable } from './load.ts';
import { costPage } from './page.ts';

writeFileSync(new URL('../cost.md', import.meta.url), costPage());
const scale = new URL('../scale.md', import.meta.url);
writeFileSync(scale, withCapacity(withLoadTable(readFileSync(scale, 'utf8'))));
