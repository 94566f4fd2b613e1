import { randomBytes, type SigningOptions, sign } from 'node:crypto';
import fc from 'fast-check';
import forge from 'node-forge';
import { readExpected } from '../../../client/verifier/certificates.ts';
import type { FindingCode, Report } from '../../../client/verifier/report.ts';
import { verifyPdf } from '../../../client/verifier/verify.ts';
import {
  buildIncrement,
  buildTimestampIncrement,
  CONTENTS_BYTES,
  signRevision,
  writeUnsigned,
} from '../../../shared/sealing/append.ts';
import { type Certificate, readCertificate, sha256 } from '../../../shared/sealing/certificate.ts';
import { signedAttributes, signedData } from '../../../shared/sealing/cms.ts';
import { children, childrenOf, contextTag, decode, decodeFirst, TAGS } from '../../../shared/sealing/der.ts';
import { encode, integer, octetString, oid, sequence, setOf } from '../../../shared/sealing/der-encode.ts';
import type { DigestBy } from '../../../shared/sealing/keys/algorithm.ts';
import { addDocumentTimestamp } from '../../../shared/sealing/long-term/document-timestamp.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { planSeal } from '../../../shared/sealing/plan.ts';
import { readSignedData } from '../../../shared/sealing/signed-data.ts';
import type { Timestamper } from '../../../shared/sealing/timestamp.ts';
import { tokenOfResponse } from '../../../shared/sealing/timestamp-token.ts';
import { extensions, issueDemo, makeDemoCa, makeDemoSealIdentity, pem } from '../../support/demo-keys.ts';
import { PSS, pss } from '../../support/pss.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import {
  CMS,
  cmsLength,
  contentsOf,
  flipped,
  inBer,
  partOf,
  withoutLengths,
  withPart,
} from '../../support/tampering.ts';
import { IS_THOROUGH } from '../../support/thorough.ts';
import { makeTestAuthority, timestamperOf } from '../../support/timestamp-authority.ts';
import { craft, linearized, manyPages, ONE_PAGE, revise } from '../sealing/craft.ts';
import { demoSealing, now, sealIt, signaturePage } from '../sealing/sealing-kit.ts';

const ORIGINAL = craft({ objects: manyPages(2) });
const sealed = async (original: Buffer) =>
  Buffer.from((await sealIt(original, { signaturePage: await signaturePage(), reason: 'Agreed' })).bytes);
const ofOriginal = sealed(ORIGINAL);
/** A copy, since forgers write into it. */
const seal = async (original?: Buffer) => (original ? sealed(original) : Buffer.from(await ofOriginal));

const timestamp = (tsa = demoSealing().tsa) => timestamperOf(tsa, () => now);

/** Trust anchors of the person: the seal's own certificate and the authority's root. */
const both = () => pem(demoSealing().identity.certificate) + demoSealing().tsa.authority.caPem;

const verify = async (bytes: Uint8Array, trusted = both(), at = now): Promise<Report> =>
  verifyPdf(bytes, { expected: await readExpected(trusted), now: at });

const NONE = Buffer.alloc(0);
const OWN_CONTENT = sequence(oid(OIDS.data), encode(contextTag(0), octetString(NONE)));

const codes = ({ findings }: Report): FindingCode[] => findings.map(({ code }) => code);

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
    const identity = makeDemoSealIdentity(ca, { now: early });
    const { bytes } = await sealIt(ORIGINAL, { key: sealKeyOf(identity), now: early });
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

