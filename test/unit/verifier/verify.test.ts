import { randomBytes, sign } from 'node:crypto';
import forge from 'node-forge';
import type { FindingCode } from '../../../client/verifier/report.ts';
import { sha256 } from '../../../shared/sealing/certificate.ts';
import { decodeFirst } from '../../../shared/sealing/der.ts';
import { readSignedData } from '../../../shared/sealing/signed-data.ts';
import { makeDemoCa, makeDemoSealIdentity, pem } from '../../support/demo-keys.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { cmsLength, contentsOf, flipped, inBer } from '../../support/tampering.ts';
import { makeTestAuthority } from '../../support/timestamp-authority.ts';
import { craft, manyPages, ONE_PAGE } from '../sealing/craft.ts';
import { demoSealing, now, sealIt, signaturePage } from '../sealing/sealing-kit.ts';
import {
  both,
  bySealKey,
  catalogOf,
  codes,
  ORIGINAL,
  seal,
  signedOtherwise,
  timestamp,
  verify,
  withRevision,
} from './verified.ts';

describe('a sealed file that nobody changed', () => {
  it('is green for those who name its certificate and its timestamp authority', async () => {
    const bytes = await seal();
    const report = await verify(bytes);
    expect(report).toMatchObject({
      verdict: 'green',
      sha256: sha256(bytes).toString('hex'),
      size: bytes.length,
      findings: [{ code: 'covers_all', level: 'green', signature: 0 }],
    });
    const [signature] = report.signatures;
    const { certificate } = demoSealing().identity;
    expect(signature).toMatchObject({
      kind: 'signature',
      coversWholeFile: true,
      certifies: true,
      reason: 'Agreed',
      signer: { fingerprint: sha256(certificate).toString('hex'), expected: true },
      timestamp: {
        time: now.toISOString(),
        authority: { subject: expect.stringContaining('Demo TSA'), expected: true },
      },
    });
    expect(signature?.signer?.subject).toMatch(/CN=/);
  });

  it('is green for those who name fingerprints, with or without colons', async () => {
    const { identity, tsa } = demoSealing();
    const [seals, root] = [identity.certificate, tsa.ca.certificate].map((der) =>
      sha256(der).toString('hex'),
    );
    const withColons = seals?.toUpperCase().match(/../g)?.join(':');
    expect((await verify(await seal(), `${withColons}\n${pem(tsa.ca.certificate)}`)).verdict).toBe('green');
    // A root that is not in the file cannot be reached by its fingerprint alone.
    expect(codes(await verify(await seal(), `SHA-256: ${seals} ${'0'.repeat(64)}`))).toContain(
      'unknown_authority',
    );
    expect(root).toHaveLength(64);
  });

  it('is amber for those who name only the authority that issued its certificate, and others to anyone', async () => {
    const trusted = pem(demoSealing().ca.certificate) + demoSealing().tsa.authority.caPem;
    expect(codes(await verify(await seal(), trusted))).toEqual(['unknown_signer', 'covers_all']);
  });

  it('is amber if its signer has a certificate of the named root of the timestamp authority', async () => {
    const identity = makeDemoSealIdentity(demoSealing().tsa.ca, { now });
    const { bytes } = await sealIt(ORIGINAL, { key: sealKeyOf(identity) });
    expect(codes(await verify(bytes))).toEqual(['unknown_signer', 'covers_all']);
  });

  it('is amber for those who name nothing, and says what is left to check', async () => {
    const report = await verify(await seal(), '');
    expect(report.verdict).toBe('amber');
    expect(codes(report)).toEqual(['unknown_authority', 'unknown_signer', 'covers_all']);
  });

  it('is amber for those who name another certificate', async () => {
    const other = makeDemoSealIdentity(makeDemoCa(now), { now });
    expect(codes(await verify(await seal(), pem(other.certificate)))).toContain('unknown_signer');
  });

  it.each(['rsa', 'ecdsa-p256', 'ecdsa-p384'] as const)(
    'verifies with %s, over tables and streams',
    async (algorithm) => {
      const identity = makeDemoSealIdentity(demoSealing().ca, { now, algorithm });
      for (const style of ['table', 'stream'] as const) {
        const original = craft({ objects: ONE_PAGE, style, ...(style === 'stream' && { packed: [2, 3] }) });
        const { bytes } = await sealIt(original, {
          key: sealKeyOf(identity),
          signaturePage: await signaturePage(),
        });
        const trusted = pem(identity.certificate) + demoSealing().tsa.authority.caPem;
        expect(await verify(bytes, trusted)).toMatchObject({ verdict: 'green' });
      }
    },
  );

  it('stays green when it is sealed again, and both seals are told', async () => {
    const report = await verify(await seal(await seal()));
    expect(report).toMatchObject({
      verdict: 'green',
      signatures: [
        { certifies: true, coversWholeFile: false },
        { certifies: false, coversWholeFile: true },
      ],
    });
    expect(codes(report)).toEqual(['signed_further', 'covers_all']);
  });
});

