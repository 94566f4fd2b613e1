import { formatDate } from '../../shared/texts/date-format.ts';
import type { Locale } from '../../shared/texts/languages.ts';
import { zoneName } from '../../shared/texts/zoned-time.ts';

const DAY_AND_TIME = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'long',
} as const;

const write = (iso: string, locale: Locale, options: Intl.DateTimeFormatOptions) =>
  formatDate(new Date(iso), locale, options);

/** The zone stays beside the time. It tells apart the hour that occurs twice in autumn. */
const writeWithZone = (iso: string, locale: Locale, options: Intl.DateTimeFormatOptions) =>
  `${write(iso, locale, options)}\u00a0${zoneName(new Date(iso), locale, options.timeZone)}`;

/** In the signer's time zone, with its name, because mails give times in UTC. */
export const formatMoment = (iso: string, locale: Locale, timeZone?: string) =>
  write(iso, locale, { ...DAY_AND_TIME, timeZone });

/** In a list, where days are enough. */
export const formatDay = (iso: string, locale: Locale) => write(iso, locale, { dateStyle: 'medium' });

export const formatDayAndTime = (iso: string, locale: Locale, timeZone?: string) =>
  writeWithZone(iso, locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });

const HOUR_MS = 60 * 60 * 1000;

/** One of many times on a page that names the zone. Names it again only within an hour of a clock change. */
export function formatInTrail(iso: string, locale: Locale, timeZone?: string) {
  const zoneAfter = (ms: number) => zoneName(new Date(Date.parse(iso) + ms), locale, timeZone);
  return zoneAfter(-HOUR_MS) === zoneAfter(HOUR_MS)
    ? write(iso, locale, { dateStyle: 'medium', timeStyle: 'short', timeZone })
    : formatDayAndTime(iso, locale, timeZone);
}

/** With seconds, for what happens several times in a minute. */
export const formatDayAndSecond = (iso: string, locale: Locale, timeZone?: string) =>
  writeWithZone(iso, locale, { dateStyle: 'medium', timeStyle: 'medium', timeZone });

/** In UTC, as certificates state their validity. */
export const formatUtcDay = (iso: string, locale: Locale) =>
  write(iso, locale, { dateStyle: 'long', timeZone: 'UTC' });

export const formatTime = (iso: string, locale: Locale, timeZone?: string) =>
  writeWithZone(iso, locale, { hour: '2-digit', minute: '2-digit', timeZone });

const NEAR_MS = 6 * HOUR_MS;

/** The time of day if it is soon; otherwise with the date. */
export const formatUntil = (iso: string, now: number, locale: Locale, timeZone?: string) =>
  (Date.parse(iso) - now < NEAR_MS ? formatTime : formatMoment)(iso, locale, timeZone);

/** The sender chose the file name. The extension must be that of a PDF. */
export const pdfName = (filename: string) => (/\.pdf$/i.test(filename) ? filename : `${filename}.pdf`);

const renamed = (filename: string, end: string) => filename.replace(/(\.pdf)?$/i, end);

/** The service's own suffixes, so that the files fit beside the original in one folder. */
export const sealedName = (filename: string) => renamed(filename, '-signed.pdf');
export const evidenceName = (filename: string) => renamed(filename, '-evidence.pdf');

export const secondsUntil = (iso: string, now: number) =>
  Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
