import { TEXTS, utcTime } from '../../../shared/sealing/page/texts.ts';
import { loadFaces } from '../../../shared/typesetting/fonts.ts';
import { printable } from '../../../shared/typesetting/printable.ts';

const SAMPLES = [
  ...Object.values(TEXTS).flatMap((texts) =>
    Array.from({ length: 12 }, (_, month) => texts.time({ ...utcTime('2026-01-01T00:00:00Z'), month })),
  ),
];

describe('the words of the signature page', () => {
  it('are the same set in every language, none empty', () => {
    const keys = Object.keys(TEXTS.en).sort();
    for (const texts of Object.values(TEXTS)) {
      expect(Object.keys(texts).sort()).toEqual(keys);
      for (const text of Object.values(texts)) {
        if (typeof text === 'string') expect(text.trim()).not.toBe('');
      }
    }
  });

  it('differ between the languages where the languages do', () => {
    for (const key of [
      'kind',
      'signedAt',
      'statement',
      'test',
      'replacedCharacters',
      'proofByLinkAndCode',
    ] as const) {
      expect(new Set(Object.values(TEXTS).map((texts) => texts[key])).size).toBe(4);
    }
  });

  it('can all be set in the fonts', async () => {
    const { sans } = await loadFaces();
    const texts = Object.values(TEXTS).flatMap((each) =>
      Object.values(each).filter((text) => typeof text === 'string'),
    );
    for (const text of [...texts, ...SAMPLES]) expect(printable(text, sans).exact).toBeNull();
  });

  it('write the time as each language does, with the zone', () => {
    const time = utcTime('2026-03-01T09:05:07.890Z');
    expect(TEXTS.en.time(time)).toBe('1 March 2026, 09:05:07 UTC');
    expect(TEXTS.fi.time(time)).toBe('1. maaliskuuta 2026 klo 09.05.07 UTC');
    expect(TEXTS.fr.time(time)).toBe('1er mars 2026 à 09:05:07 UTC');
    expect(TEXTS.de.time(time)).toBe('1. März 2026, 09:05:07 Uhr UTC');
  });

  it('know twelve months in every language', () => {
    expect(new Set(SAMPLES).size).toBe(48);
    for (const sample of SAMPLES) expect(sample).not.toMatch(/ {2}/);
  });
});
