import { decodePDFRawStream, PDFDocument, PDFRawStream } from 'pdf-lib';
import { makeSignaturePage } from '../../../shared/sealing/page/signature-page.ts';
import { TEXTS } from '../../../shared/sealing/page/texts.ts';
import { overlaps, readPages, textsOutside } from '../../support/pdf-pages.ts';
import { drawnSignature, pageInput, REQUEST_ID, SHA256, signer } from '../../support/signature-input.ts';

const MARGIN = 36;
const read = async (changes: Parameters<typeof pageInput>[0] = {}) =>
  readPages(await makeSignaturePage(pageInput(changes)));
const wordsOf = async (changes: Parameters<typeof pageInput>[0] = {}) =>
  (await read(changes)).map(({ words }) => words).join(' ');

describe('a signature page', () => {
  it('is one A4 page for three signers', async () => {
    const pages = await read({ signers: ['A', 'B', 'C'].map((name) => signer(name)) });
    expect(pages).toHaveLength(1);
    expect(pages[0]).toMatchObject({ width: 595.28, height: 841.89 });
  });

  it('says who signed what, for whom, when, from where and how it was proved', async () => {
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
      'E-mailed link and one-time code',
      '203.0.113.7',
      'PAdES B-T',
      'Page 1 of 1',
    ]) {
      expect(words).toContain(text);
    }
    expect(words).not.toContain('TEST');
    expect(words).not.toContain(TEXTS.en.replacedCharacters.slice(0, 30));
  });

  it.each(['en', 'fi', 'fr', 'de'] as const)('speaks %s throughout', async (language) => {
    const words = await wordsOf({ language });
    const texts = TEXTS[language];
    for (const text of [
      texts.fingerprintNote,
      texts.email,
      texts.ipAddress,
      texts.proofByLinkAndCode,
      texts.signedAt,
    ]) {
      expect(words).toContain(text);
    }
    expect(words).toContain(texts.statement);
  });

  it('is marked across and in words in test mode', async () => {
    const [page] = await read({ test: true });
    const mark = page?.texts.find(({ text }) => text === 'TEST');
    expect(mark).toMatchObject({ isUpright: false });
    expect(mark?.size).toBeGreaterThan(150);
    expect(page?.words).toContain(TEXTS.en.test);
  });

  it('holds twenty signers with long names, each whole, on numbered pages without overlaps', async () => {
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
    const words = pages.map((page) => page.words).join(' ');
    for (let index = 1; index <= 20; index++) expect(words).toContain(`${index}Maximilian`);
    expect(words).toContain(`Page ${pages.length} of ${pages.length}`);
    expect(words.match(/IP address/g)).toHaveLength(20);
  });

  it('cuts nothing that the service accepts', async () => {
    const long = (end: string) => `${'Ŵ'.repeat(200 - end.length)}${end}`;
    const words = await wordsOf({
      title: long('TITLE'),
      document: { filename: long('FILE'), sha256: SHA256 },
      signers: [
        signer(long('NAME'), {
          email: `${'w'.repeat(242)}@example.com`,
          representing: { name: long('ENTITY'), role: long('ROLE'), entityId: long('ID') },
          signature: { type: 'typed', text: long('MARK') },
        }),
      ],
    });
    for (const end of ['FILE', 'MARK', 'NAME', 'ENTITY', 'ROLE', 'ID)', '@example.'])
      expect(words).toContain(end);
  });

  it('holds twenty signers of usual length on three pages', async () => {
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
    ['emoji', '👩‍👩‍👧‍👦🏴‍☠️'.repeat(20)],
  ])('sets %s within the page wherever it stands', async (_, text) => {
    const pages = await read({
      title: text.repeat(25).slice(0, 5000),
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

  it('cuts a title of 5,000 characters to a few lines', async () => {
    const [page] = await read({ title: 'Agreement on everything '.repeat(210) });
    expect(page?.texts.filter(({ size }) => size === 21)).toHaveLength(6);
    expect(page?.words).toContain('…');
  });

  it('spells a name in another script as code points, explains it, and keeps the exact name to be copied', async () => {
    const pdf = await makeSignaturePage(pageInput({ signers: [signer('王小明')] }));
    const words = (await readPages(pdf)).map((page) => page.words).join(' ');
    expect(words).toContain('[U+738B U+5C0F U+660E]');
    expect(words).toContain(TEXTS.en.replacedCharacters);
    expect(await contentOf(pdf)).toContain('/ActualText <FEFF738B5C0F660E>');
  });

  it('lets the fingerprint be copied without its gaps', async () => {
    const hex = [...SHA256].map((digit) => digit.charCodeAt(0).toString(16).padStart(4, '0')).join('');
    expect(await contentOf(await makeSignaturePage(pageInput()))).toContain(
      `/ActualText <FEFF${hex.toUpperCase()}>`,
    );
  });

  it('shows a drawn signature as an image that keeps its proportions and bounds', async () => {
    const pdf = await makeSignaturePage(
      pageInput({
        signers: [signer('Aino', { signature: { type: 'drawn', png: drawnSignature(1200, 100) } })],
      }),
    );
    const [, width, height] = /([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm/.exec(await contentOf(pdf)) ?? [];
    expect(Number(width)).toBeLessThanOrEqual(206);
    expect(Number(width) / Number(height)).toBeCloseTo(12, 1);
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['no PNG', new TextEncoder().encode('not a picture at all, but long enough to be looked at')],
    ['a PNG cut short', drawnSignature().subarray(0, 60)],
    ['a PNG of absurd size', oversized()],
  ])('shows the name in place of a drawing of %s', async (_, png) => {
    const pdf = await makeSignaturePage(
      pageInput({ signers: [signer('Aino Virtanen', { signature: { type: 'drawn', png } })] }),
    );
    const [page] = await readPages(pdf);
    expect(page?.texts.filter(({ text }) => text === 'Aino Virtanen')).toHaveLength(2);
    expect(await contentOf(pdf)).not.toMatch(/ Do\b/);
  });

  it('gives the same bytes for the same input, whatever was made before', async () => {
    const input = pageInput({ signers: [signer('Aino'), signer('Αίνο'), signer('Айно')] });
    const first = await makeSignaturePage(input);
    await makeSignaturePage(pageInput({ language: 'de', title: 'Something else entirely' }));
    expect(Buffer.compare(await makeSignaturePage(input), first)).toBe(0);
  });

  it('carries the dates of its input and names no other time', async () => {
    const document = await PDFDocument.load(await makeSignaturePage(pageInput()), { updateMetadata: false });
    expect(document.getCreationDate()?.toISOString()).toBe('2026-11-19T09:05:07.000Z');
    expect(document.getModificationDate()?.toISOString()).toBe('2026-11-19T09:05:07.000Z');
    expect(document.getTitle()).toBe('Signature page: Lease agreement');
  });

  it('adds less than 60 KB for three signers', async () => {
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
