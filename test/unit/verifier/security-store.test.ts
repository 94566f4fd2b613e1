import { inflate } from '../../../client/verifier/inflate.ts';
import { readSecurityStore } from '../../../client/verifier/security-store.ts';
import { derNull, encode, octetString, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { Budget } from '../../../shared/sealing/pdf/budget.ts';
import { PdfFile } from '../../../shared/sealing/pdf/file.ts';
import { extension, issueDemo, makeDemoCa } from '../../support/demo-keys.ts';
import { revocationList } from '../../support/pki/revocation-list.ts';
import { craft, ONE_PAGE } from '../sealing/craft.ts';
import { now } from '../sealing/sealing-kit.ts';

const ca = makeDemoCa(now, 'CA');

const list = (revoked = 0): Buffer =>
  revocationList(
    { certificate: ca.certificate, key: ca.privateKey },
    Array.from({ length: revoked }, (_, index) => ({
      serialHex: (0x1000000 + index).toString(16),
      revokedAt: now,
    })),
    now,
  );

const certificate = (bytes = 1): Uint8Array =>
  issueDemo({
    commonName: 'Leaf',
    now,
    years: 1,
    issuer: ca,
    extensions: [extension('1.2.3.4', false, octetString(Buffer.alloc(bytes)))],
  }).certificate;

/** An OCSP answer of at least so many bytes. */
function answer(bytes = 1): Buffer {
  const time = encode(0x18, Buffer.from('20261121100000Z'));
  const data = sequence(encode(0xa1, sequence()), time, sequence());
  const signature = encode(0x03, Buffer.alloc(bytes + 1));
  const basic = sequence(data, sequence(oid(OIDS.sha256WithRsa), derNull()), signature);
  const response = encode(0xa0, sequence(oid(OIDS.ocspBasic), octetString(basic)));
  return sequence(encode(0x0a, Buffer.of(0)), response);
}

/** Reads a store of these entries, which the list names in this order, or in that of `named`. */
function storeOf(key: 'Certs' | 'OCSPs' | 'CRLs', entries: Uint8Array[], named = entries.map((_, at) => at)) {
  const streams = entries.map((der, index) => [
    100 + index,
    `<</Length ${der.length}>>\nstream\n${Buffer.from(der).toString('latin1')}\nendstream`,
  ]);
  const references = named.map((index) => `${100 + index} 0 R`).join(' ');
  const objects = {
    ...ONE_PAGE,
    1: `<</Type /Catalog /Pages 2 0 R /DSS <</${key} [${references}]>>>>`,
    ...Object.fromEntries(streams),
  };
  const bytes = craft({ objects, size: 300 });
  return { bytes, ...readSecurityStore(new PdfFile(bytes, new Budget(inflate))) };
}

describe('a security store', () => {
  it('holds each entry with the end of its bytes in the file', () => {
    const [der, crl, ocsp] = [certificate(), list(), answer()];
    for (const [key, entry] of [
      ['Certs', der],
      ['CRLs', crl],
      ['OCSPs', ocsp],
    ] as const) {
      const { bytes, certificates, lists, answers } = storeOf(key, [entry]);
      const end = bytes.indexOf(entry) + entry.length;
      expect([...certificates, ...lists, ...answers].map((kept) => kept.end)).toEqual([end]);
    }
  });

  it('is read without certificates and answers that are longer than gathering takes, and lists of more than a megabyte', () => {
    expect(storeOf('Certs', [certificate(127_000), certificate(132_000)]).certificates).toHaveLength(1);
    expect(storeOf('OCSPs', [answer(130_000), answer(132_000)]).answers).toHaveLength(1);
    const [long, tooLong] = [list(6_000), list(60_000)];
    expect([long.length > 132_000, tooLong.length > 1_048_576]).toEqual([true, true]);
    expect(storeOf('CRLs', [long, tooLong]).lists).toHaveLength(1);
  });

  it('is read from its end, for 100 entries, each once however often it is named', () => {
    const entries = Array.from({ length: 101 }, (_, index) => list(index));
    const { bytes, lists } = storeOf('CRLs', entries);
    const ends = entries.map((entry) => bytes.indexOf(entry) + entry.length);
    expect(lists.map(({ end }) => end)).toEqual(ends.slice(1));
    expect(storeOf('CRLs', [list()], [0, 0]).lists).toHaveLength(1);
  });

  it('holds a certificate that is there twice once, where it ends first', () => {
    const der = certificate();
    const { bytes, certificates } = storeOf('Certs', [der, der], [1, 0]);
    expect(certificates.map(({ end }) => end)).toEqual([bytes.indexOf(der) + der.length]);
  });
});
