import { dateLocale, type Locale } from './languages.ts';

function inUnit(bytes: number): [number, string] {
  if (bytes < 1_000) return [bytes, 'byte'];
  return bytes < 1_000_000 ? [bytes / 1_000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
}

/** In the unit and with the decimal sign of the language. */
export function formatSize(bytes: number, locale: Locale): string {
  const [value, unit] = inUnit(bytes);
  return new Intl.NumberFormat(dateLocale(locale), {
    style: 'unit',
    unit,
    // The short form of a byte has no plural.
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
