import { type AuditTrailInput, makeAuditTrailPdf } from '../../../shared/audit/pdf/audit-trail.ts';
import { EVENT, NOT_SIGNED, STATUS, TEST_MARK } from '../../../shared/audit/pdf/wording.ts';
import { REQUEST_STATUSES } from '../../../shared/contract/fields.ts';
import { AUDIT_TYPES } from '../../../shared/requests/model.ts';
import { auditInput, auditSigner, entries, SEAL, SEALED_SHA256 } from '../../support/audit-input.ts';
import { overlaps, type ReadPage, readPages, textsOutside } from '../../support/pdf-pages.ts';
import { REQUEST_ID, SHA256, signer } from '../../support/signature-input.ts';

const MARGIN = 40;
const grouped = (hex: string) => hex.match(/.{8}/g)?.join(' ');
const read = async (input: AuditTrailInput) => readPages(await makeAuditTrailPdf(input));
const wordsOf = async (input: AuditTrailInput) => (await read(input)).map(({ words }) => words).join(' ');
const FURNITURE_ABOVE = 842 - 80;

/** The texts of a page's body, from top to bottom. */
const bodyOf = ({ texts }: ReadPage) =>
  texts
    .filter(({ baseline }) => baseline < FURNITURE_ABOVE && baseline > 62)
    .sort((a, b) => b.baseline - a.baseline);

describe('an audit trail', () => {
  it('tells the request, the document, the signers, the events and the head of their chain', async () => {
    const input = auditInput();
    const words = await wordsOf(input);
    for (const text of [
      'Lease agreement',
      REQUEST_ID,
      'Kiinteistö Oy Mannerheimintie 12 (organization)',
      '2026-11-10 08:00:00 UTC',
      '2026-12-10 08:00:00 UTC',
      'lease-agreement.pdf',
      '1.2 MB (1 234 567 bytes)',
      grouped(SHA256),
      'Signer 0',
      'signer0@example.com',
      '203.0.113.7',
      'Firefox/145.0',
      EVENT.request_created,
      EVENT.link_opened,
      grouped(input.request.state.auditHead),
      'Intact: 3 events',
      NOT_SIGNED,
      'It shows the request as it stood on 2026-11-21 10:00:00 UTC.',
    ]) {
      expect(words).toContain(text);
    }
    expect(words).not.toContain('Certificate subject');
    expect(words).not.toContain('TEST');
  });

  it.each(REQUEST_STATUSES)('can be made of a request that is %s', async (status) => {
    expect(await wordsOf(auditInput({ state: { status } }))).toContain(STATUS[status]);
  });

  it('tells how the seal was made', async () => {
    const words = await wordsOf(
      auditInput({
        state: { status: 'signed', seal: SEAL, documentHash: SEALED_SHA256, signedAt: SEAL.sealedAt },
      }),
    );
    for (const [name, value] of Object.entries(SEAL.technical)) {
      if (!name.startsWith('not') && name !== 'timestampTime') expect(words).toContain(value);
    }
    expect(words).toContain('Valid until 2028-01-01 00:00:00 UTC');
    expect(words).toContain('Time-stamp time 2026-11-19 10:00:00 UTC');
    expect(words).toContain(grouped(SEALED_SHA256));
    expect(words).toContain('1 page added');
  });

  it('never prints an access token or the hash of a code', async () => {
    expect(await wordsOf(auditInput({ signers: [auditSigner(0), auditSigner(1)] }))).not.toContain('SECRET');
  });

  it('says so where the chain of events is broken', async () => {
    const input = auditInput({ entries: entries(5) });
    const events = input.events.map((event) =>
      event.sequence === 3 ? { ...event, actor: 'operator' } : event,
    );
    expect(await wordsOf({ ...input, events })).toContain('BROKEN at event 3');
    expect(await wordsOf({ ...input, events: input.events.slice(0, 4) })).toContain('BROKEN at event 5');
  });

  it('has words for every kind of event, and prints one that it does not know', async () => {
    expect(new Set(AUDIT_TYPES.map((type) => EVENT[type])).size).toBe(AUDIT_TYPES.length);
    const input = auditInput();
    const events = input.events.map((event) => ({
      ...event,
      type: 'kind_from_tomorrow' as typeof event.type,
    }));
    expect(await wordsOf({ ...input, events })).toContain('Kind from tomorrow');
  });

  it('holds the signatures of a document that got no signature page', async () => {
    const words = await wordsOf(
      auditInput({
        content: { alreadySigned: true },
        signatures: [
          signer('Aino Virtanen', { representing: { name: 'Acme Oy', role: 'CEO', entityId: null } }),
        ],
      }),
    );
    expect(words).toContain('None. The document already carried signatures');
    expect(words).toContain('E-mailed link and one-time code');
    expect(words).toContain('on behalf of Acme Oy');
  });

  it('is marked across and in words in test mode', async () => {
    const pages = await read(auditInput({ state: { mode: 'test' }, entries: entries(100) }));
    expect(pages.length).toBeGreaterThan(2);
    for (const { texts } of pages) {
      expect(texts.find(({ text }) => text === 'TEST')).toMatchObject({ isUpright: false });
    }
    expect(pages[0]?.words).toContain(TEST_MARK);
  });

  it('gives the same bytes for the same input', async () => {
    const input = auditInput({ entries: entries(40) });
    const first = await makeAuditTrailPdf(input);
    await makeAuditTrailPdf(auditInput({ state: { title: 'Ωμέγα' } }));
    expect(Buffer.compare(await makeAuditTrailPdf(input), first)).toBe(0);
  });
});

