import { decodePDFRawStream, PDFDocument, PDFRawStream } from 'pdf-lib';
import { COMPACT, ROOMY } from '../../../shared/audit/signatures.ts';
import { makeSignaturePage } from '../../../shared/stamping/signature-page.ts';
import { CONSENT_TEXTS, LOCALES, PDF_TEXTS } from '../../../shared/texts/languages.ts';
import { overlaps, readPages, singleSpaced, textsOutside } from '../../support/pdf-pages.ts';
import { drawnSignature, pageInput, REQUEST_ID, SHA256, signer } from '../../support/signature-input.ts';

const MARGIN = 36;
const read = async (changes: Parameters<typeof pageInput>[0] = {}) =>
  readPages(await makeSignaturePage(pageInput(changes)));
const wordsOf = async (changes: Parameters<typeof pageInput>[0] = {}) =>
  (await read(changes)).map(({ words }) => words).join(' ');

describe('makeSignaturePage', () => {
  it('a signature page for three signers is one A4 page', async () => {
    const pages = await read({ signers: ['A', 'B', 'C'].map((name) => signer(name)) });
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ width: 595.28, height: 841.89 });
  });

  it('signatures are larger if all of them fit one page with the closing texts', async () => {
    const layoutOf = async (count: number) => {
      const signature = { type: 'typed', text: 'Mark' } as const;
      const signers = Array.from({ length: count }, (_, index) => signer(`Signer ${index}`, { signature }));
      const pages = await read({ signers });
      const sizes = new Set(
        pages.flatMap(({ texts }) => texts.filter(({ text }) => text === 'Mark').map(({ size }) => size)),
      );
      return { pages: pages.length, sizes: [...sizes] };
    };
    const layouts = await Promise.all(Array.from({ length: 6 }, (_, more) => layoutOf(more + 1)));
    const roomy = layouts.filter(({ sizes }) => sizes[0] === ROOMY.markSize);
    expect(roomy.length).toBeGreaterThanOrEqual(3);
    for (const { pages } of roomy) expect(pages).toBe(1);
    expect(layouts.at(-1)?.sizes).toEqual([COMPACT.markSize]);
  });

  it.each([
    ['en', '19 November 2026, 09:05:07 UTC (11:05:07 EET)'],
    ['de', '(11:05:07 OEZ)'],
    ['fi', '(11.05.07 UTC+2)'],
  ] as const)('times stand in the sender’s zone beside UTC: %s', async (language, time) => {
    const input = { language, signers: [signer('Aino Virtanen')] };
    expect(await wordsOf({ ...input, timeZone: 'Europe/Helsinki' })).toContain(time);
  });

  it.each([null, 'UTC', 'Etc/UTC'])(
    'times stand in UTC alone if the zone of the sender is %s',
    async (timeZone) => {
      expect(await wordsOf({ timeZone, signers: [signer('Aino Virtanen')] })).not.toMatch(/UTC \(/);
    },
  );

  it('a French page writes the first of a month and a colon as French does', async () => {
    const signedAt = '2026-11-30T23:30:00Z';
    const consent = { version: '2026-11-01', locale: 'fr' } as const;
    const input = {
      language: 'fr',
      timeZone: 'Europe/Paris',
      signers: [signer('Zoé', { signedAt, consent })],
    } as const;
    const words = await wordsOf(input);
    expect(words).toContain('30 novembre 2026 à 23:30:00 UTC (1er décembre 2026 à 00:30:00 UTC+1)');
    expect(words).toMatch(/Consentement \(français, version 2026-11-01\)\s: J’accepte/);
  });

  it('a signature page for three signers is one A4 page with the longest of zones too', async () => {
    const signers = ['A', 'B', 'C'].map((name) => signer(name));
    for (const language of LOCALES)
      expect(await read({ signers, language, timeZone: 'America/Argentina/ComodRivadavia' })).toHaveLength(1);
  });

  it('a signature page contains who signed what, for whom, when, from where and how it was proved', async () => {
    const words = await wordsOf({
      signers: [
        signer('Aino Virtanen', {
          representing: { name: 'Pohjolan Rakennus Oy', role: 'CEO', entityId: '1234567-8' },
          signature: { type: 'typed', text: 'A. Virtanen' },
        }),
      ],
    });
    for (const text of [
      'Lease agreement',
      'lease-agreement.pdf',
      SHA256.match(/.{8}/g)?.join(' '),
      REQUEST_ID,
      'Aino Virtanen',
      'A. Virtanen',
      'on behalf of Pohjolan Rakennus Oy (ID 1234567-8)',
      'as CEO',
      'signer@example.com',
      '19 November 2026, 09:05:07 UTC',
      'Link and e-mailed one-time code',
      '203.0.113.7',
      'electronic seal (PAdES)',
      'Sender Kotilinna Oy',
      `Anchor ${[...SHA256].reverse().join('').match(/.{8}/g)?.join(' ')}`,
      'event 12',
      'First viewed 19 November 2026, 09:01:40 UTC',
      'Consent English, version 2026-11-01',
      CONSENT_TEXTS.en.slice(0, 60),
      'https://sign.example.com/verify',
      'Page 1 of 1',
    ]) {
      expect(words).toContain(text);
    }
    expect(words).not.toContain('TEST');
    expect(words).not.toContain(PDF_TEXTS.en.replacedCharacters.slice(0, 30));
  });

  it.each(LOCALES)('a signature page in %s contains the texts of that language', async (language) => {
    const words = await wordsOf({ language });
    const texts = PDF_TEXTS[language];
    for (const text of [
      texts.fingerprintNote,
      texts.email,
      texts.ipAddress,
      texts.proofByLinkAndCode,
      texts.signedAt,
    ]) {
      expect(words).toContain(text);
    }
    expect(words).toContain(singleSpaced(texts.statement));
  });

  it('a signature page in test mode has a watermark and a note', async () => {
    const [page] = await read({ test: true });
    const mark = page?.texts.find(({ text }) => text === 'TEST');
    expect(mark).toMatchObject({ isUpright: false });
    expect(mark?.size).toBeGreaterThan(150);
    expect(page?.words).toContain(PDF_TEXTS.en.test);
  });

  it('a signature page shows twenty signers with long names completely, on numbered pages without overlaps', async () => {
    const longName = 'Maximilian Freiherr von und zu Hohenstaufen-Württemberg '.repeat(4).slice(0, 200);
    const signers = Array.from({ length: 20 }, (_, index) =>
      signer(`${index + 1}${longName}`, {
        email: `${'long.'.repeat(30)}${index}@example.com`,
        ipAddress: '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
        representing: { name: 'Entity '.repeat(25), role: 'Role '.repeat(30), entityId: '1234567-8' },
        signature: index % 2 ? { type: 'drawn', png: drawnSignature() } : { type: 'typed', text: longName },
      }),
    );
    const pages = await read({ signers });
    expect(textsOutside(pages, MARGIN)).toEqual([]);
    expect(pages.flatMap(overlaps)).toEqual([]);
    for (const page of pages) {
      expect(page.words).toContain('Lease agreement');
      expect(page.words).toContain(`${PDF_TEXTS.en.requestId} ${REQUEST_ID} Page`);
    }
    const words = pages.map((page) => page.words).join(' ');
    const texts = pages.flatMap((page) => page.texts.map(({ text }) => text));
    for (let index = 1; index <= 20; index++) {
      expect(words).toContain(`${index}Maximilian`);
      expect(texts).toContain(String(index));
    }
    expect(words).toContain(`Page ${pages.length} of ${pages.length}`);
    expect(words.match(/Verified by/g)).toHaveLength(20);
  });

  it.each(['Ŵ', 'Щ'])(
    'a signature page shows values of the maximum length completely: %s',
    async (letter) => {
      const long = (end: string) => `${letter.repeat(200 - end.length)}${end}`;
      const words = await wordsOf({
        title: long('TITLE'),
        sender: `${'\ue000 '.repeat(97)}SENDER`,
        document: { filename: long('FILE'), sha256: SHA256 },
        signers: [
          signer(long('NAME'), {
            email: `${'w'.repeat(242)}@example.com`,
            representing: { name: long('ENTITY'), role: long('ROLE'), entityId: long('ID') },
            signature: { type: 'typed', text: long('MARK') },
          }),
        ],
      });
      for (const end of ['TITLE', 'SENDER', 'FILE', 'MARK', 'NAME', 'ENTITY', 'ROLE', 'ID)', '@example.'])
        expect(words).toContain(end);
    },
  );

  it('a signature page for twenty ordinary signers has at most three pages', async () => {
    const signers = Array.from({ length: 20 }, (_, index) => signer(`Signer ${index}`));
    expect((await read({ signers })).length).toBeLessThanOrEqual(3);
  });

  it.each([
    ['a word of 200 letters', 'W'.repeat(200)],
    ['line breaks', 'one\r\n\r\ntwo\u2028three'],
    ['direction overrides', '\u202Eevil\u202C \u2067name\u2069'],
    ['PDF syntax', ') Tj ET Q /SubFilter /x <</JS (a)>> endstream endobj'],
    ['a tower of marks', `Z${'\u0351'.repeat(300)}`],
    ['nothing', ''],
    ['only invisible characters', '\u200b\u202e\u0000'],
    ['half a surrogate pair', 'a\ud83d'],
    ['characters that no font has', '\ue000 '.repeat(100)],
    ['signs as wide as a line', '\u{1242b}'.repeat(100)],
    ['emoji', '👩‍👩‍👧‍👦🏴‍☠️'.repeat(20)],
  ])('a signature page with %s in any field stays within its margins', async (_, text) => {
    const pages = await read({
      title: text.repeat(25).slice(0, 5000),
      sender: text,
      document: { filename: `${text}.pdf`, sha256: SHA256 },
      signers: [
        signer(text, {
          email: `${text}@example.com`,
          representing: { name: text, role: text, entityId: text },
        }),
        signer('After'),
      ],
    });
    expect(textsOutside(pages, MARGIN)).toEqual([]);
    expect(pages.flatMap(overlaps)).toEqual([]);
    expect(pages.map(({ words }) => words).join(' ')).toContain('After');
  });

  it('a signature page cuts a title of 5,000 characters to twelve lines', async () => {
    const [page] = await read({ title: 'Agreement on everything '.repeat(210) });
    expect(page?.texts.filter(({ size }) => size === 21)).toHaveLength(12);
    expect(page?.words).toContain('…');
  });

  it('a name in another script is printed as it is written', async () => {
    const words = await wordsOf({ signers: [signer('王小明')] });
    // pdf.js separates fonts, of which each character has another.
    expect(words.replaceAll(' ', '')).toContain('王小明');
    expect(words).not.toContain(PDF_TEXTS.en.replacedCharacters);
  });

  it('a character that no font has is shown as its code point with an explanation, and copies as itself', async () => {
    const pdf = await makeSignaturePage(pageInput({ signers: [signer('王\ue000')] }));
    const words = (await readPages(pdf)).map((page) => page.words).join(' ');
    expect(words).toContain('[U+E000]');
    expect(words).toContain(PDF_TEXTS.en.replacedCharacters);
    expect(await contentOf(pdf)).toContain('/ActualText <FEFF738BE000>');
  });

  it('fingerprint and anchor copy without their gaps', async () => {
    const anchor = { sequence: 12, hash: [...SHA256].reverse().join('') };
    const content = await contentOf(await makeSignaturePage(pageInput({ anchor })));
    for (const hash of [SHA256, anchor.hash]) {
      const hex = [...hash].map((digit) => digit.charCodeAt(0).toString(16).padStart(4, '0')).join('');
      expect(content).toContain(`/ActualText <FEFF${hex.toUpperCase()}>`);
    }
  });

  it('the page of a request from before there were anchors shows no anchor', async () => {
    expect(await wordsOf({ anchor: null })).not.toContain(PDF_TEXTS.en.anchor);
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['no PNG', new TextEncoder().encode('not a picture at all, but long enough to be looked at')],
    ['a PNG cut short', drawnSignature().subarray(0, 60)],
    ['a PNG of absurd size', oversized()],
  ])('the typed name replaces a drawing that is %s', async (_, png) => {
    const pdf = await makeSignaturePage(
      pageInput({ signers: [signer('Aino Virtanen', { signature: { type: 'drawn', png } })] }),
    );
    const [page] = await readPages(pdf);
    expect(page?.texts.filter(({ text }) => text === 'Aino Virtanen')).toHaveLength(2);
    expect(await contentOf(pdf)).not.toMatch(/ Do\b/);
  });

  it('the same input produces the same signature page bytes', async () => {
    const input = pageInput({ signers: [signer('Aino'), signer('Αίνο'), signer('Айно')] });
    const first = await makeSignaturePage(input);
    await makeSignaturePage(pageInput({ language: 'de', title: 'Something else entirely' }));
    expect(Buffer.compare(await makeSignaturePage(input), first)).toBe(0);
  });

  it('the PDF dates of a signature page come from its input', async () => {
    const document = await PDFDocument.load(await makeSignaturePage(pageInput()), { updateMetadata: false });
    expect(document.getCreationDate()?.toISOString()).toBe('2026-11-19T09:05:07.000Z');
    expect(document.getModificationDate()?.toISOString()).toBe('2026-11-19T09:05:07.000Z');
    expect(document.getTitle()).toBe('Signature page: Lease agreement');
  });

  it('a signature page for three signers has less than 60 KB', async () => {
    const signers = ['Aino Virtanen', 'Αλέξανδρος Παπαδόπουλος', 'Алексей Петров'].map((name) =>
      signer(name),
    );
    expect((await makeSignaturePage(pageInput({ signers }))).length).toBeLessThan(60_000);
  });
});

/** The drawing operators of all pages. */
async function contentOf(pdf: Uint8Array): Promise<string> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  return document
    .getPages()
    .map((page) => {
      const contents = page.node.normalizedEntries().Contents;
      return (contents?.asArray() ?? [])
        .map((ref) => document.context.lookup(ref))
        .map((stream) =>
          stream instanceof PDFRawStream ? decodePDFRawStream(stream).decode() : new Uint8Array(),
        )
        .map((bytes) => Buffer.from(bytes).toString('latin1'))
        .join('\n');
    })
    .join('\n');
}

function oversized(): Uint8Array {
  const png = drawnSignature();
  new DataView(png.buffer, png.byteOffset).setUint32(16, 200_000);
  return png;
}
