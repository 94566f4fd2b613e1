import { deflateSync } from 'node:zlib';
import { PDFDocument } from 'pdf-lib';
import { readExpected } from '../../client/verifier/certificates.ts';
import { compareRevisions } from '../../client/verifier/changes.ts';
import { verifyEvidence } from '../../client/verifier/evidence.ts';
import { inflate } from '../../client/verifier/inflate.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import { canonicalJson } from '../../shared/runtime/canonical-json.ts';
import { sha256Hex } from '../../shared/runtime/hash.ts';
import { derNull, encode, octetString, oid, sequence } from '../../shared/sealing/der-encode.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { cpuTimeOf, cpuTimeOfAsync } from '../support/cpu-time.ts';
import { Pki } from '../support/pki/pki.ts';
import { sealAt } from '../support/pki/seal-at.ts';
import { craft, linkedPages, ONE_PAGE, revise } from '../unit/sealing/craft.ts';
import { now, sealIt, signaturePage } from '../unit/sealing/sealing-kit.ts';

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now);
});
afterAll(() => pki.close());

const ORIGINAL = craft({ objects: ONE_PAGE });

/** A seal with its timestamp alone, by the certificates of the PKI. */
const sealAtBT = async () => (await sealAt(pki, 'B-T', ORIGINAL)).bytes;

async function verify(bytes: Uint8Array) {
  return verifyPdf(bytes, { expected: await readExpected(''), now });
}

