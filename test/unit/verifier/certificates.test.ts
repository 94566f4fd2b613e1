import { certificateReport, readCertificates, readExpected } from '../../../client/verifier/certificates.ts';
import { issueDemo, pem } from '../../support/demo-keys.ts';

const now = new Date('2026-11-24T10:00:00Z');
const issued = (commonName: string) => issueDemo({ commonName, now, years: 3, extensions: [] }).certificate;

describe('what a person pasted', () => {
  const hex = 'ab'.repeat(32);

  it.each([
    ['a fingerprint among words', `SHA-256: ${hex.toUpperCase()}.`, 1],
    ['a fingerprint twice', `${hex} ${hex}`, 1],
    ['a fingerprint in the groups that the verify page shows', 'abab '.repeat(16), 1],
    ['two of these, each on a line', Array(2).fill('abab '.repeat(16).trim()).join('\n'), 1],
    ['a fingerprint with colons, after a word of hexadecimal digits', `Of DE ${'ab:'.repeat(31)}AB`, 1],
    ['a fingerprint in pairs, as Adobe Reader shows it', `SHA-256 ${'AB '.repeat(32)}`, 1],
    ['too few pairs', 'ab '.repeat(31), 0],
    ['a fingerprint after the name of its algorithm', `sha256:${hex}`, 1],
    ['groups after the name of their algorithm', `SHA256 ${'abab '.repeat(16)}`, 1],
    ['too few groups', 'abab '.repeat(15), 0],
    ['the digits of a longer number', `${hex}0`, 0],
    ['two fingerprints without a space', hex + hex, 0],
    ['what a certificate spells', `-----BEGIN CERTIFICATE-----${hex}-----END CERTIFICATE-----`, 0],
    ['a certificate that cannot be read', '-----BEGIN CERTIFICATE-----?-----END CERTIFICATE-----', 0],
    [
      'more fingerprints than anybody expects',
      Array.from({ length: 33 }, (_, n) => hex.slice(2) + (n + 16).toString(16)).join('\n'),
      32,
    ],
  ])('holds the fingerprints that it names: %s', async (_, text, count) => {
    const { fingerprints } = await readExpected(text);
    expect(fingerprints.size).toBe(count);
    if (count === 1) expect([...fingerprints]).toEqual([hex]);
  });

  it('names no more certificates than anybody expects', async () => {
    const text = Array.from({ length: 33 }, () => pem(issued('Demo'))).join('');
    expect((await readExpected(text)).certificates).toHaveLength(32);
  });
});

describe('the names of a certificate', () => {
  const NAME = 'Nameless';
  const plain = Buffer.from(issued(NAME));

  /** Its own issuer, whose name stands before that of its subject. */
  function named(tag: number, text: Buffer, at = plain.lastIndexOf(NAME)): Uint8Array {
    const der = Buffer.from(plain);
    der[at - 2] = tag;
    der.set(text, at);
    return der;
  }

  it.each<[string, number, Buffer, string]>([
    ['UTF-8', 0x0c, Buffer.from('Nämless'), 'Nämless'],
    ['Latin-1', 0x14, Buffer.from('Nämeless', 'latin1'), 'Nämeless'],
    ['UTF-16', 0x1e, Buffer.from('\0N\0a\0m\0e', 'latin1'), 'Name'],
    [
      'UTF-8 with a control and a direction, which could make it look like another',
      0x0c,
      Buffer.from('Nam\x07\u202ee'),
      'Name',
    ],
  ])('are read: %s', async (_, tag, text, name) => {
    expect(text).toHaveLength(NAME.length);
    const [certificate] = readCertificates([named(tag, text)]);
    expect(certificate && (await certificateReport(certificate, false)).subject).toBe(
      `O=Signature Requests Demo, CN=${name}`,
    );
  });

  it('are cut to what a page can show at once', async () => {
    const [certificate] = readCertificates([issued('x'.repeat(400))]);
    expect(certificate && (await certificateReport(certificate, false)).subject).toHaveLength(300);
  });

  it.each([
    ['an issuer', plain.indexOf(NAME)],
    ['a subject', plain.lastIndexOf(NAME)],
  ])('make it unreadable if they are no text, over which other programs fail: %s', (_, at) => {
    expect(readCertificates([plain])).toHaveLength(1);
    expect(readCertificates([named(0x04, Buffer.from(NAME), at)])).toEqual([]);
    expect(readCertificates([named(0x0c, Buffer.alloc(NAME.length, 0xff), at)])).toEqual([]);
  });
});