describe('the findings of a file', () => {
  const page = (box: string) => ({ 10: `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${box}]>>` });
  const certifying = (permission: number) =>
    signedOtherwise({ change: (text) => text.replace('/P 2>>', `/P ${permission}>>`) });
  const permissions = (permission: number) =>
    `[<</TransformMethod /DocMDP /TransformParams <</P ${permission}>>>>]`;
  /** With its permissions in an object of their own. */
  const certifiedBy = (permission: number) =>
    signedOtherwise({
      original: craft({ objects: { ...manyPages(2), 50: permissions(permission) } }),
      change: (text) =>
        text.replace(/\/Reference \[.*\]\n/, (found) => '/Reference 50 0 R\n'.padEnd(found.length)),
    });
  const kind = (name: string) => (text: string) =>
    text.replace('/ETSI.CAdES.detached', `/${name}`.padEnd('/ETSI.CAdES.detached'.length));
  /** The signature leaves out the last bytes of its revision. */
  const withoutEnd = (count: number) => (text: string) =>
    text.replace(
      /(\/ByteRange \[0 +\d+ +\d+ +)(\d+)/,
      (_, before, length) => before + String(Number(length) - count).padEnd(length.length),
    );

  const signedWith = (parts: Parts) => signedOtherwise({ sign: (covered) => bySealKey(covered, parts) });

  it.each<[string, FindingCode[], () => Promise<Buffer>]>([
    [
      'was changed between an approval and a further signature',
      ['changed_between', 'covers_all'],
      async () => seal(withRevision(await signedOtherwise({ approves: true }), page('9 9'))),
    ],
    [
      'was changed after an approval',
      ['changed_after'],
      async () => withRevision(await signedOtherwise({ approves: true }), page('9 9')),
    ],
    [
      'was changed between a certification that allows more and a further signature',
      ['changed_between', 'covers_all'],
      async () => seal(withRevision(await certifying(3), page('9 9'))),
    ],
    ...(
      [
        ['that allowed more than it says now', 3, 2, 'changed_between'],
        ['that allowed less than it says now', 2, 3, 'changed_after'],
      ] as const
    ).map(([what, before, after, code]): [string, FindingCode[], () => Promise<Buffer>] => [
      `was changed after a certification ${what}`,
      [code, 'covers_all'],
      async () => seal(withRevision(await certifiedBy(before), { 50: permissions(after) })),
    ]),
    [
      'got a field for a signature after a certification that forbids one',
      ['changed_after'],
      async () => withField(await certifying(1), ''),
    ],
    [
      'got data for validation after a certification that forbids all else',
      ['signed_further'],
      async () => {
        const bytes = await certifying(1);
        return withRevision(bytes, { 1: catalogOf(bytes).replace(/>>$/, '/DSS <<>>>>') });
      },
    ],
    [
      'got a document timestamp after a certification that forbids all else',
      ['signed_further', 'covers_all'],
      async () => {
        const bytes = await certifying(1);
        // The service itself adds none to such a file.
        const plan = planSeal(Buffer.from(bytes.toString('latin1').replace('/P 1>>', '/P 2>>'), 'latin1'));
        const sign = async (digestBy: DigestBy) => {
          const stamp = await timestamp()(digestBy('sha256'), CONTENTS_BYTES);
          return { contents: stamp.token, stamp };
        };
        return (await signRevision(new HashedOriginal(bytes), buildTimestampIncrement(plan), sign)).file
          .bytes;
      },
    ],
    [
      'got another title',
      ['metadata_changed'],
      async () => withRevision(await seal(), { 90: '<</Title (b)>>' }, '/Info 90 0 R'),
    ],
    [
      'has a signature that covers no readable revision',
      ['changed_after'],
      () => signedOtherwise({ change: withoutEnd(9) }),
    ],
    [
      'has a signature that covers a revision in which it is not',
      ['signature_wrong', 'changed_after'],
      () => signedOtherwise({ change: withoutEnd(50) }),
    ],
    [
      'names a signature only in a later revision than the one that it covers',
      ['signature_wrong', 'signed_further'],
      async () => {
        const hide = (text: string) =>
          text.replace(/\/Fields \[(\d+ 0 R)\]/, (found) => `/Fields [${' '.repeat(found.length - 10)}]`);
        const bytes = await signedOtherwise({ approves: true, change: hide });
        return withField(
          bytes,
          `/V ${/\n(\d+) 0 obj\n<<\n\/Type \/Sig/.exec(bytes.toString('latin1'))?.[1]} 0 R`,
        );
      },
    ],
    [
      'has no timestamp',
      ['no_timestamp', 'covers_all'],
      async () => withPart(await seal(), CMS.unsignedAttributes, NONE),
    ],
    [
      'has a signature with a content of its own',
      ['signature_wrong', 'covers_all'],
      async () => withPart(await seal(), CMS.content, OWN_CONTENT),
    ],
    [
      'has a signature of another kind with a content of its own, which is what it signs',
      ['cannot_check', 'covers_all'],
      async () => {
        const sign = () => bySealKey(NONE);
        const bytes = await signedOtherwise({ change: kind('adbe.pkcs7.sha1'), sign });
        return withPart(bytes, CMS.content, OWN_CONTENT);
      },
    ],
    [
      'has a signature of another kind',
      ['cannot_check', 'covers_all'],
      () => signedOtherwise({ change: kind('adbe.x509.rsa_sha1'), sign: async () => octetString(NONE) }),
    ],
    [
      'has a signature as it was before PAdES',
      ['covers_all'],
      () => signedOtherwise({ change: kind('adbe.pkcs7.detached') }),
    ],
    [
      'has a signature like ours that says to be of another kind',
      ['cannot_check', 'covers_all'],
      () => signedOtherwise({ change: kind('adbe.x509.rsa_sha1') }),
    ],
    [
      'is signed with a certificate that is not for signatures',
      ['certificate_unsuitable', 'unknown_signer', 'covers_all'],
      async () => {
        const uses = [extensions.keyUsage('digitalSignature')];
        const identity = issueDemo({
          commonName: 'Server',
          now,
          years: 3,
          issuer: demoSealing().ca,
          extensions: uses,
        });
        return (await sealIt(ORIGINAL, { key: sealKeyOf(identity) })).bytes;
      },
    ],
    [
      'has a signature that names another certificate than its signer’s',
      ['signature_wrong', 'covers_all'],
      () => signedWith({ named: readCertificate(demoSealing().ca.certificate) }),
    ],
    ['comes without the certificate of its issuer', ['covers_all'], () => signedWith({ issuers: [] })],
    [
      'has a certificate with it that belongs to no other',
      ['cannot_check', 'covers_all'],
      () => signedWith({ issuers: [demoSealing().ca.certificate, makeDemoCa(now, 'Other').certificate] }),
    ],
    [
      'has a certificate with it that only has the name of an issuer',
      ['cannot_check', 'covers_all'],
      () => signedWith({ issuers: [makeDemoCa(now).certificate] }),
    ],
    [
      'has a certificate with it that cannot be read',
      ['cannot_check', 'covers_all'],
      async () => {
        const bytes = await seal();
        const { content } = partOf(bytes, CMS.certificates);
        return withPart(bytes, CMS.certificates, encode(contextTag(0), content, sequence()));
      },
    ],
    [
      'has a timestamp whose values have no length',
      ['covers_all'],
      async () => {
        const bytes = await seal();
        const [attribute] = children(partOf(bytes, CMS.unsignedAttributes));
        const [type, set] = attribute ? children(attribute).map(({ raw }) => raw) : [];
        const [token] = set ? children(decode(set)) : [];
        if (!type || !token) throw new Error('The seal has no timestamp.');
        const attributes = sequence(type, setOf(withoutLengths(token.raw)));
        return withPart(bytes, CMS.unsignedAttributes, encode(contextTag(1), attributes));
      },
    ],
    [
      'has a timestamp that EU DSS takes for none',
      ['cannot_check', 'covers_all'],
      async () => {
        const { tsa } = demoSealing();
        const [zeroMilliseconds, oneMillisecond] = ['020101800100', '020101800101'];
        const stamped = (imprint: Uint8Array, accuracy: string): Uint8Array => {
          const asked = sequence(sequence(oid(OIDS.sha256)), octetString(imprint));
          const request = sequence(integer(1), asked, integer(7), encode(TAGS.boolean, Uint8Array.of(0xff)));
          const content = (tstInfo: Uint8Array) => {
            const fields = childrenOf(decode(tstInfo), TAGS.sequence).map(({ raw }) => raw);
            fields[5] = sequence(Buffer.from(accuracy, 'hex'));
            return sequence(...fields);
          };
          return tokenOfResponse(tsa.answer(request, { content }));
        };
        const sealedWith = async (accuracy: string) => {
          const timestampOf: Timestamper = async (imprint) => ({
            ...(await timestamp()(imprint)),
            token: stamped(imprint, accuracy),
          });
          return (await sealIt(ORIGINAL, { timestamp: timestampOf })).bytes;
        };
        expect(codes(await verify(await sealedWith(oneMillisecond)))).toEqual(['covers_all']);
        return sealedWith(zeroMilliseconds);
      },
    ],
    [
      'has a timestamp that is none',
      ['timestamp_wrong', 'covers_all'],
      async () => signedWith({ token: await bySealKey(NONE) }),
    ],
    [
      'has a signature with another digest than its content',
      ['cannot_check', 'covers_all'],
      async () => {
        const both = setOf(sequence(oid(OIDS.sha256)), sequence(oid(OIDS.sha512)));
        return withPart(
          withPart(await seal(), CMS.digests, both),
          CMS.signerDigest,
          sequence(oid(OIDS.sha512)),
        );
      },
    ],
    [
      'has a signature with another digest than it lists',
      ['cannot_check', 'covers_all'],
      async () => withPart(await seal(), CMS.digests, setOf(sequence(oid(OIDS.sha512)))),
    ],
    [
      'has a signature by an algorithm that its key is not for',
      ['cannot_check', 'covers_all'],
      async () => withPart(await seal(), CMS.signatureAlgorithm, sequence(oid(OIDS.ecdsaWithSha256))),
    ],
    [
      'has a signature by an algorithm with unknown parameters',
      ['signature_wrong', 'covers_all'],
      async () =>
        withPart(await seal(), CMS.signatureAlgorithm, sequence(oid(OIDS.sha256WithRsa), octetString(NONE))),
    ],
    [
      'is signed by RSASSA-PSS',
      ['covers_all'],
      async () => withPart(await signedWith({ padding: PSS }), CMS.signatureAlgorithm, pss(OIDS.sha256)),
    ],
    [
      'has no signature but a timestamp',
      ['not_signed'],
      async () => (await addDocumentTimestamp(new HashedOriginal(ORIGINAL), timestamp())).file.bytes,
    ],
    [
      'has 64 signatures',
      Array.from({ length: 64 }, () => 'signature_wrong'),
      async () => withSignatures(64),
    ],
    ['has 65 signatures', ['too_complex'], async () => withSignatures(65)],
  ])('tell of one that %s', async (_, expected, make) => {
    expect(codes(await verify(await make()))).toEqual(expected);
  });
});

it('no level is told of a signature after which the document was changed, whoever signed again', async () => {
  const changed = withRevision(await signedOtherwise({ approves: true }), { 90: '(more)' });
  const { signatures } = await verify(await seal(changed));
  expect(signatures).toMatchObject([{ lasting: null }, { lasting: { level: 'B-T' } }]);
});

it('no more of a reason is told than a page can show at once', async () => {
  const { bytes } = await sealIt(ORIGINAL, { reason: 'x'.repeat(301) });
  expect((await verify(bytes)).signatures).toMatchObject([{ reason: 'x'.repeat(300) }]);
});

describe('a file that is no sealed PDF', () => {
  it.each<[string, FindingCode, Uint8Array]>([
    ['nothing', 'not_a_pdf', new Uint8Array()],
    ['text', 'not_a_pdf', Buffer.from('hello')],
    ['noise', 'not_a_pdf', randomBytes(100_000)],
    ['a header and noise', 'damaged', Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(10_000)])],
    ['a PDF without signatures', 'not_signed', ORIGINAL],
    ['a linearized PDF', 'not_signed', linearized()],
    ['a PDF whose linearization dictionary lies', 'damaged', linearized({ N: 1 })],
    ['an encrypted PDF', 'encrypted', craft({ objects: ONE_PAGE, trailer: '/Encrypt 9 0 R' })],
    ['65 MB', 'too_large', new Uint8Array(65 * 1024 * 1024)],
  ])('is never green: %s', async (_, code, bytes) => {
    const report = await verify(bytes);
    expect(codes(report)).toEqual([code]);
    expect(report).toMatchObject({ verdict: expect.not.stringMatching('green'), signatures: [] });
  });
});

