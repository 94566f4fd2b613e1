import { PDFDocument } from 'pdf-lib';
import { readExpected } from '../../../client/verifier/certificates.ts';
import { verifyEvidence } from '../../../client/verifier/evidence.ts';
import { isPrinted } from '../../../client/verifier/printed.ts';
import { isChainWhole, readRecord, signersOf } from '../../../client/verifier/record.ts';
import { finding, type Report } from '../../../client/verifier/report.ts';
import { verifyPdf } from '../../../client/verifier/verify.ts';
import { canonicalJson } from '../../../shared/runtime/canonical-json.ts';
import { sha256Hex } from '../../../shared/runtime/hash.ts';
import { without } from '../../../shared/runtime/value-paths.ts';
import { addDocumentTimestamp } from '../../../shared/sealing/long-term/document-timestamp.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { makeSignaturePage } from '../../../shared/stamping/signature-page.ts';
import { CONSENT_VERSIONS, LOCALES } from '../../../shared/texts/languages.ts';
import { makeDemoSealIdentity, pem } from '../../support/demo-keys.ts';
import { evidenceInput } from '../../support/evidence-input.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { pageInput, REQUEST_ID, signer } from '../../support/signature-input.ts';
import { flipped } from '../../support/tampering.ts';
import { timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE, revise } from '../sealing/craft.ts';
import { demoSealing, now, sealIt } from '../sealing/sealing-kit.ts';

/** As the seals of earlier files state it. */
const evidenceReason = (requestId: string) => `Evidence of request ${requestId}`;
const { identity, tsa, ca } = demoSealing();
const other = makeDemoSealIdentity(ca, { now });

async function options() {
  const trusted = pem(identity.certificate) + pem(other.certificate) + tsa.authority.caPem;
  return { expected: await readExpected(trusted), now };
}

async function evidence(
  record: string | null,
  key = demoSealing().key,
  reason = evidenceReason(REQUEST_ID),
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  if (record !== null) await document.attach(Buffer.from(record), 'evidence.json');
  return (await sealIt(await document.save(), { key, reason })).bytes;
}

const ORIGINAL = craft({ objects: ONE_PAGE });

/** The record of a request until the signer signed this original. */
const recordFor = (original: Uint8Array, id = REQUEST_ID) =>
  evidenceInput(1, { state: { id }, content: { documentSha256: sha256Hex(original) } }).record;

const record = recordFor(ORIGINAL);
type Record = typeof record;

interface Sealed {
  bytes: Buffer;
  report: Report;
}

const reported = async (bytes: Buffer): Promise<Sealed> => ({
  bytes,
  report: await verifyPdf(bytes, await options()),
});

/** Seals an original as the document of a request. */
async function sealedFor(id: string, original: Uint8Array, signaturePage?: Uint8Array): Promise<Sealed> {
  const reason = `All signers of request ${id} have signed`;
  return reported((await sealIt(original, { reason, ...(signaturePage && { signaturePage }) })).bytes);
}

const withPage = async (anchor = record.anchor, original: Uint8Array = ORIGINAL) =>
  sealedFor(REQUEST_ID, original, await makeSignaturePage(pageInput({ anchor })));

const recordOf = ({ report }: Sealed, changes: Partial<Record> = {}, of = record) =>
  JSON.stringify({ ...of, sealedSha256: report.sha256, ...changes });

const verified = async (json: string | null, document: Sealed, key = demoSealing().key) =>
  verifyEvidence(await evidence(json, key), document, await options());

/** The document that prints the anchor of the record. */
let document: Sealed;
beforeAll(async () => {
  document = await withPage();
});

it('evidence of the document, by the same signer, is green and says who signed', async () => {
  expect(await verified(recordOf(document), document)).toMatchObject({
    verdict: 'green',
    findings: [{ code: 'covers_all' }, { code: 'evidence_fits' }],
    signers: [
      {
        signedAt: '2026-11-10T08:09:00.000Z',
        codeConfirmedAt: '2026-11-10T08:06:00.000Z',
        ipAddress: '203.0.113.7',
      },
    ],
  });
});

async function stamped({ bytes }: Sealed): Promise<Sealed> {
  const timestamp = timestamperOf(tsa, () => now);
  const { file } = await addDocumentTimestamp(new HashedOriginal(bytes), timestamp);
  return reported(file.bytes);
}

