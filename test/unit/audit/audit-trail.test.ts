import { type AuditTrailInput, makeAuditTrailPdf } from '../../../shared/audit/audit-trail.ts';
import { notSigned, wordsIn } from '../../../shared/audit/wording.ts';
import { MAIL_KINDS, REQUEST_STATUSES, TYPED_STYLES } from '../../../shared/contract/fields.ts';
import {
  AUDIT_TYPES,
  type AuditEntry,
  type AuditType,
  NOTICE_REASONS,
  type SignerState,
} from '../../../shared/requests/model.ts';
import { formatSize } from '../../../shared/texts/file-size.ts';
import { LOCALES, type Locale } from '../../../shared/texts/languages.ts';
import { auditInput, auditSigner, entries, SEAL, SEALED_SHA256 } from '../../support/audit-input.ts';
import { overlaps, type ReadPage, readPages, singleSpaced, textsOutside } from '../../support/pdf-pages.ts';
import { newRequest } from '../../support/requests.ts';
import { REQUEST_ID, SHA256, signer } from '../../support/signature-input.ts';

const WORDS = wordsIn('en');
const eventNameIn = (type: AuditType, locale: Locale) => wordsIn(locale).evidence.eventTypes[type];
const MARGIN = 40;
const grouped = (hex: string) => hex.match(/.{8}/g)?.join(' ');
const read = async (input: AuditTrailInput) => readPages(await makeAuditTrailPdf(input));
const wordsOf = async (input: AuditTrailInput) => (await read(input)).map(({ words }) => words).join(' ');
const FURNITURE_ABOVE = 842 - 80;

/** The texts between a page's head and foot, from top to bottom. */
const bodyOf = ({ texts }: ReadPage) =>
  texts
    .filter(({ baseline }) => baseline < FURNITURE_ABOVE && baseline > 62)
    .sort((a, b) => b.baseline - a.baseline);

