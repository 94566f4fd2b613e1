import type { Locale } from './languages.ts';

/** French writes the first of a month as an ordinal, which `Intl` does not. For a text that begins with the day. */
export const withOrdinal = (text: string, locale: Locale): string =>
  locale === 'fr' ? text.replace(/^1 /, '1er ') : text;
