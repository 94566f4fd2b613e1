import { jest } from '@jest/globals';
import type { Locale } from '../../../../shared/texts/languages.ts';

const stored = new Map<string, string>();
let page: typeof import('../../../../web/app/language.ts');

// A choice holds as long as the page is open.
beforeEach(async () => {
  stored.clear();
  jest.resetModules();
  page = await import('../../../../web/app/language.ts');
});

const memory = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
} as Storage;

async function signedIn(locale: Locale | null): Promise<Locale[]> {
  const kept: Locale[] = [];
  const keep = async (chosen: Locale) => kept.push(chosen);
  await page.settleLanguage({ user: { locale }, keep, memory });
  return kept;
}

it('a user who has chosen a language finds it in every browser', async () => {
  await page.speak('en');
  expect(await signedIn('fi')).toEqual([]);
  expect(page.language.value?.locale).toBe('fi');
  expect(stored.get('language')).toBe('fi');
});

it('a user who has chosen none keeps the browser’s', async () => {
  await page.speak('sv');
  expect(await signedIn(null)).toEqual([]);
  expect(page.language.value?.locale).toBe('sv');
});

it('a language that is chosen before signing in becomes the user’s', async () => {
  await page.chooseLanguage('de', memory);
  expect(await signedIn('fi')).toEqual(['de']);
  expect(await signedIn('de')).toEqual([]);
  expect(page.language.value?.locale).toBe('de');
});
