import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { buildSync } from 'esbuild';
import { utcTime } from '../../../shared/runtime/time.ts';
import {
  AUDIT_TEXTS,
  CONSENT_TEXTS,
  CONSENT_VERSIONS,
  EVIDENCE_TEXTS,
  INSTEAD_TEXTS,
  LOCALES,
  type Locale,
  MAIL_TEXTS,
  PAGE_TEXTS,
  PDF_TEXTS,
  VERIFY_TEXTS,
} from '../../../shared/texts/languages.ts';
import { loadFaces } from '../../../shared/typesetting/fonts.ts';
import { printable } from '../../../shared/typesetting/scripts.ts';
import { APP_TEXTS } from '../../support/app-texts.ts';

/** Every text of a catalogue by its path. Functions are called with placeholders, and with 1 for their singular. */
function textsOf(catalogue: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(catalogue).flatMap(([key, value]) => {
      const at = path ? `${path}.${key}` : key;
      if (typeof value === 'string') return [[at, value]];
      if (typeof value !== 'function') return [...textsOf(value, at)];
      return [
        [at, String(value('⟨1⟩', '⟨2⟩', '⟨3⟩'))],
        [`${at}(1)`, String(value(1, 1, 1))],
      ];
    }),
  );
}

const timesOf = (locale: Locale) =>
  Array.from({ length: 12 }, (_, month) =>
    PDF_TEXTS[locale].time({ ...utcTime('2026-01-01T00:00:00Z'), month }),
  );

const OTHERS = LOCALES.filter((locale) => locale !== 'en');