describe('makeAuditTrailPdf', () => {
  it('an audit trail contains the request, the document, the signers, the events and the head of the chain', async () => {
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
      WORDS.evidence.eventTypes.request_created,
      WORDS.evidence.eventTypes.link_opened,
      grouped(input.request.state.auditHead),
      'Intact: 3 events',
      notSigned(input.request.state, WORDS),
      'It shows the request as of 2026-11-21 10:00:00 UTC.',
    ]) {
      expect(words).toContain(text);
    }
    expect(words).not.toContain('Certificate subject');
    expect(words).not.toContain('TEST');
  });

  it.each(REQUEST_STATUSES)('an audit trail can be created for a request that is %s', async (status) => {
    expect(await wordsOf(auditInput({ state: { status } }))).toContain(WORDS.own.statuses[status]);
  });

  it('an audit trail contains the details of the seal', async () => {
    const words = await wordsOf(
      auditInput({
        state: { status: 'signed', seal: SEAL, documentHash: SEALED_SHA256, signedAt: SEAL.sealedAt },
      }),
    );
    for (const [name, value] of Object.entries(SEAL.technical)) {
      if (!name.startsWith('not') && name !== 'timestampTime') expect(words).toContain(value);
    }
    expect(words).toContain('Valid until 2028-01-01 00:00:00 UTC');
    expect(words).toContain('Timestamp time 2026-11-19 10:00:00 UTC');
    expect(words).toContain(grouped(SEALED_SHA256));
    expect(words).toContain('1 page added');
  });

  it('facts and details print in one order, whatever order the database returns', async () => {
    const reversed = <T extends object>(members: T): T =>
      Object.fromEntries(Object.entries(members).reverse()) as T;
    const [created] = newRequest(2).change.audit;
    if (!created) throw new Error('A creation is recorded.');
    const trailOf = (details: object, technical: Record<string, string>) => {
      const entry = { ...created, details: { ...details, later: 1, added: 2 } };
      return wordsOf(
        auditInput({ entries: [entry], state: { status: 'signed', seal: { ...SEAL, technical } } }),
      );
    };
    const words = await trailOf(created.details ?? {}, SEAL.technical);
    expect(words).toContain('Invited: Signer 0, signer0@example.com, English, 0,');
    expect(words).toMatch(
      /Title: Contract.*File name: contract\.pdf.*Invited: .*Language: English Added: 2 Later: 1/,
    );
    const withoutHead = (text: string) => text.replace(/Head of the chain [\da-f ]+/, '');
    expect(withoutHead(await trailOf(reversed(created.details ?? {}), reversed(SEAL.technical)))).toBe(
      withoutHead(words),
    );
  });

  it.each([
    ['no sealed file', {}, []],
    ['a sealed document', { documentHash: SEALED_SHA256 }, ['sealIsEvidence']],
    ['both files', { documentHash: SEALED_SHA256, evidenceHash: SHA256 }, ['filesAreEvidence']],
    ['files without legal effect', { mode: 'test', documentHash: SEALED_SHA256, evidenceHash: SHA256 }, []],
  ] as const)(
    'an audit trail calls only sealed files that exist the evidence: %s',
    async (_, state, named) => {
      const words = await wordsOf(auditInput({ state }));
      const { sealIsEvidence, filesAreEvidence } = WORDS.own;
      for (const [name, text] of Object.entries({ sealIsEvidence, filesAreEvidence }))
        expect({ name, times: words.split(text).length - 1 }).toEqual({
          name,
          times: named.some((each) => each === name) ? 1 : 0,
        });
    },
  );

  it.each([
    'The rent in § 4 is not the one that we agreed on. '.repeat(10),
    '賃料が異なるため署名できません。',
  ])(
    'an audit trail contains a reason of any length completely, for the signer and in its event: %s',
    async (sentence) => {
      const reason = sentence.repeat(40).slice(0, 500);
      const declined = auditSigner(0, { status: 'declined', declineReason: reason });
      const [created] = entries(1);
      if (!created) throw new Error('There is one entry.');
      const event = { ...created, type: 'signer_declined' as const, details: { reason } };
      const pages = await read(auditInput({ signers: [declined], entries: [created, event] }));
      const letters = (text: string) => text.replace(/\s/g, '');
      expect(letters(pages.map(({ words }) => words).join('')).split(letters(reason))).toHaveLength(3);
      expect(textsOutside(pages, MARGIN)).toEqual([]);
      expect(pages.flatMap(overlaps)).toEqual([]);
    },
  );

  it.each(['Wolfgang Mustermann ', '契約書'])(
    'an event of the longest values goes on on the next page, and nothing of it is cut: %s',
    async (word) => {
      const longest = (end: string) => `${word.repeat(70).slice(0, 190)}-${end}`;
      const number = (index: number) => String(index).padStart(2, '0');
      const { change } = newRequest(20, {
        title: longest('title'),
        reference: longest('reference'),
        signers: newRequest(20).request.signers.map((signer, index) => ({
          ...signer,
          name: longest(`name${number(index)}`),
          codeHash: 'hash',
        })),
      });
      const [created] = change.audit;
      if (!created) throw new Error('A creation is recorded.');
      const return_url = `https://example.com/${'x'.repeat(1_900)}-url`;
      const pages = await read(
        auditInput({ entries: [{ ...created, details: { ...created.details, return_url } }] }),
      );
      expect(textsOutside(pages, MARGIN)).toEqual([]);
      expect(pages.flatMap(overlaps)).toEqual([]);
      const lowest = Math.min(...pages.flatMap((page) => bodyOf(page).map(({ baseline }) => baseline)));
      expect(lowest).toBeGreaterThan(62);
      const printed = pages
        .map(({ words }) => words)
        .join('')
        .replace(/\s/g, '');
      for (const end of [
        'title',
        'reference',
        'url',
        ...Array.from({ length: 20 }, (_, index) => `name${number(index)}`),
      ])
        expect(printed).toContain(`-${end}`);
    },
  );

  it('an audit trail contains whom a signer was invited as and stands for completely', async () => {
    const longest = (end: string) => `${'Ŵ'.repeat(190)}-${end}`;
    const signers = [
      auditSigner(0, {
        nameAsSigned: longest('signed'),
        nameAsInvited: longest('invited'),
        representingAsSigned: longest('entity'),
        representingRole: longest('role'),
        representingEntityId: longest('id'),
      }),
    ];
    const printed = (await wordsOf(auditInput({ signers }))).replace(/\s/g, '');
    for (const end of ['signed', 'invited', 'entity', 'role', 'id']) expect(printed).toContain(`Ŵ-${end}`);
  });

  it('an audit trail tells what a signer did from what was done for one, under the name that they signed with', async () => {
    const [created, opened] = entries(2);
    if (!created || !opened) throw new Error('Two entries are missing.');
    const name = 'Anna Virtanen';
    const signature: SignerState['signature'] = {
      type: 'drawn',
      value: 'drawings/key',
      drawingSha256: SHA256,
      style: null,
      consentVersion: '1',
      consentLocale: 'en',
      documentSha256: SHA256,
      remaining: 0,
      requestStatus: 'awaiting_stamp',
    };
    const signers = [auditSigner(0, { nameAsSigned: name, nameAsInvited: name, signature })];
    const sent = { ...opened, type: 'code_sent', actor: 'service' } as const;
    const printed = await wordsOf(auditInput({ signers, entries: [created, opened, sent] }));
    expect(printed).toMatch(
      /Signing link opened Anna Virtanen 203.+One-time code sent Service For Anna Virtanen/,
    );
    expect(printed).toContain(WORDS.own.signer.drawn);
    expect(printed).not.toMatch(/Invited as|Signer 0/);
  });

  it('an audit trail names whoever had the link at each event, also after corrections', async () => {
    const [created, opened] = entries(2);
    if (!created || !opened) throw new Error('Two entries are missing.');
    const corrected = (email: string, name: string | null): AuditEntry => ({
      type: 'signer_corrected',
      at: opened.at,
      actor: 'client',
      signerId: 'signer-0',
      details: { email, name },
    });
    const asCreated = { email: 'wrong@example.com', name: 'Wally Wrong' };
    const corrections = [corrected('again@example.com', null), corrected('anna@example.com', 'Anna')];
    const all = [
      created,
      ...[opened, corrections[0], opened, corrections[1], opened].flatMap((e) => e ?? []),
    ];
    const signer = auditSigner(0, { name: 'Anna', nameAsSigned: 'Anna Virtanen', asCreated });
    const printed = await wordsOf(auditInput({ signers: [signer], entries: all }));
    const openedBy = [...printed.matchAll(/Signing link opened (.+?) 203\.0/g)].map(([, name]) => name);
    expect(openedBy).toEqual(['Wally Wrong', 'again@example.com', 'Anna Virtanen']);
    const erased = auditSigner(0, { name: 'Signer 1', erasedAt: opened.at });
    expect(await wordsOf(auditInput({ signers: [erased], entries: all }))).not.toContain('Wally');
  });

  it('an audit trail names the level of the seal', async () => {
    const sealOf = (technical: Record<string, string>) =>
      wordsOf(auditInput({ state: { status: 'signed', seal: { ...SEAL, technical } } }));
    expect(await sealOf(SEAL.technical)).toContain('Format PAdES B-T (ETSI EN 319 142-1)');
    const words = await sealOf({ ...SEAL.technical, level: 'B-LTA' });
    expect(words).toContain('Format PAdES B-LTA (ETSI EN 319 142-1)');
    expect(words).not.toContain('B-T ');
  });

  it.each(LOCALES)('every fact of an event and of a seal has a name in %s', (locale) => {
    const [created] = newRequest(2, { createdBy: { userId: 'user-1', email: 'sender@example.com' } }).change
      .audit;
    const facts = [...Object.keys(created?.details ?? {}), ...Object.keys(SEAL.technical), 'level'];
    expect(facts.filter((name) => !(name in wordsIn(locale).own.details))).toEqual([]);
  });

  it.each(LOCALES)('every code that an event may hold is a word in %s', (locale) => {
    const codesOf = (texts: object) => Object.keys(texts).sort();
    const { values } = wordsIn(locale).own;
    expect(Object.values(values).map(codesOf)).toEqual(
      [
        ['live', 'test'],
        ['organization', 'user'],
        ['typed', 'drawn'],
        [...TYPED_STYLES],
        [...NOTICE_REASONS],
        [...MAIL_KINDS],
      ].map((codes) => codes.sort()),
    );
    const { details } = wordsIn(locale).own;
    expect(Object.keys(values).filter((name) => !(name in details))).toEqual([]);
  });

  it('details are written as the language does', async () => {
    const [created] = entries(1);
    if (!created) throw new Error('There is one entry.');
    const details = { already_signed: false, mode: 'live', locale: 'fr', notice: 'declined' };
    const trailIn = (locale: Locale) =>
      wordsOf(auditInput({ state: { locale }, entries: [{ ...created, details }] }));
    expect(await trailIn('en')).toContain('Already carried signatures: no');
    const french = await trailIn('fr');
    for (const detail of [
      /Portait déjà des signatures\s: non/,
      /Mode\s: production/,
      /Langue\s: français/,
      /Avis\s: refus/,
    ])
      expect(french).toMatch(detail);
  });

  it('details print codes and unknown names as words, texts of people as they are, and lists one after the other', async () => {
    const [created] = entries(1);
    if (!created) throw new Error('There is one entry.');
    const details = {
      consent_locale: 'fi',
      reason: 'fi',
      nextSha256Sum: 1,
      invited: [
        { name: 'Ann', locale: 'de' },
        { name: 'Bo', locale: 'en' },
      ],
    };
    const words = await wordsOf(auditInput({ entries: [{ ...created, details }] }));
    for (const text of [
      'Invited: Ann, Deutsch; Bo, English',
      'Language of the consent: suomi',
      'Reason: fi',
      'Next sha256 sum: 1',
    ])
      expect(words).toContain(text);
  });

  it.each(['2026-13-32T25:61:61Z', '2026-11-21T10:00:00.000Z'])(
    'a text of a person that looks like a time is printed as it was written: %s',
    async (text) => {
      const [created] = entries(1);
      if (!created) throw new Error('There is one entry.');
      const details = { title: text, reason: text, name: text, expires_at: '2026-12-10T08:00:00.000Z' };
      const words = await wordsOf(auditInput({ entries: [{ ...created, details }] }));
      for (const label of ['Title', 'Reason', 'Name']) expect(words).toContain(`${label}: ${text}`);
      expect(words).toContain('Expires: 2026-12-10 08:00:00 UTC');
    },
  );

  it.each(LOCALES)('an audit trail in %s is in that language throughout', async (locale) => {
    const { own, evidence, page } = wordsIn(locale);
    const bytes = await makeAuditTrailPdf(
      auditInput({ state: { locale, status: 'signed', seal: SEAL, documentHash: SEALED_SHA256 } }),
    );
    const words = (await readPages(bytes)).map((each) => each.words).join(' ');
    for (const text of [
      page.requestId,
      page.document,
      evidence.events,
      ...Object.values(own.sections).filter((title) => title !== own.sections.webhooks),
      own.statuses.signed,
      evidence.created,
      own.signer.viewed,
      own.details.issuer,
      own.seal.pagesAdded(1),
      `${formatSize(SEAL.size, locale).replace(/\s/g, ' ')} (`,
      own.chain.intact(3),
      evidence.eventTypes.link_opened,
      evidence.actors.client,
      page.pageOf(1, 2),
    ])
      expect(words).toContain(singleSpaced(text));
    expect(Buffer.from(bytes).toString('latin1')).toContain(`/Lang (${locale})`);
  });

  it('deliveries to webhooks stand in an appendix, with readable details, and keep their numbers', async () => {
    const [first, second] = entries(2);
    if (!first || !second) throw new Error('Two entries were asked for.');
    const delivery = {
      ...first,
      type: 'webhook_failed' as const,
      details: { error: 'timed out', http_status: 504, endpoint_id: 'hook-1', event_type: 'signer.signed' },
    };
    const words = await wordsOf(auditInput({ entries: [first, delivery, second] }));
    const { own, evidence } = WORDS;
    const appendix = words.indexOf(own.sections.webhooks);
    const failed = words.indexOf(evidence.eventTypes.webhook_failed);
    expect(words.indexOf(own.event.inAppendix)).toBeGreaterThan(0);
    expect(words.indexOf(own.sections.integrity)).toBeLessThan(appendix);
    expect(failed).toBeGreaterThan(appendix);
    expect(words.slice(failed)).toContain(
      'Kind of event: signer.signed Endpoint: hook-1 HTTP status: 504 Error: timed out',
    );
    expect(await wordsOf(auditInput())).not.toContain(own.sections.webhooks);
  });

  it('a message keeps its line breaks', async () => {
    const pages = await read(
      auditInput({ content: { message: 'First line\nSecond line\r\n\r\nFourth line' } }),
    );
    const lineOf = (text: string) =>
      pages.flatMap(({ texts }) => texts).find((each) => each.text.includes(text))?.baseline ?? 0;
    expect(lineOf('First line') - lineOf('Second line')).toBeGreaterThan(5);
    expect(lineOf('Second line') - lineOf('Fourth line')).toBeGreaterThan(15);
  });

  it.each(['Please read paragraph 4 before you sign. ', '第四条をよくお読みください。', '\ue000 private '])(
    'an audit trail contains a message of 5,000 characters completely: %s',
    async (sentence) => {
      const message = sentence.repeat(400).slice(0, 5_000);
      const pdf = await makeAuditTrailPdf(auditInput({ content: { message } }));
      const pages = await readPages(pdf);
      expect(textsOutside(pages, MARGIN)).toEqual([]);
      expect(pages.flatMap(overlaps)).toEqual([]);
      const printed = pages
        .map(({ words }) => words)
        .join('')
        .replace(/\s/g, '');
      const counted = (text: string) => text.split(sentence.slice(-8, -1).replace(/\s/g, '')).length;
      expect(counted(printed)).toBe(counted(message.replace(/\s/g, '')));
    },
  );

  it('an audit trail contains no access token and no hash of a code', async () => {
    expect(await wordsOf(auditInput({ signers: [auditSigner(0), auditSigner(1)] }))).not.toContain('SECRET');
  });

  it('an audit trail says where a request was made, when it was cancelled and deleted, and that an attached file has no visible name', async () => {
    const words = await wordsOf(
      auditInput({
        state: {
          createdBy: { userId: 'user', email: 'ann@example.com' },
          cancelledAt: '2026-11-12T08:00:00.000Z',
          purgedAt: '2026-11-20T08:00:00.000Z',
        },
        content: { attachments: { count: 1, listed: [{ filename: '\u200b', size: 5 }] } },
      }),
    );
    for (const text of [
      'Created via Dashboard',
      'Cancelled 2026-11-12 08:00:00 UTC',
      'Deleted 2026-11-20 08:00:00 UTC',
      'Attached files without a name, 5 bytes',
    ])
      expect(words).toContain(text);
    const plain = await wordsOf(auditInput());
    expect(plain).toContain('Created via API');
    expect(plain).not.toContain('Attached');
  });

  it('an audit trail lists the files attached to the document, with the document and in its event', async () => {
    const attachments = { count: 2, listed: [{ filename: 'factur-x.xml', size: 12_345 }] };
    const [created] = entries(1);
    if (!created) throw new Error('There is one entry.');
    const words = await wordsOf(
      auditInput({ content: { attachments }, entries: [{ ...created, details: { attachments } }] }),
    );
    expect(words).toContain('Attached files factur-x.xml, 12 kB (12 345 bytes) and 1 more');
    expect(words).toContain('Attached files: 2, factur-x.xml, 12345');
  });

  it('an audit trail names the event where the chain is broken', async () => {
    const input = auditInput({ entries: entries(5) });
    const events = input.events.map((event) =>
      event.sequence === 3 ? { ...event, actor: 'operator' as const } : event,
    );
    expect(await wordsOf({ ...input, events })).toContain('BROKEN at event 3');
    expect(await wordsOf({ ...input, events: input.events.slice(0, 4) })).toContain('BROKEN at event 5');
  });

  it('an audit trail has a label for every event type, even an unknown one', async () => {
    for (const locale of LOCALES)
      expect(new Set(AUDIT_TYPES.map((type) => eventNameIn(type, locale))).size).toBe(AUDIT_TYPES.length);
    const input = auditInput();
    const events = input.events.map((event) => ({
      ...event,
      type: 'kind_from_tomorrow' as typeof event.type,
    }));
    expect(await wordsOf({ ...input, events })).toContain('Kind from tomorrow');
  });

  it('an audit trail contains the signatures of a document without a signature page', async () => {
    const words = await wordsOf(
      auditInput({
        content: { alreadySigned: true },
        signatures: [
          signer('Aino Virtanen', { representing: { name: 'Acme Oy', role: 'CEO', entityId: null } }),
        ],
      }),
    );
    expect(words).toContain('None. The document already carried signatures');
    expect(words).toContain('Link and e-mailed one-time code');
    expect(words).toContain('on behalf of Acme Oy');
    expect(words).not.toContain('evidence file');
    const { own } = wordsIn('en');
    expect(words).toContain(own.signaturesNote);
    expect(await wordsOf(auditInput())).not.toContain(own.signaturesNote);
  });

  it('an audit trail points to the evidence file, which names the signers where no page does', async () => {
    const evidenceHash = 'e'.repeat(64);
    const state = { documentHash: SEALED_SHA256, evidenceHash };
    const words = await wordsOf(auditInput({ content: { alreadySigned: true }, state }));
    expect(words).toContain('eeeeeeee eeeeeeee');
    expect(words).toContain('The evidence file names the signers.');
    expect(words).toContain('The sealed document and its sealed evidence file are the legal evidence.');
  });

  it('an audit trail in test mode has a watermark and a note', async () => {
    const pages = await read(auditInput({ state: { mode: 'test' }, entries: entries(100) }));
    expect(pages.length).toBeGreaterThan(2);
    for (const { texts } of pages) {
      expect(texts.find(({ text }) => text === 'TEST')).toMatchObject({ isUpright: false });
    }
    expect(pages[0]?.words).toContain(WORDS.own.testMark);
  });

  it('the same input produces the same audit trail bytes', async () => {
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
    pages = await read(auditInput({ signers, entries: entries(1_012) }));
  });

  it('a long audit trail stays within the page without overlaps', () => {
    expect(textsOutside(pages, MARGIN)).toEqual([]);
    expect(pages.flatMap(overlaps)).toEqual([]);
  });

  it('a long audit trail contains every signer', () => {
    const words = pages.map((page) => page.words).join(' ');
    for (let position = 0; position < 20; position++) expect(words).toContain(`${position}Maximilian`);
  });

  it('of more than a thousand events the first and the last 500 are printed, and how many are not', () => {
    const words = pages.map((page) => page.words).join(' ');
    const printed = [...words.matchAll(/(\d+) 2026-11-10 [\d:]{8} (?:Request|Signing|Wrong)/g)];
    const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
    expect(printed.map(([, sequence]) => Number(sequence))).toEqual([
      ...numbers(1, 500),
      ...numbers(513, 1_012),
    ]);
    expect(words).toContain('12 entries are left out here.');
    expect(words).toContain('Intact: 1012 events');
  });

  it('a long audit trail has numbered pages', () => {
    pages.forEach(({ words }, index) => {
      expect(words).toContain(`Page ${index + 1} of ${pages.length}`);
    });
  });

  it('a table repeats its headings on every page', () => {
    const firstOfEvents = pages.findIndex(({ texts }) => texts.some(({ text }) => text === 'Events'));
    const lastOfEvents = pages.findLastIndex(({ texts }) => texts.some(({ text }) => text === '1012'));
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

describe('page breaks', () => {
  const lengths = Array.from({ length: 26 }, (_, more) => more + 2);

  it.each(lengths)('a table of %i events keeps title, headings and two rows together', async (count) => {
    const pages = await read(auditInput({ entries: entries(count) }));
    const bodies = pages.map((page) => bodyOf(page).map(({ text }) => text));
    for (const body of bodies)
      for (const title of ['Signers', 'Events', 'Seal', 'Integrity of this trail'].filter((each) =>
        body.includes(each),
      ))
        expect(body.length - body.indexOf(title)).toBeGreaterThan(title === 'Signers' ? 8 : 7);
    for (const body of bodies.filter(([first]) => first === 'Time (UTC)'))
      expect(body.filter((text) => /^2026-11-10 \d\d:/.test(text)).length).toBeGreaterThan(1);
  });
});
