import { readFileSync } from 'node:fs';
import * as keys from '../../../shared/store/keys.ts';
import { PERSONAL_DATA } from '../../../shared/store/personal-data.ts';

it('every kind of item says what it holds about a person, and what becomes of it', () => {
  const kinds = Object.keys(keys).filter((name) => name.endsWith('Key'));
  expect(kinds.length).toBeGreaterThan(10);
  expect(Object.keys(PERSONAL_DATA).sort()).toEqual(kinds.sort());
});

it('docs/data-model.md has a row for each kind of item', () => {
  const page = readFileSync('docs/data-model.md', 'utf8');
  const items = Object.values(PERSONAL_DATA).map(({ item }) => item);
  expect(items.filter((item) => !page.includes(`\n| ${item}`))).toEqual([]);
});
