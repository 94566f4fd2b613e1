import { fitScale } from '../../../web/document/layout.ts';
import { formatMoment, formatSize, formatTime, pdfName, secondsUntil } from '../../../web/format.ts';
import { preferredLocale } from '../../../web/language.ts';

const NOON = '2026-11-21T10:00:00.000Z';

describe('moments', () => {
  it.each([
    ['en', '21 November 2026 at 12:00 Eastern European Standard Time'],
    ['fi', '21. marraskuuta 2026 klo 12.00 Itä-Euroopan normaaliaika'],
    ['fr', '21 novembre 2026 à 12:00 heure normale d’Europe de l’Est'],
    ['de', '21. November 2026 um 12:00 Osteuropäische Normalzeit'],
  ] as const)('stand in the signer’s zone with its name (%s)', (locale, words) => {
    expect(formatMoment(NOON, locale, 'Europe/Helsinki')).toBe(words);
  });

  it('follow the zone, not the server', () => {
    expect(formatTime(NOON, 'en', 'America/New_York')).toBe('05:00 GMT-5');
    expect(formatTime(NOON, 'en', 'Europe/Helsinki')).toMatch(/^12:00 /);
  });

  it('are counted down in whole seconds, and not below none', () => {
    expect(secondsUntil(NOON, Date.parse(NOON) - 28_400)).toBe(29);
    expect(secondsUntil(NOON, Date.parse(NOON) + 5_000)).toBe(0);
  });
});

it('spells sizes as people do', () => {
  expect(formatSize(2_345, 'en')).toBe('2.3 kB');
  expect(formatSize(345_678, 'de')).toBe('346 kB');
  expect(formatSize(10_485_760, 'fi')).toBe('10 Mt');
});

it('saves a PDF as a PDF, whatever its sender called it', () => {
  expect(pdfName('Lease.PDF')).toBe('Lease.PDF');
  expect(pdfName('invoice.exe')).toBe('invoice.exe.pdf');
});

describe('the language before the signer’s own is known', () => {
  it('is the browser’s first one that we speak', () => {
    expect(preferredLocale(['sv-FI', 'fi-FI', 'en'])).toBe('fi');
    expect(preferredLocale(['de-CH'])).toBe('de');
  });

  it('is English when we speak none', () => {
    expect(preferredLocale(['sv', 'et'])).toBe('en');
    expect(preferredLocale([])).toBe('en');
  });
});

describe('the size of a page on the screen', () => {
  it('fills the width', () => {
    expect(fitScale({ width: 600, height: 800 }, 300)).toBe(0.5);
  });

  it('is bounded for a page like a till roll', () => {
    expect(fitScale({ width: 100, height: 14_400 }, 300) * 14_400).toBe(1_200);
  });
});