describe('a signature in BER, as PDFBox writes it', () => {
  it('tells the same as one in DER', async () => {
    const bytes = await seal();
    const report = await verify(inBer(bytes));
    expect({ ...report, sha256: '' }).toEqual({ ...(await verify(bytes)), sha256: '' });
    expect(report.verdict).toBe('green');
  });

  it('is red for a changed byte that it covers, and for one that follows it', async () => {
    const bytes = inBer(await seal());
    const { to } = contentsOf(bytes);
    expect(codes(await verify(flipped(bytes, to)))).not.toContain('covers_all');
    expect(codes(await verify(flipped(bytes, ORIGINAL.indexOf('MediaBox'))))).toContain('altered');
    expect(codes(await verify(Buffer.from(bytes).fill('1', to - 3, to - 1)))).toEqual(['signature_wrong']);
  });
});

describe('a form whose fields the seal locks', () => {
  const withField = (widget: string) =>
    craft({
      objects: {
        ...ONE_PAGE,
        1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [20 0 R]>>>>',
        20: `<</Type /Annot /Subtype /Widget /T (Price) /Rect [0 0 50 20] ${widget}>>`,
        21: '<</Type /XObject /Subtype /Form /BBox [0 0 50 20] /Length 3>>\nstream\n0 g\nendstream',
      },
    });

  it('is green while nothing is added to it', async () => {
    expect((await verify(await seal(withField('/FT /Tx /AP <</N 21 0 R>>')))).verdict).toBe('green');
  });

  it('is amber once it is sealed again, since other programs take that for a change of a field’s look', async () => {
    const report = await verify(await seal(await seal(withField('/FT /Tx /AP <</N 21 0 R>>'))));
    expect(codes(report)).toEqual(['locked_before', 'covers_all']);
    expect(report.verdict).toBe('amber');
  });

  it.each([
    ['without a look of its own', '/FT /Tx'],
    ['with a look for each of its states', '/FT /Btn /AS /Off /AP <</N <</Off 21 0 R>>>>'],
  ])('stays green with a field %s', async (_, widget) => {
    expect((await verify(await seal(await seal(withField(widget))))).verdict).toBe('green');
  });
});

