import type { Locale } from '../../../../shared/texts/languages.ts';
import { chooseLanguage, language, settleLanguage, speak } from '../../../../web/app/language.ts';

const stored = new Map<string, string>();
const memory = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
} as Storage;

async function signedIn(locale: Locale | null): Promise<Locale[]> {
  const kept: Locale[] = [];
  const keep = async (chosen: Locale) => kept.push(chosen);
  await settleLanguage({ user: { locale }, keep, memory });
  return kept;
}

// In this order: a choice holds as long as the page is open.
it('a user who has chosen a language finds it in every browser', async () => {
  await speak('en');
  expect(await signedIn('fi')).toEqual([]);
  expect(language.value?.locale).toBe('fi');
  expect(stored.get('language')).toBe('fi');
});

it('a user who has chosen none keeps the browser’s', async () => {
  await speak('sv');
  expect(await signedIn(null)).toEqual([]);
  expect(language.value?.locale).toBe('sv');
});

it('a language that is chosen before signing in becomes the user’s', async () => {
  await chooseLanguage('de', memory);
  expect(await signedIn('fi')).toEqual(['de']);
  expect(await signedIn('de')).toEqual([]);
  expect(language.value?.locale).toBe('de');
});
