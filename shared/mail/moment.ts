import { formatDate } from '../texts/date-format.ts';
import type { Locale } from '../texts/languages.ts';
import { isDayOfUtc, isUtc, zoneName } from '../texts/zoned-time.ts';

const FULL = { dateStyle: 'long', timeStyle: 'short' } as const;
const CLOCK = { timeStyle: 'short' } as const;

/** A time in the sender's zone, with UTC beside it; only UTC for a sender without a zone. */
export function formatMoment(iso: string, locale: Locale, timeZone: string | null): string {
  const time = new Date(iso);
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    `${formatDate(time, locale, { ...options, timeZone: 'UTC' })} UTC`;
  if (timeZone === null || isUtc(timeZone)) return inUtc(FULL);
  const local = formatDate(time, locale, { ...FULL, timeZone });
  return `${local} ${zoneName(time, locale, timeZone)} (${inUtc(isDayOfUtc(time, timeZone) ? CLOCK : FULL)})`;
}