it('evidence of a document with timestamps that an archive added later is green', async () => {
  const atFirst = await stamped(document);
  const renewed = await stamped(await stamped(atFirst));
  for (const sealed of [document, atFirst])
    expect(await verified(recordOf(sealed), renewed)).toMatchObject({
      verdict: 'green',
      findings: [{ code: 'covers_all' }, { code: 'evidence_fits' }],
    });
  expect(await verified(recordOf(renewed), atFirst)).toMatchObject({
    findings: [{ code: 'evidence_of_other' }, { code: 'covers_all' }],
  });
});

it('evidence does not count for its document once that was changed and signed again', async () => {
  const changed = revise(Buffer.from(document.bytes), {
    objects: { 3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 400 600]>>' },
  });
  const again = await reported((await sealIt(changed)).bytes);
  expect(await verified(recordOf(document), again)).toMatchObject({
    findings: [{ code: 'evidence_of_other' }, { code: 'covers_all' }],
  });
});

it('evidence of a document whose original was changed often since its first signature is green', async () => {
  let original = (await sealIt(craft({ objects: ONE_PAGE }), { key: sealKeyOf(other) })).bytes;
  for (let i = 0; i < 20; i += 1) original = revise(original, { objects: { 90: `(${i})` } });
  const sealed = await sealedFor(REQUEST_ID, original);
  expect(await verified(recordOf(sealed, {}, recordFor(original)), await stamped(sealed))).toMatchObject({
    findings: [{ code: 'covers_all' }, { code: 'evidence_fits' }],
  });
});

it.each([
  ['is no PDF', Buffer.from('no PDF')],
  ['cannot be read', Buffer.from('%PDF-1.7\n%%EOF\n')],
])('evidence of a document that %s is red', async (_, bytes) => {
  expect(await verified(recordOf(document), await reported(bytes))).toMatchObject({
    findings: [{ code: 'evidence_of_other' }, { code: 'covers_all' }],
  });
});

it('evidence of a document to which something else was added is red', async () => {
  const bytes = revise(Buffer.from(document.bytes), {
    objects: { 3: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 400 600]>>' },
  });
  const changed = await reported(bytes);
  expect(changed.report.findings).toMatchObject([{ code: 'changed_after' }]);
  expect(await verified(recordOf(document), changed)).toMatchObject({
    findings: [{ code: 'evidence_of_other' }, { code: 'covers_all' }],
  });
});

it('evidence by another signer is amber', async () => {
  const key = sealKeyOf(other);
  expect(await verified(recordOf(document), document, key)).toMatchObject({
    verdict: 'amber',
    findings: [{ code: 'evidence_by_other' }, { code: 'covers_all' }],
  });
});

it.each<[string, () => string | null, string]>([
  ['about another document', () => recordOf(document, { sealedSha256: '0'.repeat(64) }), 'evidence_of_other'],
  ['without a record', () => null, 'evidence_missing'],
  ['with a record that is no JSON', () => '{"sealedSha256": ', 'evidence_missing'],
  ['with a record of another form', () => '[]', 'evidence_missing'],
  [
    'with a time that no page can show',
    () => recordOf(document, { events: withEvent('signer_signed', { at: 'yesterday' }) }),
    'evidence_missing',
  ],
  [
    'with words behind a time',
    () =>
      recordOf(document, { events: withEvent('signer_signed', { at: '2026-11-10 (checked by a bank)' }) }),
    'evidence_missing',
  ],
  [
    'that names more signers than a request can have',
    () =>
      recordOf(document, {
        events: Array.from({ length: 21 }, () => signed).flatMap((event) => event ?? []),
      }),
    'evidence_missing',
  ],
])('evidence %s is red', async (_, json, code) => {
  expect(await verified(json(), document)).toMatchObject({
    verdict: 'red',
    findings: [{ code }, { code: 'covers_all' }],
  });
});

const [created, ...later] = record.events;
const signed = record.events.find(({ type }) => type === 'signer_signed');

/** Changes one event and leaves the others as they are. */
const withEvent = (type: string, change: object) =>
  record.events.map((event) => (event.type === type ? { ...event, ...change } : event));

/** Cuts off the last event, and makes the one before the anchor. */
function cut({ events }: Record): Pick<Record, 'events' | 'anchor'> {
  const kept = events.slice(0, -1);
  const last = kept.at(-1);
  return { events: kept, anchor: { sequence: last?.sequence ?? 0, hash: last?.hash ?? '' } };
}

