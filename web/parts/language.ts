import { LOCALES, type Locale } from '../../shared/texts/languages.ts';

/** Null for an unknown language, such as one that was added after this page was opened. */
export const knownLocale = (text: unknown): Locale | null =>
  LOCALES.find((locale) => locale === text) ?? null;

/** The first of the browser's languages that the service has. Used until the signer's own is known. */
export function preferredLocale(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const known = knownLocale(tag.split('-')[0]?.toLowerCase());
    if (known) return known;
  }
  return 'en';
}

const KEY = 'language';

export const chosenLocale = (storage: Pick<Storage, 'getItem'>): Locale | null =>
  knownLocale(storage.getItem(KEY));

export const keepLocale = (storage: Pick<Storage, 'setItem'>, locale: Locale) => storage.setItem(KEY, locale);

/** The chosen language, else the browser's. */
export const firstLocale = (storage: Pick<Storage, 'getItem'>, preferred: readonly string[]): Locale =>
  chosenLocale(storage) ?? preferredLocale(preferred);