describe('a file that was changed after it was sealed', () => {
  it('is red for any changed byte that the seal covers', async () => {
    const bytes = await seal();
    const { from, to } = contentsOf(bytes);
    const places = Array.from({ length: 60 }, () => randomBytes(4).readUInt32BE() % bytes.length);
    const kind = bytes.indexOf('/SubFilter');
    for (const at of [0, kind + 1, kind + 12, from - 1, to, bytes.length - 1, ...places]) {
      if (at >= from && at < to) continue;
      const { verdict } = await verify(flipped(bytes, at));
      expect({ at, verdict }).toEqual({ at, verdict: 'red' });
    }
  });

  it('is not green for a changed byte of the signature itself, or tells the same as before', async () => {
    const bytes = await seal();
    const genuine = await verify(bytes);
    const { from, to } = contentsOf(bytes);
    for (let i = 0; i < 100; i += 1) {
      const at = from + 1 + (randomBytes(4).readUInt32BE() % (2 * cmsLength(bytes)));
      const copy = Buffer.from(bytes);
      copy.write(copy.toString('latin1', at, at + 1) === 'a' ? 'b' : 'a', at, 'latin1');
      const report = await verify(copy);
      // Nothing signs the versions in a CMS, or the names in a root that came along.
      if (report.verdict === 'green') expect({ ...report, sha256: genuine.sha256 }).toEqual(genuine);
    }
    expect((await verify(Buffer.from(bytes).fill('1', to - 3, to - 1))).verdict).toBe('red');
  });

  it.each<[string, FindingCode, (bytes: Buffer) => Buffer]>([
    ['a line end is appended', 'changed_after', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])],
    ['a comment is appended', 'changed_after', (bytes) => Buffer.concat([bytes, Buffer.from('\n% more\n')])],
    [
      'a comment that looks like an end is appended',
      'changed_after',
      (bytes) => Buffer.concat([bytes, Buffer.from('% more\n%%EOF\n')]),
    ],
    [
      'a stamp is put on a page',
      'changed_after',
      (bytes) =>
        withRevision(bytes, {
          10: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Annots [90 0 R]>>',
          90: '<</Type /Annot /Subtype /Stamp /Rect [0 0 200 200] /F 4>>',
        }),
    ],
    [
      'a page gets other content',
      'changed_after',
      (bytes) => withRevision(bytes, { 10: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 20 30]>>' }),
    ],
    [
      'a signature field that nobody signed covers a page',
      'changed_after',
      (bytes) =>
        withRevision(bytes, {
          1: catalogOf(bytes).replace(/\/Fields \[([^\]]*)/, '/Fields [$1 90 0 R'),
          10: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Annots [90 0 R]>>',
          90: '<</Type /Annot /Subtype /Widget /FT /Sig /T (Next) /F 4 /Rect [0 0 200 300] /AP <</N 91 0 R>>>>',
          91: '<</Type /XObject /Subtype /Form /BBox [0 0 200 300] /Length 20>>\nstream\n1 g 0 0 200 300 re f \nendstream',
        }),
    ],
    ['an unused object is added', 'changed_after', (bytes) => withRevision(bytes, { 90: '(more)' })],
    ['it is cut short', 'not_signed', (bytes) => bytes.subarray(0, -300)],
    [
      'it is cut in the middle of the original',
      'damaged',
      (bytes) => bytes.subarray(0, ORIGINAL.length - 100),
    ],
  ])('is red: %s', async (_, code, change) => {
    const report = await verify(change(await seal()));
    expect(report.verdict).toBe('red');
    expect(codes(report)).toContain(code);
  });

  it('is red when its signature is replaced by that of another file', async () => {
    const [bytes, other] = [await seal(), await seal(craft({ objects: { ...manyPages(2), 4: '(x)' } }))];
    const [to, from] = [contentsOf(bytes), contentsOf(other)];
    other.copy(bytes, to.from, from.from, from.to);
    expect(codes(await verify(bytes))).toContain('altered');
  });

  it('is red when its signature is by another key than that of its certificate', async () => {
    const bytes = await seal();
    const { from, to } = contentsOf(bytes);
    const cms = decodeFirst(Buffer.from(bytes.toString('latin1', from + 1, to - 1), 'hex'));
    const { privateKey } = makeDemoSealIdentity(makeDemoCa(now), { now, algorithm: 'rsa' });
    const { signed, signature } = readSignedData(cms).signer;
    const byOther = sign('sha256', signed, privateKey);
    expect(byOther).toHaveLength(signature.length);
    const at = bytes.indexOf(Buffer.from(signature).toString('hex'), from);
    bytes.write(byOther.toString('hex'), at, 'latin1');
    expect(codes(await verify(bytes))).toContain('signature_wrong');
  });

  it('is red when its signature is replaced by junk', async () => {
    const bytes = await seal();
    const { from } = contentsOf(bytes);
    bytes.write(randomBytes(500).toString('hex'), from + 1, 'latin1');
    expect(codes(await verify(bytes))).toEqual(['signature_wrong']);
  });

  it('is red when a change is hidden below a further signature', async () => {
    const stamped = withRevision(await seal(), {
      10: '<</Type /Page /Parent 2 0 R /MediaBox [0 0 200 300] /Annots [90 0 R]>>',
      90: '<</Type /Annot /Subtype /Stamp /Rect [0 0 200 200] /F 4>>',
    });
    const report = await verify(await seal(stamped));
    expect(report).toMatchObject({ verdict: 'red' });
    expect(report.findings[0]).toMatchObject({ code: 'changed_after', signature: 0 });
  });
});

