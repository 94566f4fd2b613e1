import type { Locale } from '../shared/contract/fields.ts';
import { PAGE_TEXTS } from '../shared/texts/page.ts';

/** In the order of the switch, each by its own name. */
export const LANGUAGES: Record<Locale, string> = {
  en: 'English',
  fi: 'Suomi',
  fr: 'Français',
  de: 'Deutsch',
};
export const LOCALES_SHOWN = Object.keys(PAGE_TEXTS) as Locale[];

/** Until the signer's own language is known, the browser's first one that we speak. */
export function preferredLocale(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const spoken = LOCALES_SHOWN.find((locale) => locale === tag.slice(0, 2).toLowerCase());
    if (spoken) return spoken;
  }
  return 'en';
}