describe('a long audit trail', () => {
  const name = 'Maximilian Freiherr von und zu Hohenstaufen-Württemberg '.repeat(4).slice(0, 200);
  const signers = Array.from({ length: 20 }, (_, position) =>
    auditSigner(position, {
      nameAsSigned: `${position}${name}`,
      userAgent: `Mozilla/5.0 ${'X'.repeat(position * 40)} (KHTML, like Gecko)`,
      representingAsSigned: 'Some Entity '.repeat(10),
      declineReason: position === 7 ? 'No. '.repeat(125) : null,
    }),
  );
  let pages: ReadPage[];
  beforeAll(async () => {
    pages = await read(auditInput({ signers, entries: entries(500) }));
  });

  it('stays within the page without overlaps', () => {
    expect(textsOutside(pages, MARGIN)).toEqual([]);
    expect(pages.flatMap(overlaps)).toEqual([]);
  });

  it('loses no signer and no event', () => {
    const texts = pages.flatMap((page) => page.texts.map(({ text }) => text));
    for (let number = 1; number <= 500; number++) expect(texts).toContain(String(number));
    const words = pages.map((page) => page.words).join(' ');
    for (let position = 0; position < 20; position++) expect(words).toContain(`${position}Maximilian`);
  });

  it('numbers its pages', () => {
    pages.forEach(({ words }, index) => {
      expect(words).toContain(`Page ${index + 1} of ${pages.length}`);
    });
  });

  it('repeats the headings on every page that a table reaches', () => {
    const firstOfEvents = pages.findIndex(({ texts }) => texts.some(({ text }) => text === 'Events'));
    const lastOfEvents = pages.findLastIndex(({ texts }) => texts.some(({ text }) => text === '500'));
    expect(lastOfEvents - firstOfEvents).toBeGreaterThan(10);
    for (const page of pages.slice(firstOfEvents + 1, lastOfEvents + 1)) {
      expect(
        bodyOf(page)
          .slice(0, 3)
          .map(({ text }) => text),
      ).toEqual(['Time (UTC)', 'Event', 'By']);
    }
  });
});

describe('a table at the end of a page', () => {
  const lengths = Array.from({ length: 26 }, (_, more) => more + 2);

  it.each(lengths)('keeps title, headings and two rows together, %i events long', async (count) => {
    const pages = await read(auditInput({ entries: entries(count) }));
    for (const page of pages) {
      const body = bodyOf(page).map(({ text }) => text);
      for (const title of ['Signers', 'Events', 'Seal', 'Integrity of this trail']) {
        const at = body.indexOf(title);
        if (at >= 0) expect(body.length - at).toBeGreaterThan(title === 'Signers' ? 8 : 7);
      }
      if (body[0] === 'Time (UTC)') {
        expect(body.filter((text) => /^2026-11-10 \d\d:/.test(text)).length).toBeGreaterThan(1);
      }
    }
  });
});
