import { PDFDocument } from 'pdf-lib';
import { verifyEvidenceRecord } from '../../../shared/requests/evidence.ts';
import { utcTime } from '../../../shared/runtime/time.ts';
import { inspectPdf } from '../../../shared/sealing/intake.ts';
import { sealOwn } from '../../../shared/sealing/seal-own.ts';
import { makeEvidenceFile } from '../../../shared/stamping/evidence-file.ts';
import { readEvidence } from '../../../shared/stamping/verify-evidence.ts';
import {
  AUDIT_TEXTS,
  CONSENT_TEXTS,
  EVIDENCE_TEXTS,
  LOCALES,
  type Locale,
  PDF_TEXTS,
} from '../../../shared/texts/languages.ts';
import { SEALED_SHA256 } from '../../support/audit-input.ts';
import { evidenceInput } from '../../support/evidence-input.ts';
import { overlaps, readPages, singleSpaced, textsOutside } from '../../support/pdf-pages.ts';
import { drawnSignature, REQUEST_ID, SHA256 } from '../../support/signature-input.ts';
import { timestamperOf } from '../../support/timestamp-authority.ts';
import { demoSealing, now } from '../sealing/sealing-kit.ts';

const MARGIN = 36;
const grouped = (hex: string) => hex.match(/.{8}/g)?.join(' ');
const wordsOf = async (pdf: Uint8Array) => (await readPages(pdf)).map(({ words }) => words).join(' ');
const drawn = () => ({ signature: { type: 'drawn', png: drawnSignature() } }) as const;