it.each([
  ['long contents', '', '00'.repeat(4_000_000), 300],
  ['a long reason', `/Reason (${'\x80'.repeat(4_000_000)})`, '30', 64],
])('a signature with %s that many fields share is read in little time', async (_, entry, contents, count) => {
  const fields = Array.from({ length: count }, (_, index) => index + 10);
  const hostile = (range: string): Buffer =>
    craft({
      objects: {
        ...ONE_PAGE,
        1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields.map((num) => `${num} 0 R`).join(' ')}]>>>>`,
        5: `<</Type /Sig ${entry} /ByteRange [${range.padEnd(40)}] /Contents <${contents}>>>`,
        ...Object.fromEntries(fields.map((num) => [num, `<</FT /Sig /T (${num}) /V 5 0 R>>`])),
      },
    });
  const draft = hostile('');
  const from = draft.indexOf(`<${contents}>`);
  const to = from + contents.length + 2;
  const bytes = hostile(`0 ${from} ${to} ${draft.length - to}`);
  const spent = await cpuTimeOfAsync(async () => expect((await verify(bytes)).verdict).not.toBe('green'));
  expect(spent).toBeLessThan(3_000);
});

it('of each document that is taken, the proofs added to its seal can be judged', async () => {
  const objects = linkedPages(2_000);
  const original = craft({ objects, style: 'stream', packed: Object.keys(objects).map(Number) });
  const { findings } = await verify((await sealAt(pki, 'B-LT', original)).bytes);
  expect(findings.map(({ code }) => code)).toContain('signed_further');
});

it('a catalog of 100,000 keys is compared in little time', () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `/${index.toString(36)}_ 0`).join(' ');
  const wide = { ...ONE_PAGE, 1: `<</Type /Catalog /Pages 2 0 R ${keys}>>` };
  const before = craft({ objects: wide, size: 20 });
  const after = revise(before, { objects: { 1: wide[1] }, size: 20 });
  const budget = new Budget(inflate);
  const spent = cpuTimeOf(() =>
    expect(compareRevisions(new PdfFile(before, budget), new PdfFile(after, budget)).others).toBe(false),
  );
  expect(spent).toBeLessThan(5_000);
});

describe('a security store that costs more to search than to send', () => {
  const MAX_CPU_MS = 5_000;

  /** An OCSP answer of about so many bytes, about certificates that are none. */
  function longAnswer(bytes: number): Buffer {
    const none = octetString(Buffer.alloc(0));
    const one = sequence(sequence(sequence(oid(OIDS.sha1)), none, none, Buffer.from('020100', 'hex')));
    const responses = sequence(...Array.from({ length: Math.floor(bytes / one.length) }, () => one));
    const time = encode(0x18, Buffer.from('20261121100000Z'));
    const data = sequence(encode(0xa1, sequence()), time, responses);
    const basic = sequence(data, sequence(oid(OIDS.sha256WithRsa), derNull()), encode(0x03, Buffer.of(0, 1)));
    return sequence(
      encode(0x0a, Buffer.of(0)),
      encode(0xa0, sequence(oid(OIDS.ocspBasic), octetString(basic))),
    );
  }

  const packed = (der: Uint8Array) => {
    const data = deflateSync(der).toString('latin1');
    return `<</Filter /FlateDecode /Length ${data.length}>>\nstream\n${data}\nendstream`;
  };

  const references = (nums: readonly number[]) => `[${nums.map((num) => `${num} 0 R`).join(' ')}]`;
  const numbers = (from: number) => Array.from({ length: 100 }, (_, index) => from + index);

  /** Adds a store that names these certificates and answers. */
  function withStreams(bytes: Buffer, certificates: Uint8Array[], answers: Uint8Array[]): Buffer {
    const text = bytes.toString('latin1');
    const catalog = text.split('\n1 0 obj\n').at(-1)?.split('\nendobj')[0]?.trimEnd() ?? '';
    const streams = [...certificates, ...answers].map((der, index) => [100 + index, packed(der)]);
    const some = (all: Uint8Array[], from: number) =>
      references(numbers(0).map((index) => from + (index % all.length)));
    const dss = `/DSS <</Certs ${some(certificates, 100)} /OCSPs ${some(answers, 100 + certificates.length)}>>`;
    return revise(bytes, {
      objects: { 1: `${catalog.slice(0, -2)} ${dss}>>`, ...Object.fromEntries(streams) },
      trailer: `/Root 1 0 R`,
      size: 400,
    });
  }

  it.each<[string, () => [Uint8Array[], Uint8Array[]]]>([
    [
      'one long answer and one certificate, each named 100 times',
      () => [[pki.seals.certificate], [longAnswer(1_000_000)]],
    ],
    [
      '100 answers of the greatest length',
      () => [[pki.seals.certificate], numbers(0).map((index) => longAnswer(127_000 + index))],
    ],
  ])('takes at most seconds: %s', async (_, entries) => {
    const hostile = withStreams(await sealAtBT(), ...entries());
    const spent = await cpuTimeOfAsync(async () =>
      expect((await verify(hostile)).signatures).toMatchObject([{ lasting: { level: 'B-T' } }]),
    );
    expect(spent).toBeLessThan(MAX_CPU_MS);
  });
});

describe('evidence that costs more to read than to send', () => {
  const MAX_CPU_MS = 5_000;

  /** A record of signatures that are all alike, in a whole chain. */
  function recordOf(originalSha256: string, sealedSha256: string, signatures: number) {
    let previousHash = sha256Hex('audit:r');
    const events = Array.from({ length: signatures }, (_, index) => {
      const event = {
        sequence: index + 1,
        type: 'signer_signed',
        at: '2026-11-10T08:09:00.000Z',
        signerId: 's',
        details: { document_sha256: originalSha256 },
        commitments: {},
        previousHash,
      };
      previousHash = sha256Hex(canonicalJson(event));
      return { ...event, salts: {}, hash: previousHash };
    });
    const anchor = { sequence: signatures, hash: previousHash };
    return { version: 1, requestId: 'r', originalSha256, sealedSha256, anchor, events };
  }

  /** Attached as `evidence.json`. */
  async function evidenceOf(record: object) {
    const document = await PDFDocument.create();
    document.addPage();
    await document.attach(Buffer.from(JSON.stringify(record)), 'evidence.json');
    return document.save();
  }

  /** A file that lists one attachment with a long name so often. */
  const listing = (times: number, nameBytes: number) =>
    craft({
      objects: {
        ...ONE_PAGE,
        1: '<</Type /Catalog /Pages 2 0 R /Names <</EmbeddedFiles 5 0 R>>>>',
        5: `<</Names [${'(a) 6 0 R '.repeat(times)}]>>`,
        6: `<</Type /Filespec /UF (${'a'.repeat(nameBytes)})>>`,
      },
    });

  /** A page that draws one stream so often. */
  const drawing = (times: number, bytes: number) =>
    craft({
      objects: {
        ...ONE_PAGE,
        3: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Contents [${'4 0 R '.repeat(times)}]>>`,
        4: `<</Length ${bytes}>>\nstream\n${' '.repeat(bytes)}\nendstream`,
      },
    });

  type Evidence = (originalSha256: string, sealedSha256: string) => Uint8Array | Promise<Uint8Array>;

  it.each<[string, Buffer, Evidence, string]>([
    [
      'it names 40,000 signers',
      ORIGINAL,
      (original, sealed) => evidenceOf(recordOf(original, sealed, 40_000)),
      'evidence_missing',
    ],
    ['it has 20,000 attachments', ORIGINAL, () => listing(20_000, 200_000), 'evidence_missing'],
    [
      'its document draws 5 MB 150 times',
      drawing(150, 5_000_000),
      (original, sealed) => evidenceOf(recordOf(original, sealed, 1)),
      'evidence_anchor_differs',
    ],
  ])('takes at most seconds if %s', async (_, original, evidence, code) => {
    const reason = 'All signers of request r have signed';
    const { bytes, sha256 } = await sealIt(original, { signaturePage: await signaturePage(), reason });
    const attached = await evidence(sha256Hex(original), sha256);
    const file = (await sealIt(attached, { reason: 'Evidence of request r' })).bytes;
    const options = { expected: await readExpected(''), now };
    const document = { bytes, report: await verifyPdf(bytes, options) };
    const spent = await cpuTimeOfAsync(async () => {
      const { findings } = await verifyEvidence(file, document, options);
      expect(findings.map((each) => each.code)).toContain(code);
    });
    expect(spent).toBeLessThan(MAX_CPU_MS);
  });
});
