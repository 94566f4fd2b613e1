import type { FindingCode } from '../../../client/verifier/report.ts';
import { buildTimestampIncrement, CONTENTS_BYTES, signRevision } from '../../../shared/sealing/append.ts';
import { readCertificate } from '../../../shared/sealing/certificate.ts';
import { children, childrenOf, contextTag, decode, TAGS } from '../../../shared/sealing/der.ts';
import { encode, integer, octetString, oid, sequence, setOf } from '../../../shared/sealing/der-encode.ts';
import type { DigestBy } from '../../../shared/sealing/keys/algorithm.ts';
import { addDocumentTimestamp } from '../../../shared/sealing/long-term/document-timestamp.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { HashedOriginal } from '../../../shared/sealing/original.ts';
import { planSeal } from '../../../shared/sealing/plan.ts';
import type { Timestamper } from '../../../shared/sealing/timestamp.ts';
import { tokenOfResponse } from '../../../shared/sealing/timestamp-token.ts';
import { extensions, issueDemo, makeDemoCa } from '../../support/demo-keys.ts';
import { PSS, pss } from '../../support/pss.ts';
import { sealKeyOf } from '../../support/seal-key-of.ts';
import { CMS, partOf, withoutLengths, withPart } from '../../support/tampering.ts';
import { craft, manyPages, ONE_PAGE } from '../sealing/craft.ts';
import { demoSealing, now, sealIt } from '../sealing/sealing-kit.ts';
import {
  bySealKey,
  catalogOf,
  codes,
  ORIGINAL,
  type Parts,
  seal,
  signedOtherwise,
  timestamp,
  verify,
  withField,
  withRevision,
} from './verified.ts';

const NONE = Buffer.alloc(0);
const OWN_CONTENT = sequence(oid(OIDS.data), encode(contextTag(0), octetString(NONE)));

describe('the findings of a file', () => {
  const stamped = async (bytes: Buffer) =>
    (await addDocumentTimestamp(new HashedOriginal(bytes), timestamp())).file.bytes;
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
      'was changed after an approval, with a timestamp over the change, which is nobody’s consent',
      ['changed_after', 'covers_all'],
      async () => stamped(withRevision(await signedOtherwise({ approves: true }), page('9 9'))),
    ],
    [
      'was changed between an approval and a further signature, both with timestamps over them',
      ['changed_between', 'changed_between', 'signed_further', 'covers_all'],
      async () => {
        const approved = await stamped(await signedOtherwise({ approves: true }));
        return stamped(await seal(withRevision(approved, page('9 9'))));
      },
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
      ['signature_wrong', 'changed_after'],
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
    ['has no signature but a timestamp', ['not_signed'], () => stamped(ORIGINAL)],
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

it('nobody knows whether the certificate of a signature without a timestamp was valid when it was made', async () => {
  const bytes = withPart(await seal(), CMS.unsignedAttributes, NONE);
  const ended = new Date(now.getTime() + 4 * 366 * 86_400_000);
  expect(codes(await verify(bytes, undefined, ended))).toEqual(['no_timestamp', 'covers_all']);
});

it.each(['x', '\u{1f642}'])(
  'no more of a reason is told than a page can show at once, and no character in half: %s',
  async (character) => {
    const { bytes } = await sealIt(ORIGINAL, { reason: `y${character.repeat(301)}` });
    expect((await verify(bytes)).signatures).toMatchObject([{ reason: `y${character.repeat(299)}` }]);
  },
);

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