/** Changes events, and computes the chain again to a new anchor. */
function chained(change: (event: Record['events'][number]) => object): Partial<Record> {
  let previousHash = sha256Hex(`audit:${record.requestId}`);
  const events = record.events.map((event) => {
    const { hash: _, salts, ...content } = { ...event, ...change(event), previousHash };
    const open = without(content, new Set(Object.keys(content.commitments)));
    previousHash = sha256Hex(canonicalJson({ ...open, commitments: content.commitments }));
    return { ...content, salts, hash: previousHash };
  });
  return { events, anchor: { sequence: events.length, hash: previousHash } };
}

it.each<[string, Partial<Record>]>([
  ['an event cut out', { events: record.events.filter(({ sequence }) => sequence !== 3) }],
  ['its last event cut off', { events: record.events.slice(0, -1) }],
  ['its events exchanged', { events: [...later, ...(created ? [created] : [])] }],
  ['another time in an event', { events: withEvent('signer_signed', { at: '2026-11-11T08:09:00.000Z' }) }],
  ['another address', { events: withEvent('signer_signed', { ipAddress: '203.0.113.8' }) }],
  ['an address erased without its salt', { events: withEvent('signer_signed', { ipAddress: null }) }],
  [
    'the salt of a value that is not there',
    { events: withEvent('signer_signed', { salts: { ...signed?.salts, title: 'x' } }) },
  ],
  ['an address without its salt', { events: withEvent('signer_signed', { salts: {} }) }],
  ['another anchor', { anchor: { ...record.anchor, hash: '0'.repeat(64) } }],
  ['an anchor at another event', { anchor: { ...record.anchor, sequence: record.anchor.sequence + 1 } }],
  ['events that are counted from two', chained(({ sequence }) => ({ sequence: sequence + 1 }))],
  ...['request_created', 'signer_signed'].map((type): [string, Partial<Record>] => [
    `an event of another document: ${type}`,
    chained((event) => (event.type === type ? { details: { document_sha256: '0'.repeat(64) } } : {})),
  ]),
  ['another id of the request', { requestId: 'other' }],
  ['another original', { originalSha256: '0'.repeat(64) }],
])('a record with %s is no whole chain', async (_, changes) => {
  const isWhole = async (parts: object) => {
    const found = readRecord(JSON.stringify({ ...record, ...parts }));
    return found && isChainWhole(found);
  };
  expect(await isWhole({})).toBe(true);
  expect(await isWhole(changes)).toBe(false);
});

it.each<[string, (parts: Record) => object]>([
  ['of another version', () => ({ version: 2 })],
  ['without the id of its request', () => ({ requestId: undefined })],
  ['without the hash of the original', () => ({ originalSha256: 1 })],
  ['without the hash of the document', () => ({ sealedSha256: null })],
  ['without an anchor', () => ({ anchor: undefined })],
  ['whose anchor has no hash', ({ anchor }) => ({ anchor: { ...anchor, hash: undefined } })],
  ['without events', () => ({ events: {} })],
  ['with an event that is none', ({ events }) => ({ events: [...events, null] })],
  ...['type', 'at', 'previousHash', 'hash', 'details', 'salts', 'commitments'].map(
    (member): [string, (parts: Record) => object] => [
      `with an event without ${member}`,
      ({ events }) => ({ events: events.map((event) => ({ ...event, [member]: undefined })) }),
    ],
  ),
  ...['salts', 'commitments'].map((member): [string, (parts: Record) => object] => [
    `with an event whose ${member} are no texts`,
    ({ events }) => ({ events: events.map((event) => ({ ...event, [member]: { details: 1 } })) }),
  ]),
  [
    'with a day that no calendar has',
    () => ({ events: withEvent('signer_signed', { at: '2026-13-10T08:09:00.000Z' }) }),
  ],
])('a record %s is none', (_, change) => {
  expect(readRecord(JSON.stringify(record))).not.toBeNull();
  expect(readRecord(JSON.stringify({ ...record, ...change(record) }))).toBeNull();
});

it('the code of a signer is the last that they entered themselves before they signed', () => {
  const code = record.events.find(({ type }) => type === 'code_verified');
  const entered = [
    ['2026-11-10T08:01:00.000Z', code?.signerId],
    ['2026-11-10T08:02:00.000Z', code?.signerId],
    ['2026-11-10T08:03:00.000Z', 'another'],
  ].map(([at, signerId]) => ({ ...code, at, signerId }));
  const late = { ...code, at: '2026-11-10T08:10:00.000Z' };
  const json = JSON.stringify({ ...record, events: [...entered, signed, late] });
  const found = readRecord(json);
  expect(found && signersOf(found)).toMatchObject([{ codeConfirmedAt: '2026-11-10T08:02:00.000Z' }]);
});

