import { dateLocale, type Locale } from '../../shared/texts/languages.ts';

const DAY_AND_TIME = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'long',
} as const;

/** In the signer's time zone, and with its name, because mails name their times in UTC. */
export const formatMoment = (iso: string, locale: Locale, timeZone?: string) =>
  new Intl.DateTimeFormat(dateLocale(locale), { ...DAY_AND_TIME, ...(timeZone && { timeZone }) }).format(
    new Date(iso),
  );

/** In a list, whose reader knows the time zone. */
export const formatDay = (iso: string, locale: Locale) =>
  new Intl.DateTimeFormat(dateLocale(locale), { dateStyle: 'medium' }).format(new Date(iso));

export const formatDayAndTime = (iso: string, locale: Locale) =>
  new Intl.DateTimeFormat(dateLocale(locale), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  );

export const formatTime = (iso: string, locale: Locale, timeZone?: string) =>
  new Intl.DateTimeFormat(dateLocale(locale), {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(iso));

const NEAR_MS = 6 * 60 * 60 * 1000;

/** A time that comes soon as the time of day; a later one with its date, which may be another. */
export const formatUntil = (iso: string, now: number, locale: Locale, timeZone?: string) =>
  (Date.parse(iso) - now < NEAR_MS ? formatTime : formatMoment)(iso, locale, timeZone);

/** The sender chose the file name. The extension must be that of a PDF. */
export const pdfName = (filename: string) => (/\.pdf$/i.test(filename) ? filename : `${filename}.pdf`);

export const secondsUntil = (iso: string, now: number) =>
  Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
