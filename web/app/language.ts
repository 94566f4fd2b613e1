import { signal } from '@preact/signals';
import { asError } from '../../client/src/http.ts';
import type { AppTexts } from '../../shared/texts/en/app.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { keepLocale } from '../parts/language.ts';

/** Each language is a file of its own, so that the page loads one. `app-texts.ts` has the compiler check that each is there. */
const load = (locale: Locale): Promise<{ APP: AppTexts }> => import(`../../shared/texts/${locale}/app.ts`);

interface Language {
  locale: Locale;
  texts: AppTexts;
}

export const language = signal<Language | null>(null);

/** The newest wish: an earlier one whose file comes later must not take its place. */
let wanted: Locale | null = null;

/** Returns false if another language was wanted meanwhile. */
export async function speak(locale: Locale): Promise<boolean> {
  wanted = locale;
  try {
    const { APP } = await load(locale);
    if (wanted !== locale) return false;
    language.value = { locale, texts: APP };
    return true;
  } catch (thrown) {
    throw asError(thrown);
  }
}

/** Chosen on this page since it was opened. */
let chosen: Locale | null = null;

/** Returns false if another language was chosen meanwhile. */
export async function chooseLanguage(locale: Locale, memory: Pick<Storage, 'setItem'>): Promise<boolean> {
  const isSpoken = await speak(locale);
  if (isSpoken) {
    chosen = locale;
    keepLocale(memory, locale);
  }
  return isSpoken;
}

/** Kept with the user, so that every browser and the mails with codes speak it. */
interface Keeper {
  user: { locale: Locale | null };
  keep(locale: Locale): Promise<unknown>;
  memory: Pick<Storage, 'setItem'>;
}

/** Once a user is known: a language that was chosen before signing in becomes theirs, else theirs is spoken. */
export async function settleLanguage({ user, keep, memory }: Keeper): Promise<void> {
  if (chosen) {
    if (chosen !== user.locale) await keep(chosen);
  } else if (user.locale && user.locale !== language.peek()?.locale) {
    if (await speak(user.locale)) keepLocale(memory, user.locale);
  }
}