describe.each([
  {
    name: 'place of a page',
    textsIn: (locale: Locale) => textsOf(INSTEAD_TEXTS[locale]),
    sameAsEnglish: /^$/,
  },
  {
    name: 'page',
    textsIn: (locale: Locale) => textsOf(PAGE_TEXTS[locale]),
    sameAsEnglish: /^(code\.(submit|locked)|document\.(region|page)|sign\.role|steps|optional)/,
  },
  {
    name: 'verify page',
    textsIn: (locale: Locale) => textsOf(VERIFY_TEXTS[locale]),
    sameAsEnglish: /^optional$/,
  },
  {
    name: 'dashboard',
    textsIn: (locale: Locale) => textsOf(APP_TEXTS[locale]),
    sameAsEnglish:
      /^(optional|request\.mails\.invitation|create\.(title|message|pages(\(1\))?)|list\.(status|columns\.status)|testMode\.mark|settings\.(brand\.logo|sessions\.browser|actions|sections\.(webhooks|sessions)))$/,
  },
  {
    name: 'mail',
    textsIn: (locale: Locale) => textsOf(MAIL_TEXTS[locale]),
    sameAsEnglish: /^(colon|testMark|document)$/,
  },
  {
    name: 'PDF',
    // `time` takes an object; the tests below cover it.
    textsIn: (locale: Locale) => textsOf({ ...PDF_TEXTS[locale], time: '-' }),
    sameAsEnglish: /^(colon|document|email|signatures|consentOf|entityId|testWatermark|time)/,
  },
  {
    name: 'audit trail',
    textsIn: (locale: Locale) => textsOf(AUDIT_TEXTS[locale]),
    sameAsEnglish:
      /^(document\.original|request\.(message|status)|details\.(mode|name)|values\.(mode\.test|mail\.invitation))$/,
  },
  {
    name: 'evidence',
    textsIn: (locale: Locale) => textsOf(EVIDENCE_TEXTS[locale]),
    sameAsEnglish: /^(signatures|columns\.hash|actors\.service)$/,
  },
])('$name texts', ({ name, textsIn, sameAsEnglish }) => {
  const english = textsIn('en');

  it.each(OTHERS)(`the ${name} texts in %s have the same keys as in English`, (locale) => {
    expect([...textsIn(locale).keys()].sort()).toEqual([...english.keys()].sort());
  });

  it.each(LOCALES)(`no ${name} text in %s is blank, untrimmed or unfilled`, (locale) => {
    const bad = [...textsIn(locale)].filter(
      ([path, text]) =>
        text.trim() === '' ||
        (text.trim() !== text && path !== 'colon') ||
        /undefined|NaN|\$\{|TODO| {2}/.test(text),
    );
    expect(bad).toEqual([]);
  });

  it.each(LOCALES)(
    `no ${name} text in %s lets a line break between a hyphen and the word that it begins`,
    (locale) => {
      for (const [path, text] of textsIn(locale))
        expect({ path, breaks: text.match(/\s-\p{L}/gu) }).toEqual({ path, breaks: null });
    },
  );

  it.each(OTHERS)(`the ${name} texts in %s use the same placeholders as in English`, (locale) => {
    const placeholders = (text: string | undefined) => [...new Set(text?.match(/⟨\d⟩/g))].sort();
    for (const [path, text] of textsIn(locale))
      expect({ path, uses: placeholders(text) }).toEqual({ path, uses: placeholders(english.get(path)) });
  });

  it.each(OTHERS)(`the ${name} texts in %s are translated, not copied from English`, (locale) => {
    const copied = [...textsIn(locale)].filter(
      ([path, text]) => text === english.get(path) && !sameAsEnglish.test(path),
    );
    expect(copied).toEqual([]);
  });
});

describe('PDF texts', () => {
  it.each(LOCALES)('the fonts can print every PDF text in %s', async (locale) => {
    const { sans } = await loadFaces();
    for (const text of [
      ...textsOf({ ...PDF_TEXTS[locale], time: '-' }).values(),
      ...timesOf(locale),
      ...textsOf(EVIDENCE_TEXTS[locale]).values(),
      ...textsOf(AUDIT_TEXTS[locale]).values(),
    ])
      expect(printable(text.replace(/⟨\d⟩/g, ''), sans.covers, () => []).exact).toBeNull();
  });

  it('a time in a PDF is written as the language does, and names UTC', () => {
    const time = utcTime('2026-03-01T09:05:07.890Z');
    expect(PDF_TEXTS.en.time(time)).toBe('1 March 2026, 09:05:07 UTC');
    expect(PDF_TEXTS.fi.time(time)).toBe('1. maaliskuuta 2026 klo 09.05.07 UTC');
    expect(PDF_TEXTS.fr.time(time)).toBe('1er mars 2026 à 09:05:07 UTC');
    expect(PDF_TEXTS.de.time(time)).toBe('1. März 2026, 09:05:07 Uhr UTC');
    expect(PDF_TEXTS.sv.time(time)).toBe('1 mars 2026 kl. 09:05:07 UTC');
  });

  it.each(LOCALES)('every month has a name in %s', (locale) => {
    expect(new Set(timesOf(locale)).size).toBe(12);
    for (const time of timesOf(locale)) expect(time).not.toMatch(/ {2}|undefined/);
  });
});

const SAMPLES: Record<string, string> = {
  INSTEAD_TEXTS: INSTEAD_TEXTS.en.notLoaded,
  PAGE_TEXTS: PAGE_TEXTS.en.opening,
  VERIFY_TEXTS: VERIFY_TEXTS.en.document,
  MAIL_TEXTS: MAIL_TEXTS.en.testNotice,
  PDF_TEXTS: PDF_TEXTS.en.fingerprintNote,
  CONSENT_TEXTS: CONSENT_TEXTS.en,
  EVIDENCE_TEXTS: EVIDENCE_TEXTS.en.eventsNote,
  AUDIT_TEXTS: AUDIT_TEXTS.en.signaturesNote,
};

it.each(['LOCALES', ...Object.keys(SAMPLES)])('a bundle that uses %s holds no other texts', (name) => {
  const contents = `export { ${name} } from './shared/texts/languages.ts';`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const bundled = outputFiles[0]?.text ?? '';
  const held = Object.keys(SAMPLES).filter((sample) => bundled.includes(SAMPLES[sample] ?? ''));
  expect(held).toEqual(name === 'LOCALES' ? [] : [name]);
});

it('every folder of texts is a language of the service', () => {
  const files = readdirSync('shared/texts', { recursive: true, encoding: 'utf8' });
  const services = files.filter((path) => path.endsWith('/service.ts'));
  expect(services.map(dirname).sort()).toEqual([...LOCALES].sort());
});

/** Versions of the consent with the digest of each language's text. */
const CONSENTS: Record<Locale, readonly [version: string, digest: string]> = {
  en: ['2026-11-01', 'cea91f3e2c66e216'],
  fi: ['2026-11-01', '0e6431b01eb5fe7f'],
  fr: ['2026-11-01', '1695144ee07503ff'],
  de: ['2026-11-01', 'c434fe876c69af03'],
  sv: ['2026-11-22', '7348f1b053c6ca86'],
};

it.each(LOCALES)('a changed word of the consent in %s needs a new version', (locale) => {
  const digest = createHash('sha256').update(CONSENT_TEXTS[locale]).digest('hex').slice(0, 16);
  expect([CONSENT_VERSIONS[locale], digest]).toEqual(CONSENTS[locale]);
});

it.each([
  ['en', ['0 bytes', '1 byte', '2 bytes']],
  ['fi', ['0 tavua', '1 tavu', '2 tavua']],
  ['fr', ['0 octet', '1 octet', '2 octets']],
  ['de', ['0 Byte', '1 Byte', '2 Byte']],
  ['sv', ['0 byte', '1 byte', '2 byte']],
] as const)('a PDF counts bytes as the language does: %s', (locale, counted) => {
  expect(['0', '1', '2'].map(AUDIT_TEXTS[locale].document.bytes)).toEqual(counted);
});

/** The sender is named on the signature page too, and may be a person. */
it.each([
  ['en', /^Each signer named on this page signed /],
  ['de', /^Alle auf dieser Seite genannten Unterzeichnenden haben /],
  ['fr', /^Chaque signataire mentionné sur cette page a signé /],
  ['sv', /^Var och en av undertecknarna på den här sidan har undertecknat /],
  ['fi', /^Kukin tällä sivulla mainittu allekirjoittaja on allekirjoittanut /],
] as const)('the signature page says of signers alone that they signed, in %s', (locale, beginning) => {
  expect(PDF_TEXTS[locale].statement).toMatch(beginning);
});

it.each([
  ['en', /the seal/i],
  ['de', /das siegel/i],
  ['fr', /le cachet/i],
  ['sv', /förseglingen/i],
  ['fi', /sinetissä/i],
] as const)(
  'the mark of a test in an audit trail speaks of no seal, which there may not be: %s',
  (locale, seal) => {
    expect(AUDIT_TEXTS[locale].testMark).not.toMatch(seal);
  },
);

/** Words for things that a language already has a word for: the request, its trail, its seal, a code. */
const SECOND_TERMS: Record<Locale, RegExp> = {
  en: /time[ -]stamp|download the evidence$/i,
  fi: /kertakoodi|niitä peruttu|varmennetta ollut peruttu|^Lataa todist(?:e|eet)$|koodi annettu|, että kutsu on aito/i,
  fr: /sceau|piste d’audit|point d’appel|dossier de preuve|auteur du cachet|\btapée?\b|non remis|le journal(?! d’audit)|Télécharger la preuve/i,
  de: /^Abgebrochen$|Vorgang(?: wurde)? abgebrochen|anfrage|Unterzeichner\b|Versiegelnde|Prüfsumme|\bProtokoll\b|^Stand$|\bgesiegelt/i,
  sv: /(?<!på )begäran|signeringsförfråg|händelselogg|^Rubrik$|stämpelns nivå|mejl|utgången|tjänstens drift\b|driften|^Fingeravtryck$|meddelande om slutförande/i,
};

function allTexts(locale: Locale): string[] {
  const catalogues = [APP_TEXTS, AUDIT_TEXTS, EVIDENCE_TEXTS, MAIL_TEXTS, PAGE_TEXTS, VERIFY_TEXTS];
  return [{ ...PDF_TEXTS[locale], time: '-' }, ...catalogues.map((each) => each[locale])].flatMap(
    (catalogue) => [...textsOf(catalogue).values()],
  );
}

it.each(LOCALES)('in %s a button does not read like the state that it leads to', (locale) => {
  const { removed, remove, settings } = APP_TEXTS[locale];
  const { keys, webhooks } = settings;
  const pairs = [
    [keys.revoke, keys.revoked],
    [webhooks.pause, webhooks.paused],
    [webhooks.resume, webhooks.active],
    [remove, removed],
  ];
  expect(pairs.filter(([button, state]) => button === state)).toEqual([]);
});

it('no line of a French text begins with a sign that has a space before it, or ends with an opening mark', () => {
  expect(allTexts('fr').filter((text) => / [;:!?»]|« /.test(text))).toEqual([]);
});

it('no French text puts a name behind a word that a vowel would shorten', () => {
  expect(allTexts('fr').filter((text) => /\b(?:de|que) ⟨/.test(text))).toEqual([]);
});

it('a comma stands before every “ennen kuin” inside a Finnish sentence', () => {
  expect(allTexts('fi').filter((text) => /[^,] ennen kuin/.test(text))).toEqual([]);
});

it('no Finnish text leaves the end of a long time uninflected before a postposition', () => {
  const timesWithZone = [
    PAGE_TEXTS.fi.copy.until,
    PAGE_TEXTS.fi.later.text,
    MAIL_TEXTS.fi.signUntil,
    MAIL_TEXTS.fi.keptUntil,
  ];
  for (const text of timesWithZone) expect(text('⟨1⟩')).not.toContain('⟨1⟩ asti');
});

it.each(LOCALES)('in %s a time that may name its day stands behind no word for the hour', (locale) => {
  const { locked, tooMany } = PAGE_TEXTS[locale].code;
  for (const text of [locked, tooMany, APP_TEXTS[locale].signIn.noMoreCodes])
    expect(text('⟨1⟩')).not.toMatch(/(?:^| )(?:at|klo|kello|à|um|kl\.) ⟨1⟩/);
});

it.each(LOCALES)('one thing has one name in all texts in %s', (locale) => {
  expect(allTexts(locale).filter((text) => SECOND_TERMS[locale].test(text))).toEqual([]);
});

it.each(LOCALES)(
  'the dashboard in %s names no cause of the removal of files, which a sender may ask for',
  (locale) => {
    const { request, problems } = APP_TEXTS[locale];
    const end = /time|Frist|ajan|délai|tiden/;
    expect(request.purged).not.toMatch(end);
    expect(problems.document_purged).not.toMatch(end);
  },
);

it.each(LOCALES)(
  'the dashboard in %s names a mail without saying that it was sent, since it may have failed',
  (locale) => {
    const isSaidToBeSent = /sent\b|lähetetty|envoy|gesendet|skicka/i;
    const names = Object.values(APP_TEXTS[locale].request.mails);
    expect(names.filter((name) => isSaidToBeSent.test(name))).toEqual([]);
  },
);

it.each(LOCALES)('a button that a text of the signing page quotes is a button of it, in %s', (locale) => {
  const { code, sign } = PAGE_TEXTS[locale];
  const quoted = (text: string) => text.match(/[“”„«]\u00a0?(.+?)\u00a0?[“”»]/u)?.[1];
  expect(code.aboutText.map(quoted)).toEqual([undefined, undefined, sign.submit, undefined]);
  for (const text of [sign.imageMissing, sign.withheld, sign.pad, sign.drawnMissing])
    expect(quoted(text)).toBe(sign.typed);
});

it.each(LOCALES)('no line breaks inside a number, or before a unit of size, in %s', (locale) => {
  expect(allTexts(locale).filter((text) => /(?<!EN \d*)\d (?:\d{3}(?!\d)|[KMk][Bot]\b)/.test(text))).toEqual(
    [],
  );
});