describe('the evidence file', () => {
  it('states request, hashes, signers, consent, events and how to verify', async () => {
    const input = evidenceInput(2);
    const words = await wordsOf(await makeEvidenceFile(input));
    const { anchor, events } = input.record;
    for (const text of [
      'Lease agreement',
      'Kiinteistö Oy Mannerheimintie 12',
      REQUEST_ID,
      grouped(SHA256),
      grouped(SEALED_SHA256),
      grouped(anchor.hash),
      'Aino Virtanen',
      'Δημήτριος Παπαδόπουλος',
      'signer1@example.com',
      'First viewed 10 November 2026, 08:07:00 UTC',
      'Signed 10 November 2026, 08:09:00 UTC',
      '203.0.113.7',
      'English, version 2026-11-01',
      CONSENT_TEXTS.en.slice(0, 60),
      'https://sign.example.com/verify',
      'evidence.json',
      ...events.map(({ hash }) => `${hash.slice(0, 32)} ${hash.slice(32)}`),
    ])
      expect(words).toContain(text);
    expect(events.at(-1)).toMatchObject({ sequence: anchor.sequence, hash: anchor.hash });
    expect(words).not.toContain('Mozilla');
  });

  const SIZES: Record<Locale, string> = { en: '12 kB', fi: '12 kt', sv: '12 kB', fr: '12 ko', de: '12 kB' };
  it.each(LOCALES)(
    'lists the files attached to the document, without what cannot be seen, in %s',
    async (locale) => {
      const listed = [
        { filename: 'fac\u202etur-x.xml', size: 12_345 },
        { filename: '\u200b', size: 7 },
        { filename: '字'.repeat(255), size: 1_500_000 },
      ];
      const input = evidenceInput(1, { state: { locale }, content: { attachments: { count: 5, listed } } });
      const pages = await readPages(await makeEvidenceFile(input));
      const words = pages.map(({ words }) => words).join(' ');
      const { document, details } = AUDIT_TEXTS[locale];
      const { bytes, unnamed, moreAttachments } = document;
      for (const text of [
        `${details.attachments} factur-x.xml, ${SIZES[locale]} (${bytes('12 345')})`,
        `${unnamed}, ${bytes('7')}`,
        `(${bytes('1 500 000')})`,
        moreAttachments(2),
      ])
        expect(words).toContain(text);
      expect(textsOutside(pages, MARGIN)).toEqual([]);
      expect(pages.flatMap(overlaps)).toEqual([]);
    },
  );

  it.each([
    ['B-T', 'en'],
    ['B-LT', 'de'],
    ['B-LTA', 'fr'],
  ] as const)(
    'tells that the sealed document is at %s and until when it holds, in %s',
    async (name, locale) => {
      const { level } = EVIDENCE_TEXTS[locale];
      const until = '2036-03-01T10:00:00.000Z';
      const input = evidenceInput(1, { state: { locale }, lasting: { level: name, until } });
      const told = level.told[name](PDF_TEXTS[locale].time(utcTime(until)));
      expect(await wordsOf(await makeEvidenceFile(input))).toContain(singleSpaced(`${level.name} ${told}`));
    },
  );

  it.each(LOCALES)('names the end of each level in %s', (locale) => {
    for (const told of Object.values(EVIDENCE_TEXTS[locale].level.told)) expect(told('END')).toContain('END');
  });

  it('carries the record that its pages state', async () => {
    const input = evidenceInput(1);
    const record = readEvidence(await makeEvidenceFile(input));
    expect(record).toEqual(input.record);
    expect(verifyEvidenceRecord(record)).toMatchObject({ valid: true });
  });

  it('lists each event with its number, time, name, who did it, from where, and its hash', async () => {
    const words = await wordsOf(await makeEvidenceFile(evidenceInput(1)));
    for (const row of [
      /1 2026-11-10 08:00:00 Request created Sender [\da-f]{32} [\da-f]{32}/,
      /2 2026-11-10 08:01:00 Invitation sent Service Aino Virtanen [\da-f]{32} [\da-f]{32}/,
      /3 2026-11-10 08:05:00 Signing link opened Aino Virtanen 203\.0\.113\.7 [\da-f]{32} [\da-f]{32}/,
    ])
      expect(words).toMatch(row);
  });

  it('names whoever had the link at each event, also after a correction', async () => {
    const at = '2026-11-10T08:00:30.000Z';
    const ofSigner = { at, signerId: 'signer-0' };
    const input = evidenceInput(1, {
      entries: [
        { type: 'link_opened', actor: 'signer', ...ofSigner },
        {
          type: 'signer_corrected',
          actor: 'client',
          details: { email: 'signer0@example.com', name: 'Aino' },
          ...ofSigner,
        },
      ],
      signer: { asCreated: { email: 'wrong@example.com', name: 'Wally Wrong' } },
    });
    const words = await wordsOf(await makeEvidenceFile(input));
    const openedBy = [...words.matchAll(/Signing link opened (\w+ \w+)/g)].map(([, name]) => name);
    expect(openedBy).toEqual(['Wally Wrong', 'Aino Virtanen']);
  });

  it('is as old as the last signature, so that a second run makes the same', async () => {
    const signedAt = '2026-11-12T09:00:00.000Z';
    const input = evidenceInput(3, { onPage: (index) => (index === 1 ? { signedAt } : {}) });
    const pdf = await PDFDocument.load(await makeEvidenceFile(input), { updateMetadata: false });
    expect(pdf.getCreationDate()?.toISOString()).toBe(signedAt);
  });

  it('names the request on each page, and its title on the further ones', async () => {
    const pages = await readPages(await makeEvidenceFile(evidenceInput(20)));
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, { words }] of pages.entries()) {
      expect(words).toContain(`${REQUEST_ID} Page ${index + 1} of ${pages.length}`);
      expect(words).toContain('Lease agreement');
    }
  });

  it('has the same bytes for the same input', async () => {
    const make = () => makeEvidenceFile(evidenceInput(3, { onPage: drawn }));
    expect(Buffer.compare(await make(), await make())).toBe(0);
  });

  it.each(LOCALES)('is written in %s', async (locale) => {
    const words = await wordsOf(await makeEvidenceFile(evidenceInput(1, { state: { locale } })));
    const { kind, consentGiven, eventsNote, eventTypes, verify, verifyFile } = EVIDENCE_TEXTS[locale];
    for (const text of [
      kind.toUpperCase(),
      consentGiven,
      eventsNote,
      eventTypes.document_viewed,
      verify,
      verifyFile,
    ])
      expect(words).toContain(singleSpaced(text));
  });

  it('of a test request says so on every page, and of a live one nowhere', async () => {
    const pagesIn = async (mode: 'live' | 'test') =>
      readPages(await makeEvidenceFile(evidenceInput(2, { state: { mode } })));
    const pages = await pagesIn('test');
    for (const { texts } of pages) expect(texts.map(({ text }) => text)).toContain('TEST');
    expect(pages[0]?.words).toContain(PDF_TEXTS.en.test);
    for (const { words } of await pagesIn('live')) expect(words).not.toContain('TEST');
  });

  it('explains a character that no font has, if there is one', async () => {
    const words = (ownerName: string) =>
      makeEvidenceFile(evidenceInput(1, { state: { ownerName } })).then(wordsOf);
    expect(await words('Acme \ue000')).toContain(PDF_TEXTS.en.replacedCharacters);
    expect(await words('Acme')).not.toContain(PDF_TEXTS.en.replacedCharacters);
  });

  it('prints each consent text once, as its signers read it', async () => {
    const consentIn = (locale: 'fr' | 'de') => ({ consent: { version: '2026-11-01', locale } });
    const input = evidenceInput(3, { onPage: (index) => consentIn(index === 1 ? 'fr' : 'de') });
    const words = await wordsOf(await makeEvidenceFile(input));
    for (const [locale, head] of [
      ['fr', 'français, version 2026-11-01'],
      ['de', 'Deutsch, version 2026-11-01'],
    ] as const) {
      const text = CONSENT_TEXTS[locale].slice(0, 40);
      expect(words.split(text)).toHaveLength(2);
      expect(words).toContain(`${head} ${text}`);
    }
    expect(words).not.toContain(CONSENT_TEXTS.en.slice(0, 40));
  });

  it('has no section for consents if it has no text that was agreed to', async () => {
    const consentOf = async (version: string) =>
      wordsOf(
        await makeEvidenceFile(evidenceInput(1, { onPage: () => ({ consent: { version, locale: 'en' } }) })),
      );
    expect(await consentOf('2026-11-01')).toContain(EVIDENCE_TEXTS.en.consentGiven);
    expect(await consentOf('2020-01-01')).not.toContain(EVIDENCE_TEXTS.en.consentGiven);
  });

  it.each([1, 3, 20])('is laid out without overlaps for %d signers', async (count) => {
    const pages = await readPages(await makeEvidenceFile(evidenceInput(count, { state: { mode: 'test' } })));
    expect(textsOutside(pages, MARGIN)).toEqual([]);
    expect(pages.flatMap(overlaps)).toEqual([]);
  });

  it('holds no text of a user uncompressed, so that none is taken for the seal’s placeholder', async () => {
    const trap = '/ByteRange [0 /********** /********** /**********] /Contents <00>';
    const input = evidenceInput(1, {
      state: { title: trap, ownerName: trap },
      onPage: () => ({ nameAsSigned: trap, email: trap, signature: { type: 'typed', text: trap } }),
    });
    const pdf = await makeEvidenceFile(input);
    expect(Buffer.from(pdf).includes('/ByteRange')).toBe(false);
    const { key, tsa } = demoSealing();
    const timestamp = timestamperOf(tsa, () => now);
    const sealed = await sealOwn({ pdf, key, timestamp, now, reason: 'Evidence of request 1' });
    expect(inspectPdf(sealed)).toMatchObject({ ok: true, signed: true });
  });
});