it('a request with 20 signers has a record, and its page prints the anchor on whichever sheet', async () => {
  const { record: ofMany } = evidenceInput(20);
  expect(readRecord(JSON.stringify(ofMany))?.events).toHaveLength(ofMany.events.length);
  const signers = Array.from({ length: 20 }, (_, n) => signer(`Signer ${n}`));
  const page = await makeSignaturePage(pageInput({ signers, anchor: ofMany.anchor }));
  expect((await PDFDocument.load(page)).getPageCount()).toBeGreaterThan(1);
  expect(isPrinted(page, ofMany.anchor.hash)).toBe(true);
  expect(isPrinted(page, '0'.repeat(64))).toBe(false);
});

it('a page on which the texts of each of 20 signers fill a sheet prints the anchor, before all of them', async () => {
  const longest = 'W'.repeat(200);
  const representing = { name: longest, role: longest, entityId: 'W'.repeat(100) };
  const signers = Array.from({ length: 20 }, (_, n) => {
    const locale = LOCALES[n % LOCALES.length] ?? 'en';
    return signer(longest, { representing, consent: { version: CONSENT_VERSIONS[locale], locale } });
  });
  const page = await makeSignaturePage(pageInput({ title: longest, sender: longest, signers }));
  expect((await PDFDocument.load(page)).getPageCount()).toBeGreaterThan(20);
  expect(isPrinted(page, pageInput().anchor?.hash ?? '')).toBe(true);
});

it('evidence that nobody sealed is only called unsigned', async () => {
  const unsealed = await verifyEvidence(craft({ objects: ONE_PAGE }), document, await options());
  expect(unsealed.findings).toMatchObject([{ code: 'not_signed' }]);
});

it('evidence of a document that is too large to be read is compared with it by its hash alone', async () => {
  const findings = [finding('too_large')];
  const unread = { ...document, report: { ...document.report, signatures: [], findings } };
  const codes = ({ findings: all }: Report) => all.map(({ code }) => code);
  // Nobody knows who sealed the document.
  expect(codes(await verified(recordOf(document), unread))).toEqual(['covers_all']);
  const other = recordOf(document, { sealedSha256: '0'.repeat(64) });
  expect(codes(await verified(other, unread))).toEqual(['evidence_of_other', 'covers_all']);
});

it('evidence that was altered is by nobody who is known', async () => {
  const sealed = Buffer.from(await evidence(recordOf(document)));
  const altered = flipped(sealed, sealed.indexOf('/M (D:') + '/M (D:'.length);
  const { findings } = await verifyEvidence(altered, document, await options());
  expect(findings).toMatchObject([
    { code: 'altered' },
    { code: 'evidence_by_other' },
    { code: 'covers_all' },
  ]);
});

it('no text of the record is longer than a page can show at once', async () => {
  const name = `e${'\u0301'.repeat(100_000)}`;
  const details = { ...signed?.details, name, representing: name };
  const events = withEvent('signer_signed', { details, ipAddress: name });
  const { signers } = await verified(recordOf(document, { events }), document);
  const short = name.slice(0, 300);
  expect(signers).toMatchObject([{ name: short, representing: short, ipAddress: short }]);
});

it('a commitment to anything but a text breaks the chain, which is red though the seal is intact', async () => {
  const [created] = record.events;
  const details = { document_sha256: record.originalSha256, note: { text: 'x' } };
  const path = 'details.note';
  const commitments = { [path]: sha256Hex(canonicalJson([path, 'salt', details.note])) };
  const { salts: _, hash: __, ...content } = { ...created, details, commitments };
  const open = { ...content, details: { document_sha256: record.originalSha256 } };
  const hash = sha256Hex(canonicalJson(open));
  const events = [{ ...content, salts: { [path]: 'salt' }, hash }];
  const json = JSON.stringify({
    ...record,
    sealedSha256: document.report.sha256,
    events,
    anchor: { sequence: 1, hash },
  });
  expect(await verified(json, document)).toMatchObject({
    verdict: 'red',
    findings: [{ code: 'evidence_chain_broken' }, { code: 'covers_all' }],
  });
});

it('a value that was erased together with its salt leaves the chain whole', async () => {
  const events = withEvent('signer_signed', {
    ipAddress: null,
    salts: Object.fromEntries(Object.entries(signed?.salts ?? {}).filter(([path]) => path !== 'ipAddress')),
  });
  expect((await verified(recordOf(document, { events }), document)).verdict).toBe('green');
});

