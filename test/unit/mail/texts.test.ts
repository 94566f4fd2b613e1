import { createHash } from 'node:crypto';
import { LOCALES } from '../../../shared/contract/fields.ts';
import { CONSENT_VERSION, consentText } from '../../../shared/texts/consent.ts';
import { MAIL_TEXTS } from '../../../shared/texts/mail.ts';

/** Every text of a catalogue by its path, with stand-ins put into those that take something. */
function texts(value: unknown, path = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[path, value]]);
  if (typeof value === 'function') return new Map([[path, String(value('⟨1⟩', '⟨2⟩'))]]);
  return new Map(
    Object.entries(value ?? {}).flatMap(([key, inner]) => [...texts(inner, path ? `${path}.${key}` : key)]),
  );
}

const english = texts(MAIL_TEXTS.en);

describe('the texts of the mails', () => {
  it.each(LOCALES)('are complete, none blank: %s', (locale) => {
    const own = texts(MAIL_TEXTS[locale]);
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    for (const text of own.values()) expect(text.trim()).not.toBe('');
  });

  it.each(LOCALES.filter((locale) => locale !== 'en'))(
    'put in what the English ones put in: %s',
    (locale) => {
      const standIns = (text: string | undefined) => [...new Set(text?.match(/⟨\d⟩/g))].sort();
      for (const [key, text] of texts(MAIL_TEXTS[locale]))
        expect({ key, uses: standIns(text) }).toEqual({ key, uses: standIns(english.get(key)) });
    },
  );

  it.each(LOCALES.filter((locale) => locale !== 'en'))('are translated, not copied: %s', (locale) => {
    const same = [...texts(MAIL_TEXTS[locale])].filter(([key, text]) => english.get(key) === text);
    expect(
      same.map(([key]) => key).filter((key) => !['colon', 'testMark', 'document'].includes(key)),
    ).toEqual([]);
  });
});

describe('the consent', () => {
  it('has a version that changes with its words', () => {
    const digest = createHash('sha256')
      .update(LOCALES.map(consentText).join('\n'))
      .digest('hex')
      .slice(0, 16);
    expect({ version: CONSENT_VERSION, digest }).toEqual({
      version: '2026-11-01',
      digest: '30bae08d16df426f',
    });
  });
});
