import { jest } from '@jest/globals';
import type { AppTexts } from '../../../../shared/texts/en/app.ts';
import type { Locale } from '../../../../shared/texts/languages.ts';
import { APP_TEXTS } from '../../../support/app-texts.ts';

/** The language whose file a test can hold up or fail. */
let swedish: Promise<{ APP: AppTexts }>;
const stored = new Map<string, string>();
let page: typeof import('../../../../web/app/language.ts');

// A choice holds as long as the page is open.
beforeEach(async () => {
  swedish = Promise.resolve({ APP: APP_TEXTS.sv });
  stored.clear();
  jest.resetModules();
  jest.unstable_mockModule('../../../../shared/texts/sv/app.ts', () => swedish);
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
  await page.loadLanguage('en');
  expect(await signedIn('fi')).toEqual([]);
  expect(page.language.value?.locale).toBe('fi');
  expect(stored.get('language')).toBe('fi');
});

it('a user who has chosen none keeps the browser’s', async () => {
  await page.loadLanguage('sv');
  expect(await signedIn(null)).toEqual([]);
  expect(page.language.value?.locale).toBe('sv');
});

it('a language that is chosen before signing in becomes the user’s', async () => {
  await page.chooseLanguage('de', memory);
  expect(await signedIn('fi')).toEqual(['de']);
  expect(await signedIn('de')).toEqual([]);
  expect(page.language.value?.locale).toBe('de');
});

it('of two languages chosen in succession, the later one is shown and stored', async () => {
  const { promise, resolve } = Promise.withResolvers<{ APP: AppTexts }>();
  swedish = promise;
  const first = page.chooseLanguage('sv', memory);
  expect(await page.chooseLanguage('de', memory)).toBe(true);
  resolve({ APP: APP_TEXTS.sv });
  expect(await first).toBe(false);
  expect(page.language.value?.locale).toBe('de');
  expect(stored.get('language')).toBe('de');
});

it('of languages chosen in quick succession, the last one becomes the user’s, however long an earlier call takes', async () => {
  const kept: Locale[] = [];
  const first = Promise.withResolvers<void>();
  const keep = (locale: Locale) => {
    kept.push(locale);
    return locale === 'de' ? first.promise : Promise.resolve();
  };
  const keeping: Promise<unknown>[] = [];
  for (const locale of ['de', 'fi', 'sv'] as const) {
    await page.chooseLanguage(locale, memory);
    keeping.push(page.keepChosen(keep));
  }
  await new Promise(setImmediate);
  expect(kept).toEqual(['de']);
  first.reject(new Error('lost'));
  await Promise.allSettled(keeping);
  expect(kept).toEqual(['de', 'sv']);
});

it('a language whose file fails to load changes nothing, and is not stored', async () => {
  await page.loadLanguage('en');
  swedish = Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
  await expect(page.chooseLanguage('sv', memory)).rejects.toMatchObject({ code: 'connection_failed' });
  expect(page.language.value?.locale).toBe('en');
  expect(stored.get('language')).toBeUndefined();
  expect(await signedIn('fi')).toEqual([]);
});
