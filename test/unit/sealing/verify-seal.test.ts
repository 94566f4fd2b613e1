import { createHash } from 'node:crypto';
import { certificatesOfPem } from '../../../shared/sealing/certificate.ts';
import { childrenOf, contextTag, decodeFirst, TAGS } from '../../../shared/sealing/der.ts';
import { encode, octetString, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import type { SealKey } from '../../../shared/sealing/keys/port.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { seal as sealOriginal } from '../../../shared/sealing/seal.ts';
import { type ExpectedSeal, verifySeal } from '../../../shared/sealing/verify-seal.ts';
import { makeDemoSealIdentity } from '../../support/demo-keys.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { flipped, inBer } from '../../support/tampering.ts';
import { makeTestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE, revise, startXrefOf } from './craft.ts';
import { demoSealing, now, sealIt, signaturePage } from './sealing-kit.ts';

const REASON = 'All signers of request 1 have signed';
const ORIGINAL = craft({ objects: ONE_PAGE });

const seal = async (original: Buffer = ORIGINAL, reason = REASON, key: SealKey = demoSealing().key) =>
  sealIt(original, { signaturePage: await signaturePage(), reason, key });

const verify = (bytes: Uint8Array, changes: Partial<ExpectedSeal> = {}) =>
  verifySeal(bytes, {
    original: ORIGINAL,
    certificates: demoSealing().key.certificateChain.slice(0, 1),
    anchors: certificatesOfPem(demoSealing().tsa.authority.caPem),
    reason: REASON,
    ...changes,
  });

/** A file with other hexadecimal digits of its last signature. */
function withContents(file: Buffer, change: (digits: string) => string): Buffer {
  const from = file.lastIndexOf('/Contents <') + '/Contents <'.length;
  const to = file.indexOf('>', from);
  const digits = change(file.toString('latin1', from, to)).slice(0, to - from);
  return Buffer.concat([file.subarray(0, from), Buffer.from(digits), file.subarray(to)]);
}

/** A file whose last signature says something else of what it signs, which no signature is over. */
const withContentInfo = (file: Buffer, ...content: Buffer[]): Buffer =>
  withContents(file, (digits) => {
    const [type, wrapped] = childrenOf(decodeFirst(Buffer.from(digits, 'hex')), TAGS.sequence);
    const [data] = childrenOf(wrapped, contextTag(0));
    const parts = childrenOf(data, TAGS.sequence).map(({ raw }) => raw);
    const changed = sequence(...parts.with(2, sequence(...content)));
    const cms = sequence(type?.raw ?? Buffer.of(), encode(contextTag(0), changed));
    return cms.toString('hex').padEnd(digits.length, '0');
  });

/** A signature to those who read it, though by nobody and over nothing. */
const hollow = (subFilter: string): string =>
  `<</Type /Sig /SubFilter ${subFilter} /ByteRange [0 0] /Contents <${sequence(oid(OIDS.signedData)).toString('hex')}>>>`;

/** A revision that claims to be signed by fields with these signatures. */
const withSignatures = (...signatures: string[]): Buffer => {
  const fields = signatures.map((_, index) => `${10 + index} 0 R`).join(' ');
  return revise(ORIGINAL, {
    objects: {
      1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields}]>>>>`,
      ...Object.fromEntries(
        signatures.flatMap((signature, index) => [
          [10 + index, `<</FT /Sig /T (${index}) /V ${20 + index} 0 R>>`],
          [20 + index, hollow(signature)],
        ]),
      ),
    },
  });
};

const otherKey = () => sealKeyOf(makeDemoSealIdentity(demoSealing().ca, { now }));

describe('a seal of ours', () => {
  it('a seal of ours verifies with all the facts that sealing returned', async () => {
    const { bytes, ...facts } = await seal();
    expect(verify(bytes)).toEqual({ valid: true, ...facts });
  });

  it('verifies by the certificate of the key before or after a change of keys', async () => {
    const [own = Buffer.of()] = demoSealing().key.certificateChain;
    const [other = Buffer.of()] = otherKey().certificateChain;
    const { bytes } = await seal();
    for (const certificates of [
      [own, other],
      [other, own],
    ])
      expect(verify(bytes, { certificates })).toMatchObject({ valid: true });
  });

  it.each<[string, Buffer]>([
    ['with a cross-reference stream', craft({ objects: ONE_PAGE, style: 'stream', packed: [2, 3] })],
    ['without a line end at its end', ORIGINAL.subarray(0, -1)],
    ['with revisions', revise(ORIGINAL, { objects: { 4: '(more)' } })],
    ['with bytes before its header', craft({ objects: ONE_PAGE, junk: 'X-Junk: 1\r\n\r\n' })],
  ])('verifies over an original %s', async (_, original) => {
    const { bytes } = await seal(original);
    expect(verify(bytes, { original })).toMatchObject({ valid: true, pagesAdded: 1 });
  });

  it('verifies over an original whose signature is far behind in an object stream', async () => {
    const original = craft({
      objects: {
        ...ONE_PAGE,
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [4 0 R]>>>>',
        4: '<</FT /Sig /T (A) /V 6 0 R>>',
        5: `(${'x'.repeat(9_000)})`,
        6: hollow('/ETSI.CAdES.detached'),
      },
      style: 'stream',
      packed: [5, 6],
    });
    const { bytes } = await seal(original);
    expect(verify(bytes, { original })).toMatchObject({ valid: true });
  });

  it('verifies over an original that carries a signature', async () => {
    const original = (await seal()).bytes;
    const { bytes } = await seal(original, 'round two');
    expect(verify(bytes, { original, reason: 'round two' })).toMatchObject({ valid: true, pagesAdded: 0 });
  });
});

it('a seal by a key on P-384 is over SHA-384, and the hash of its file stays SHA-256', async () => {
  const key = sealKeyOf(makeDemoSealIdentity(demoSealing().ca, { now, algorithm: 'ecdsa-p384' }));
  const { bytes } = await seal(ORIGINAL, REASON, key);
  expect(verify(bytes, { certificates: key.certificateChain.slice(0, 1) })).toMatchObject({
    valid: true,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    technical: { algorithm: 'ECDSA P-384 with SHA-384' },
  });
});

describe('an original that is hashed once', () => {
  it('a hashed original has its hash at hand, and serves several seals', async () => {
    const original = new HashedOriginal(ORIGINAL);
    expect(original.sha256).toBe(createHash('sha256').update(ORIGINAL).digest('hex'));
    const { key, tsa } = demoSealing();
    const timestamp = timestamperOf(tsa, () => now);
    for (let round = 0; round < 2; round += 1) {
      const { bytes } = await sealOriginal({ original, key, timestamp, now, reason: REASON });
      expect(verify(bytes)).toMatchObject({ valid: true });
    }
  });
});

describe('a file that is not our seal of this original', () => {
  it.each<[string, string, () => Promise<Buffer>]>([
    ['another file', 'prefix', async () => (await seal(craft({ objects: { ...ONE_PAGE, 4: '(x)' } }))).bytes],
    ['the original itself', 'follow', async () => ORIGINAL],
    ['a seal that is cut short', 'directly', async () => (await seal()).bytes.subarray(0, -40)],
    [
      'a seal with bytes after it',
      'whole file',
      async () => Buffer.concat([(await seal()).bytes, Buffer.from('\n')]),
    ],
    [
      'a seal by another key',
      'another certificate',
      async () => (await seal(ORIGINAL, REASON, otherKey())).bytes,
    ],
    ['the seal of another request', 'another reason', async () => (await seal(ORIGINAL, 'request 2')).bytes],
    [
      'a seal over a later revision',
      'directly',
      async () => (await seal(revise(ORIGINAL, { objects: { 3: '<</Type /Page /Parent 2 0 R>>' } }))).bytes,
    ],
    [
      'a seal after bytes that the cross-reference does not name',
      'directly',
      async () => {
        const hidden = `7 0 obj\n(hidden)\nendobj\nstartxref\n${startXrefOf(ORIGINAL)}\n%%EOF\n`;
        return (await seal(Buffer.concat([ORIGINAL, Buffer.from(hidden)]))).bytes;
      },
    ],
    [
      'a seal with a changed byte in its page',
      'digest',
      async () => {
        const { bytes } = await seal();
        bytes.write('/Type /Sag', bytes.lastIndexOf('/Type /Sig'));
        return bytes;
      },
    ],
    [
      'a seal with changed padding',
      'padding',
      async () => {
        const { bytes } = await seal();
        bytes.write('1', bytes.lastIndexOf('0>\n>>\nendobj'));
        return bytes;
      },
    ],
    [
      'a seal in capital letters',
      'lower case',
      async () => withContents((await seal()).bytes, (digits) => digits.toUpperCase()),
    ],
    [
      'a seal with a changed byte in the signature of a root that came along',
      'not by the issuer',
      async () => {
        const root = Buffer.from(demoSealing().ca.certificate);
        const changed = flipped(root, root.length - 1);
        return withContents((await seal()).bytes, (digits) =>
          digits.replace(root.toString('hex'), changed.toString('hex')),
        );
      },
    ],
    ['a seal in BER', 'not in DER', async () => inBer((await seal()).bytes)],
    [
      'a seal with a document inside',
      'not detached',
      async () =>
        withContentInfo((await seal()).bytes, oid(OIDS.data), encode(contextTag(0), octetString(ORIGINAL))),
    ],
    [
      'a seal of something else than data',
      'not detached',
      async () => withContentInfo((await seal()).bytes, oid(OIDS.tstInfo)),
    ],
    [
      'a seal that names another digest',
      'neither SHA-256 nor SHA-384',
      async () => {
        const [sha256 = '', sha512 = ''] = [OIDS.sha256, OIDS.sha512].map((id) =>
          sequence(oid(id)).toString('hex'),
        );
        return withContents((await seal()).bytes, (digits) => digits.replaceAll(sha256, sha512));
      },
    ],
    ['a revision without a seal', 'not one new signature', async () => withSignatures()],
    [
      'a revision with two seals',
      'not one new signature',
      async () => withSignatures('/ETSI.CAdES.detached', '/ETSI.CAdES.detached'),
    ],
    [
      'a signature of another kind',
      'not one new signature',
      async () => withSignatures('/adbe.pkcs7.detached'),
    ],
    ['no PDF', 'prefix', async () => Buffer.from('hello')],
  ])('a file that is not our seal is recognized: %s', async (_, fault, make) => {
    expect(verify(await make())).toEqual({ valid: false, fault: expect.stringContaining(fault) });
  });

  it('an original with a security store and nothing else is not a seal of ours', () => {
    const original = craft({ objects: { ...ONE_PAGE, 1: '<</Type /Catalog /Pages 2 0 R /DSS <<>>>>' } });
    expect(verify(original, { original })).toMatchObject({ valid: false });
  });

  it('a program error is thrown, not reported as a foreign seal', async () => {
    const { bytes } = await seal();
    const [first = Buffer.of()] = demoSealing().key.certificateChain;
    const certificates = [first];
    certificates.some = () => {
      throw new TypeError('a defect');
    };
    expect(() => verify(bytes, { certificates })).toThrow(new TypeError('a defect'));
  });

  it('a seal with a timestamp of an untrusted authority is not ours', async () => {
    const stranger = certificatesOfPem(makeTestAuthority({ now }).authority.caPem);
    expect(verify((await seal()).bytes, { anchors: stranger })).toMatchObject({ valid: false });
  });

  it('a foreign file is recognized although the original has an entry that points past its own end', async () => {
    const end = String(ORIGINAL.length + 25 + 1).padStart(10, '0');
    const dangling = Buffer.from(
      ORIGINAL.toString('latin1')
        .replace('\ntrailer', `\n9 1\n${end} 00000 n\r\ntrailer`)
        .replace('/Size 4', '/Size 10'),
      'latin1',
    );
    const planted = Buffer.from(`\n9 0 obj\n(planted)\nendobj\nstartxref\n${startXrefOf(dangling)}\n%%EOF\n`);
    expect(dangling.length + 1).toBe(Number(end));
    const genuine = await seal(dangling);
    expect(verify(genuine.bytes, { original: dangling })).toMatchObject({ valid: true });
    const { bytes } = await seal(Buffer.concat([dangling, planted]));
    expect(verify(bytes, { original: dangling })).toMatchObject({ valid: false });
  });
});
