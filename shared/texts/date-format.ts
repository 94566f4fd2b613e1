import { dateLocale, type Locale } from './languages.ts';

const formats = new Map<string, Intl.DateTimeFormat>();
/** Organizations have many zones, and each format takes memory. */
const MOST_FORMATS = 50;

/** Kept, since making a format takes longer than all else in the text of a mail. */
export function dateFormat(locale: Locale, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formats.get(key);
  if (known) return known;
  if (formats.size === MOST_FORMATS) formats.clear();
  const format = new Intl.DateTimeFormat(dateLocale(locale), options);
  formats.set(key, format);
  return format;
}

/** A time as the language writes it. French has an ordinal for the first of a month, which `Intl` does not write. */
export function formatDate(time: Date, locale: Locale, options: Intl.DateTimeFormatOptions): string {
  const text = dateFormat(locale, options).format(time);
  return locale === 'fr' ? text.replace(/^1 /, '1er ') : text;
}
