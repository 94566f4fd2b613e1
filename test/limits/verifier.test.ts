import { deflateSync } from 'node:zlib';
import { readExpected } from '../../client/verifier/certificates.ts';
import { compareRevisions } from '../../client/verifier/changes.ts';
import { inflate } from '../../client/verifier/inflate.ts';
import { verifyPdf } from '../../client/verifier/verify.ts';
import { derNull, encode, octetString, oid, sequence } from '../../shared/sealing/der-encode.ts';
import { OIDS } from '../../shared/sealing/oids.ts';
import { Budget } from '../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../shared/sealing/pdf/file.ts';
import { cpuTimeOf, cpuTimeOfAsync } from '../support/cpu-time.ts';
import { Pki } from '../support/pki/pki.ts';
import { craft, ONE_PAGE, revise } from '../unit/sealing/craft.ts';
import { sealAt } from '../unit/sealing/long-term-kit.ts';
import { now } from '../unit/sealing/sealing-kit.ts';

let pki: Pki;
beforeAll(async () => {
  pki = await Pki.open(now);
});
afterAll(() => pki.close());

const ORIGINAL = craft({ objects: ONE_PAGE });

/** A seal with its timestamp alone, by the certificates of the PKI. */
const sealAtBT = async () => (await sealAt(pki, 'B-LT', ORIGINAL, { longTerm: undefined })).bytes;

async function verify(bytes: Uint8Array) {
  return verifyPdf(bytes, { expected: await readExpected(''), now });
}

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
