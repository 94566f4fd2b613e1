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

export async function chooseLanguage(locale: Locale, memory: Storage): Promise<void> {
  await speak(locale);
  memory.setItem(KEY, locale);
}
