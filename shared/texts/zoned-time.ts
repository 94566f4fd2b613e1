import { dateFormat, formatDate } from './date-format.ts';
import type { Locale } from './languages.ts';

/** The day, to compare. */
const dayIn = (time: Date, timeZone: string) =>
  dateFormat('sv', { dateStyle: 'short', timeZone }).format(time);

/** Such as EET, or UTC+2 where the language has no short name of the zone. By default of the device's zone. */
export const zoneName = (time: Date, locale: Locale, timeZone?: string): string =>
  dateFormat(locale, { timeZone, timeZoneName: 'short' })
    .formatToParts(time)
    .find(({ type }) => type === 'timeZoneName')?.value ??
  timeZone ??
  '';

/** True of every name of UTC, such as Etc/UTC. */
export const isUtc = (timeZone: string) =>
  dateFormat('en', { timeZone }).resolvedOptions().timeZone === 'UTC';

export const isDayOfUtc = (time: Date, timeZone: string) => dayIn(time, timeZone) === dayIn(time, 'UTC');

/** A moment in a zone to stand beside the same in UTC: the time of day, and the date where that is another. */
export const timeIn =
  (timeZone: string, locale: Locale) =>
  (iso: string): string => {
    const time = new Date(iso);
    const date: Intl.DateTimeFormatOptions = isDayOfUtc(time, timeZone) ? {} : { dateStyle: 'long' };
    const options = { ...date, timeStyle: 'medium', timeZone } as const;
    return `${formatDate(time, locale, options)} ${zoneName(time, locale, timeZone)}`;
  };
