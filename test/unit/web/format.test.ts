import { LOCALES } from '../../../shared/texts/languages.ts';
import {
  formatDayAndSecond,
  formatDayAndTime,
  formatInTrail,
  formatMoment,
  formatTime,
  formatUntil,
  formatUtcDay,
  pdfName,
  secondsUntil,
} from '../../../web/parts/format.ts';
import { preferredLocale } from '../../../web/parts/language.ts';
import { withPercent } from '../../../web/parts/percent.ts';
import { fitScale } from '../../../web/signing/document/layout.ts';

const NOON = '2026-11-21T10:00:00.000Z';

it.each([
  ['en', '45%'],
  ['fi', '45\u00a0%'],
  ['fr', '45\u00a0%'],
  ['de', '45\u00a0%'],
  ['sv', '45\u00a0%'],
] as const)('a percentage is written as %s writes it, and never breaks', (locale, text) => {
  expect(withPercent('Loading', 0.449, locale)).toBe(`Loading ${text}`);
  expect(withPercent('Loading', 1, locale)).toBe('Loading');
});

describe('times', () => {
  it.each([
    ['en', '21 November 2026 at 12:00 Eastern European Standard Time'],
    ['fi', '21. marraskuuta 2026 klo 12.00 Itä-Euroopan normaaliaika'],
    ['fr', '21 novembre 2026 à 12:00 heure normale d’Europe de l’Est'],
    ['de', '21. November 2026 um 12:00 Osteuropäische Normalzeit'],
  ] as const)('a time is in the signer’s time zone and names it, in %s', (locale, text) => {
    expect(formatMoment(NOON, locale, 'Europe/Helsinki')).toBe(text);
  });

  it('a time depends on the time zone of the browser', () => {
    expect(formatTime(NOON, 'en', 'America/New_York')).toBe('05:00\u00a0GMT-5');
    expect(formatTime(NOON, 'en', 'Europe/Helsinki')).toBe('12:00\u00a0EET');
  });

  it('a time that is hours away is named with its date', () => {
    const until = (hours: number) =>
      formatUntil(NOON, Date.parse(NOON) - hours * 3_600_000, 'en', 'Europe/Helsinki');
    expect(until(5)).toMatch(/^12:00\u00a0/);
    expect(until(20)).toMatch(/^21 November 2026 at 12:00 /);
  });

  it.each([
    ['en', '21 Nov 2026, 12:00 EET'],
    ['fi', '21.11.2026 klo 12.00 UTC+2'],
    ['fr', '21 nov. 2026, 12:00 UTC+2'],
    ['de', '21.11.2026, 12:00 OEZ'],
    ['sv', '21 nov. 2026 12:00 EET'],
  ] as const)(
    'a time on the dashboard names its zone in a word, which stays beside it, in %s',
    (locale, text) => {
      const nonBreaking = text.replace(/ (?=\S+$)/, '\u00a0');
      expect(formatDayAndTime(NOON, locale, 'Europe/Helsinki')).toBe(nonBreaking);
      expect(formatDayAndSecond(NOON, locale, 'Europe/Helsinki')).toMatch(/12[:.]00[:.]00\u00a0\S+$/);
    },
  );

  it.each(LOCALES)('the two times of the hour that comes twice in autumn are told apart, in %s', (locale) => {
    for (const [zone, change] of [
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['Europe/Helsinki', '2026-10-25T01:00:00Z'],
      ['Europe/London', '2026-10-25T01:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
    ] as const) {
      const times = Array.from({ length: 60 }, (_, place) =>
        new Date(Date.parse(change) + (place - 30) * 600_000).toISOString(),
      );
      for (const format of [formatDayAndTime, formatDayAndSecond, formatInTrail])
        expect(new Set(times.map((iso) => format(iso, locale, zone))).size).toBe(times.length);
    }
  });

  it('a time in a timeline names its zone only around a clock change', () => {
    const berlin = (iso: string) => formatInTrail(iso, 'en', 'Europe/Berlin');
    expect(berlin(NOON)).toBe('21 Nov 2026, 11:00');
    expect(berlin('2026-10-24T23:59:00Z')).toBe('25 Oct 2026, 01:59');
    expect(berlin('2026-10-25T00:00:00Z')).toBe('25 Oct 2026, 02:00\u00a0CEST');
    expect(berlin('2026-10-25T01:59:00Z')).toBe('25 Oct 2026, 02:59\u00a0CET');
    expect(berlin('2026-10-25T02:00:00Z')).toBe('25 Oct 2026, 03:00');
  });

  it('French names the first of a month as it is spoken', () => {
    expect(formatMoment('2026-12-01T10:00:00.000Z', 'fr', 'UTC')).toMatch(/^1er décembre 2026 /);
    expect(formatUtcDay('2036-03-01T00:30:00.000Z', 'fr')).toBe('1er mars 2036');
  });

  it('a countdown is in whole seconds and never below zero', () => {
    expect(secondsUntil(NOON, Date.parse(NOON) - 28_400)).toBe(29);
    expect(secondsUntil(NOON, Date.parse(NOON) + 5_000)).toBe(0);
  });
});

it('a saved file has the extension of a PDF', () => {
  expect(pdfName('Lease.PDF')).toBe('Lease.PDF');
  expect(pdfName('invoice.exe')).toBe('invoice.exe.pdf');
});

describe('the first language', () => {
  it('the first language is the first of the browser’s languages that the service has', () => {
    expect(preferredLocale(['xx-FI', 'fi-FI', 'en'])).toBe('fi');
    expect(preferredLocale(['de-CH'])).toBe('de');
  });

  it('a three-letter language code is not shortened: Filipino is not Finnish', () => {
    expect(preferredLocale(['fil-PH', 'sv-FI'])).toBe('sv');
    expect(preferredLocale(['fil'])).toBe('en');
  });

  it('the first language is English if the service has none of the browser’s languages', () => {
    expect(preferredLocale(['xx', 'yy'])).toBe('en');
    expect(preferredLocale([])).toBe('en');
  });
});

describe('page sizes', () => {
  it('a page fits the width of the frame', () => {
    expect(fitScale({ width: 600, height: 800 }, 300)).toBe(0.5);
  });

  it('a page is at most four frame widths high', () => {
    expect(fitScale({ width: 100, height: 14_400 }, 300) * 14_400).toBe(1_200);
  });
});
