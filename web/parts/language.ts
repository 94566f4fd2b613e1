import { LOCALES, type Locale } from '../../shared/texts/languages.ts';

/** The language until the signer's own is known: the first of the browser's that the service has. */
export function preferredLocale(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const spoken = LOCALES.find((locale) => locale === tag.slice(0, 2).toLowerCase());
    if (spoken) return spoken;
  }
  return 'en';
}
