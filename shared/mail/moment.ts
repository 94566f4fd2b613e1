import { dateFormat } from '../texts/date-format.ts';
import { withOrdinal } from '../texts/first-of-month.ts';
import type { Locale } from '../texts/languages.ts';
import { isDayOfUtc, isUtc, zoneName } from '../texts/zoned-time.ts';

const format = (time: Date, locale: Locale, options: Intl.DateTimeFormatOptions) =>
  withOrdinal(dateFormat(locale, options).format(time), locale);

const FULL = { dateStyle: 'long', timeStyle: 'short' } as const;
const CLOCK = { timeStyle: 'short' } as const;

/** A time in the sender's zone, with UTC beside it; only UTC for a sender without a zone. */
export function formatMoment(iso: string, locale: Locale, timeZone: string | null): string {
  const time = new Date(iso);
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    `${format(time, locale, { ...options, timeZone: 'UTC' })} UTC`;
  if (timeZone === null || isUtc(timeZone)) return inUtc(FULL);
  const local = format(time, locale, { ...FULL, timeZone });
  return `${local} ${zoneName(time, locale, timeZone)} (${inUtc(isDayOfUtc(time, timeZone) ? CLOCK : FULL)})`;
}