describe('a signature that proves too little', () => {
  it('is red with the timestamp of other data', async () => {
    const { bytes } = await sealIt(ORIGINAL, {
      timestamp: (_, maxBytes) => timestamp()(sha256(Buffer.from('other')), maxBytes),
    });
    expect(codes(await verify(bytes))).toEqual(['timestamp_wrong', 'covers_all']);
  });

  it('is amber with a timestamp of an authority that was not named', async () => {
    const { bytes } = await sealIt(ORIGINAL, { timestamp: timestamp(makeTestAuthority({ now })) });
    expect(codes(await verify(bytes))).toEqual(['unknown_authority', 'covers_all']);
  });

  it('is red if its certificate had expired by the time of its timestamp', async () => {
    const { ca } = demoSealing();
    const year = 365 * 86_400_000;
    const early = new Date(now.getTime() - 4 * year);
    const identity = makeDemoSealIdentity(ca, { now: early, algorithm: 'rsa' });
    const bytes = await signedOtherwise({ sign: (covered) => bySealKey(covered, { identity }) });
    expect(codes(await verify(bytes, pem(identity.certificate)))).toContain('certificate_not_valid');
  });

  it('stays green after its own certificate expires, and becomes amber when that of the authority does', async () => {
    const bytes = await seal();
    const years = (count: number) => new Date(now.getTime() + count * 366 * 86_400_000);
    expect((await verify(bytes, both(), years(4))).verdict).toBe('green');
    expect(codes(await verify(bytes, both(), years(6)))).toContain('authority_expired');
  });

  it('is amber with a digest that is not one of those that are checked', async () => {
    const bytes = await seal();
    const [sha256Hex, sha224Hex] = ['0609608648016503040201', '0609608648016503040204'];
    const { from, to } = contentsOf(bytes);
    const other = bytes.toString('latin1', from, to).replaceAll(sha256Hex, sha224Hex);
    bytes.write(other, from, 'latin1');
    expect(codes(await verify(bytes))).toEqual(['cannot_check', 'covers_all']);
  });

  it('is amber with SHA-1', async () => {
    const report = await verify(await signedOtherwise({ sign: byForge }));
    expect(codes(report)).toEqual(['cannot_check', 'covers_all']);
  });

  it('is amber if its timestamp is later than now', async () => {
    expect(codes(await verify(await seal(), both(), new Date(now.getTime() - 86_400_000)))).toContain(
      'time_ahead',
    );
  });
});

/** A signature as old programs make it: no timestamp, and its certificate is not named among the signed attributes. */
async function byForge(covered: Buffer): Promise<Buffer> {
  const { identity } = demoSealing();
  const { pki, pkcs7, util } = forge;
  const made = pkcs7.createSignedData();
  made.content = util.createBuffer(covered.toString('binary'));
  made.addCertificate(pem(identity.certificate));
  made.addSigner({
    key: pki.privateKeyFromPem(identity.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    certificate: pem(identity.certificate),
    digestAlgorithm: pki.oids.sha1 ?? '',
    authenticatedAttributes: [
      { type: pki.oids.contentType ?? '', value: pki.oids.data ?? '' },
      { type: pki.oids.messageDigest ?? '' },
    ],
  });
  made.sign({ detached: true });
  return Buffer.from(forge.asn1.toDer(made.toAsn1()).getBytes(), 'binary');
}
