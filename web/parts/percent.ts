import { dateLocale, type Locale } from '../../shared/texts/languages.ts';

export const percent = (part: number, locale: Locale): string =>
  new Intl.NumberFormat(dateLocale(locale), { style: 'percent' }).format(part);

/** The progress of a download; empty at 0 and 100 %, where the text beside it is enough. */
export const percentOf = (progress: number, locale: Locale): string =>
  progress > 0 && progress < 1 ? percent(progress, locale) : '';

export const withPercent = (words: string, progress: number, locale: Locale): string =>
  `${words} ${percentOf(progress, locale)}`.trim();