describe('a hostile file', () => {
  it('is never green and never an error, however a sealed file is damaged', async () => {
    const bytes = await seal();
    const { from } = contentsOf(bytes);
    const damage = fc.array(fc.record({ at: fc.nat(bytes.length - 1), value: fc.nat(255) }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(bytes.length), async (changes, length) => {
        const copy = Buffer.from(bytes.subarray(0, length % 7 === 0 ? length : bytes.length));
        for (const { at, value } of changes) copy[at] = value;
        const { verdict } = await verify(copy);
        const isSame = changes.every(({ at, value }) => bytes[at] === value || at > from);
        expect(verdict === 'green' && !isSame).toBe(false);
      }),
      { numRuns: IS_THOROUGH ? 3_000 : 100 },
    );
  }, 300_000);

  it.each<[string, () => Uint8Array]>([
    [
      '300 revisions',
      () =>
        Array.from({ length: 300 }).reduce<Buffer>((pdf) => revise(pdf, { objects: { 4: '(x)' } }), ORIGINAL),
    ],
    [
      '8 MB of white space in an object that every page shares',
      () =>
        craft({
          objects: { ...manyPages(500), 10: `<<${' '.repeat(8_000_000)}/Type /Page /Parent 2 0 R>>` },
        }),
    ],
    [
      'fields that refer to each other',
      () =>
        craft({
          objects: {
            ...ONE_PAGE,
            1: '<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [5 0 R]>>>>',
            5: '<</FT /Sig /Kids [5 0 R 6 0 R]>>',
            6: '<</Kids [5 0 R]>>',
          },
        }),
    ],
  ])('takes at most seconds: %s', async (_, make) => {
    const started = performance.now();
    expect((await verify(make())).verdict).not.toBe('green');
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

interface Signing {
  /** A second signature approves: it certifies nothing. */
  approves?: boolean;
  original?: Buffer;
  /** Changes what is signed, and keeps its length. */
  change?: (unsigned: string) => string;
  sign?: (covered: Buffer) => Promise<Buffer>;
}

/** A signature that the service would not make: by other means, or of other bytes. */
async function signedOtherwise({
  approves = false,
  original = ORIGINAL,
  change = (text) => text,
  sign = bySealKey,
}: Signing): Promise<Buffer> {
  const plan = { ...planSeal(original), signed: approves };
  const unsigned = writeUnsigned(original, buildIncrement(plan, { time: now, name: 'other' }));
  const bytes = Buffer.from(change(unsigned.toString('latin1')), 'latin1');
  const [, from = 0, to = 0, length = 0] =
    /\/ByteRange \[0 +(\d+) +(\d+) +(\d+)/.exec(bytes.toString('latin1'))?.map(Number) ?? [];
  const cms = await sign(Buffer.concat([bytes.subarray(0, from), bytes.subarray(to, to + length)]));
  bytes.write(cms.toString('hex'), from + 1, 'latin1');
  return bytes;
}

interface Parts {
  /** The certificate that the signed attributes name, if not the signer's own. */
  named?: Certificate;
  issuers?: Uint8Array[];
  token?: Uint8Array;
  padding?: SigningOptions;
}

/** The signature of a seal, unless some parts are others. */
async function bySealKey(covered: Buffer, { named, issuers, token, padding }: Parts = {}): Promise<Buffer> {
  const { identity } = demoSealing();
  const own = readCertificate(identity.certificate);
  const attributes = signedAttributes(sha256(covered), named ?? own);
  const signature = sign('sha256', attributes, { key: identity.privateKey, ...padding });
  return signedData({
    attributes,
    signature,
    algorithm: 'rsa',
    chain: [own, ...(issuers ?? identity.issuers).map(readCertificate)],
    timestampToken: token ?? (await timestamp()(sha256(signature), CONTENTS_BYTES)).token,
  });
}

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

/** The text of the newest catalog. */
const catalogOf = (sealed: Buffer): string =>
  sealed.toString('latin1').split('\n1 0 obj\n').at(-1)?.split('\nendobj')[0] ?? '';

/** Adds objects in an incremental update, as a forger would. */
const withRevision = (sealed: Buffer, objects: Record<string, string>, trailer = ''): Buffer =>
  revise(sealed, {
    objects,
    trailer: `${trailer} /Root ${/\/Root (\d+ 0 R)/.exec(sealed.toString('latin1'))?.[1]}`,
    size: 200,
  });

/** Adds a signature field that shows nothing. */
const withField = (bytes: Buffer, value: string): Buffer =>
  withRevision(bytes, {
    1: catalogOf(bytes).replace(/\/Fields \[([^\]]*)/, '/Fields [$1 90 0 R'),
    90: `<</FT /Sig /T (Next) ${value}>>`,
  });

/** With so many signature fields, whose values are no signatures. */
function withSignatures(count: number): Buffer {
  const fields = Array.from({ length: count }, (_, index) => index + 10);
  return craft({
    objects: {
      ...ONE_PAGE,
      1: `<</Type /Catalog /Pages 2 0 R /AcroForm <</Fields [${fields.map((num) => `${num} 0 R`).join(' ')}]>>>>`,
      9: '<</Type /Sig>>',
      ...Object.fromEntries(fields.map((num) => [num, '<</FT /Sig /V 9 0 R>>'])),
    },
  });
}
