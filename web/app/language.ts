import { signal } from '@preact/signals';
import type { AppTexts } from '../../shared/texts/en/app.ts';
import { LOCALES, type Locale } from '../../shared/texts/languages.ts';
import { preferredLocale } from '../parts/language.ts';

/** Each language is a file of its own, so that the page loads one. */
const CATALOGUES: Record<Locale, () => Promise<{ APP: AppTexts }>> = {
  en: () => import('../../shared/texts/en/app.ts'),
  fi: () => import('../../shared/texts/fi/app.ts'),
  fr: () => import('../../shared/texts/fr/app.ts'),
  de: () => import('../../shared/texts/de/app.ts'),
  sv: () => import('../../shared/texts/sv/app.ts'),
};

interface Language {
  locale: Locale;
  texts: AppTexts;
}

export const language = signal<Language | null>(null);

export async function speak(locale: Locale): Promise<void> {
  const { APP } = await CATALOGUES[locale]();
  language.value = { locale, texts: APP };
}

const KEY = 'language';

/** The chosen language, else the browser's. */
export const firstLocale = (memory: Storage, wanted: readonly string[]): Locale =>
  LOCALES.find((locale) => locale === memory.getItem(KEY)) ?? preferredLocale(wanted);

/** Chosen on this page since it was opened. */
let chosen: Locale | null = null;

export async function chooseLanguage(locale: Locale, memory: Storage): Promise<void> {
  chosen = locale;
  await speak(locale);
  memory.setItem(KEY, locale);
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
    await speak(user.locale);
    memory.setItem(KEY, user.locale);
  }
}