it('a whole chain that was cut and sealed again is red, since the document prints another anchor', async () => {
  expect(await verified(recordOf(document, cut(record)), document)).toMatchObject({
    verdict: 'red',
    findings: [{ code: 'evidence_anchor_differs' }, { code: 'covers_all' }],
  });
});

it('a whole chain that was cut is red too once the document was signed again after its seal', async () => {
  const again = await reported((await sealIt(document.bytes)).bytes);
  expect(await verified(recordOf(again, cut(record)), again)).toMatchObject({
    verdict: 'red',
    findings: [{ code: 'evidence_anchor_differs' }, { code: 'covers_all' }],
  });
});

it('evidence of a document that somebody else signed after its seal is green', async () => {
  const countersigned = await reported((await sealIt(document.bytes, { key: sealKeyOf(other) })).bytes);
  expect(countersigned.report.verdict).toBe('green');
  expect(await verified(recordOf(document), countersigned)).toMatchObject({
    verdict: 'green',
    findings: [{ code: 'covers_all' }, { code: 'evidence_fits' }],
  });
});

it.each([
  ['with a line end at its end', ORIGINAL],
  ['without', ORIGINAL.subarray(0, -1)],
  ['with a cross-reference stream', craft({ objects: ONE_PAGE, style: 'stream', packed: [2, 3] })],
  ['with bytes before its header', craft({ objects: ONE_PAGE, junk: 'X-Junk: 1\r\n\r\n' })],
])('the document must begin with the original that the events name: %s', async (_, original) => {
  const own = recordFor(original);
  const sealed = await withPage(own.anchor, original);
  expect((await verified(recordOf(sealed, {}, own), sealed)).verdict).toBe('green');
  const signed = recordFor(craft({ objects: { ...ONE_PAGE, 9: '(another)' } }));
  const exchanged = await withPage(signed.anchor, original);
  expect(await verified(recordOf(exchanged, {}, signed), exchanged)).toMatchObject({
    verdict: 'red',
    findings: [{ code: 'evidence_of_other' }, { code: 'covers_all' }],
  });
});

it('evidence of another request than the seal of the document names is red', async () => {
  const sealed = await sealedFor(
    'another',
    ORIGINAL,
    await makeSignaturePage(pageInput({ anchor: record.anchor })),
  );
  expect(await verified(recordOf(sealed), sealed)).toMatchObject({
    verdict: 'red',
    findings: [{ code: 'evidence_of_other' }, { code: 'covers_all' }],
  });
});

it('a document that was signed before prints no anchor, so its evidence is judged without', async () => {
  const before = await sealIt(craft({ objects: ONE_PAGE }), {
    key: sealKeyOf(other),
  });
  const sealed = await sealedFor(REQUEST_ID, before.bytes);
  expect((await verified(recordOf(sealed, {}, recordFor(before.bytes)), sealed)).verdict).toBe('green');
});

it('a document that this service had signed before prints no anchor of its second seal, so its evidence is judged without', async () => {
  const twice = await sealedFor('second', document.bytes);
  const second = recordFor(document.bytes, 'second');
  const file = await evidence(
    recordOf(twice, cut(second), second),
    demoSealing().key,
    evidenceReason('second'),
  );
  expect(await verifyEvidence(file, twice, await options())).toMatchObject({
    findings: [{ code: 'covers_all' }, { code: 'evidence_fits' }],
  });
  // That of the first request is still told by its own seal.
  expect((await verified(recordOf(document), twice)).findings).toMatchObject([
    { code: 'covers_all' },
    { code: 'evidence_fits' },
  ]);
});

it.each([
  ['document', `All signers of request ${REQUEST_ID} have signed`],
  ['evidence of another request', evidenceReason('another')],
])(
  'a record that somebody attached to their own file and had sealed as %s is no evidence',
  async (_, reason) => {
    const file = await evidence(recordOf(document), demoSealing().key, reason);
    expect(await verifyEvidence(file, document, await options())).toMatchObject({
      verdict: 'red',
      findings: [{ code: 'evidence_missing' }, { code: 'covers_all' }],
      signers: [],
    });
  },
);

it('evidence that was changed is red', async () => {
  const file = Buffer.from(await evidence(recordOf(document)));
  file[200] = (file[200] ?? 0) ^ 1;
  expect(await verifyEvidence(file, document, await options())).toMatchObject({ verdict: 'red' });
});
