import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readImports } from '../../../docs/imports.ts';
import { architecturePage } from '../../../docs/rooms.ts';

const KEBAB_CASE = /^[a-z\d]+([.-][a-z\d]+)*$/;

const { modules, summary } = readImports();

it('no import breaks the rules of floors.config.ts', () => {
  expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
});

it('docs/architecture.md draws the rooms as the code has them (npm run docs redraws it)', () => {
  const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
  expect(page).toBe(architecturePage(page, modules));
});

it('every source file is named in kebab-case', () => {
  const names = modules
    .filter(({ coreModule, couldNotResolve }) => !coreModule && !couldNotResolve)
    .map(({ source }) => source);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((name) => !KEBAB_CASE.test(basename(name)))).toEqual([]);
});
