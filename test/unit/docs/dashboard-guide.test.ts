import { globSync, readFileSync } from 'node:fs';
import { LOCALES, languageName } from '../../../shared/texts/languages.ts';
import { APP_TEXTS } from '../../support/app-texts.ts';

/** The walk through the dashboard cannot go stale: its words are the page's, and its pictures are taken. */

const guide = readFileSync('docs/guides/dashboard.md', 'utf8').replaceAll(/\s+/g, ' ');

/** Every text of a catalogue; those that depend on a number as they are for two. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'function') return [String(value(2))];
  return value && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

it('every text in bold in the dashboard guide is a text of the page', () => {
  const known = new Set(textsIn(APP_TEXTS.en));
  const bold = [...guide.matchAll(/\*\*(.+?)\*\*/g)].map(([, words = '']) => words);
  expect(bold.length).toBeGreaterThan(30);
  expect(bold.filter((words) => !known.has(words))).toEqual([]);
});

it('every picture that the dashboard guide names is taken by the tests in a browser', () => {
  const tests = globSync('test/e2e/dashboard*.test.ts').map((file) => readFileSync(file, 'utf8'));
  const taken = new Set(
    [...tests.join().matchAll(/check\(page, '(.+?)'\)/g)].map(([, step]) => `dashboard-${step}.png`),
  );
  const named = [...guide.matchAll(/`(dashboard-.+?\.png)`/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !taken.has(name))).toEqual([]);
});

it('the guides about the dashboard and about signers name every language of the pages', () => {
  const signers = readFileSync('docs/guides/signers.md', 'utf8');
  for (const locale of LOCALES) {
    const name = languageName(locale, 'en');
    expect(guide).toContain(name);
    expect(signers).toContain(name);
    expect(signers).toContain(`\`${locale}\``);
  }
});
