import type { Locale } from '../shared/contract/fields.ts';

/** British English for `en`: the day before the month, and hours to 24, as everywhere else here. */
const TAG: Record<Locale, string> = { en: 'en-GB', fi: 'fi', fr: 'fr', de: 'de' };

const DAY_AND_TIME = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'long',
} as const;

/** In the signer's own zone, and with the zone's name: the mail and the sender may speak of another one. */
export const formatMoment = (iso: string, locale: Locale, timeZone?: string) =>
  new Intl.DateTimeFormat(TAG[locale], { ...DAY_AND_TIME, ...(timeZone && { timeZone }) }).format(
    new Date(iso),
  );

export const formatTime = (iso: string, locale: Locale, timeZone?: string) =>
  new Intl.DateTimeFormat(TAG[locale], {
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  }).format(new Date(iso));

export function formatSize(bytes: number, locale: Locale) {
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(TAG[locale], {
    style: 'unit',
    unit,
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}

/** A sender chooses the name; what is saved is a PDF, so it is called one. */
export const pdfName = (filename: string) => (/\.pdf$/i.test(filename) ? filename : `${filename}.pdf`);

export const secondsUntil = (iso: string, now: number) =>
  Math.max(0, Math.ceil((Date.parse(iso) - now) / 1000));
