import { createHash, sign } from 'node:crypto';
import { readCertificate, sha256 } from '../../../shared/sealing/certificate.ts';
import { contextTag, DerError, decode, TAGS } from '../../../shared/sealing/der.ts';
import {
  derNull,
  encode,
  integer,
  octetString,
  oid,
  retag,
  sequence,
  setOf,
} from '../../../shared/sealing/der-encode.ts';
import { SignatureFault, Unsupported } from '../../../shared/sealing/faults.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import {
  isNamedBy,
  readAlgorithm,
  readSignedData,
  readSignerClaims,
} from '../../../shared/sealing/signed-data.ts';
import { verifySigner } from '../../../shared/sealing/signer.ts';
import { type DemoIdentity, extensions, issueDemo } from '../../support/demo-keys.ts';
import { now } from './sealing-kit.ts';

const identify = (commonName: string): DemoIdentity =>
  issueDemo({
    commonName,
    now,
    years: 3,
    extensions: [extensions.keyUsage('digitalSignature')],
  });
const signer = identify('Signer');
const own = readCertificate(signer.certificate);
const stranger = readCertificate(identify('Stranger').certificate);

const content = Buffer.from('what is signed');
const digest = sha256(content);
const algorithm = (id: string, ...parameters: Buffer[]) => sequence(oid(id), ...parameters);
const attribute = (type: string, ...values: Buffer[]) => sequence(oid(type), encode(TAGS.set, ...values));
/** The value of version 2 that names a certificate by its hash; the hash's algorithm is left out for SHA-256. */
const named = (hash: Buffer, ...hashAlgorithm: Buffer[]) =>
  sequence(sequence(sequence(...hashAlgorithm, octetString(hash))));

const ATTRIBUTES = {
  contentType: attribute(OIDS.contentType, oid(OIDS.data)),
  messageDigest: attribute(OIDS.messageDigest, octetString(digest)),
  certificate: attribute(OIDS.signingCertificateV2, named(sha256(own.der))),
};

interface Parts {
  type: string;
  /** More values after the content in the outer sequence. */
  after: Buffer[];
  version: Buffer;
  contentInfo: Buffer;
  certificates: Buffer[];
  signers: (signerInfo: Buffer) => Buffer[];
  signerVersion: Buffer;
  identifier: Buffer;
  digestAlgorithm: Buffer;
  attributes: Record<string, Buffer>;
  signatureAlgorithm: Buffer;
  unsigned: Buffer[];
}

/** Signed data that is right but for what is given. */
function make(given: Partial<Parts> = {}): Buffer {
  const parts: Parts = {
    type: OIDS.signedData,
    after: [],
    version: integer(1),
    contentInfo: sequence(oid(OIDS.data)),
    certificates: [own.der, stranger.der].map((der) => Buffer.from(der)),
    signers: (signerInfo) => [signerInfo],
    signerVersion: integer(1),
    identifier: sequence(own.issuer, own.serial),
    digestAlgorithm: algorithm(OIDS.sha256),
    attributes: ATTRIBUTES,
    signatureAlgorithm: algorithm(OIDS.ecdsaWithSha256),
    unsigned: [],
    ...given,
  };
  const attributes = setOf(...Object.values(parts.attributes));
  const signerInfo = sequence(
    parts.signerVersion,
    parts.identifier,
    parts.digestAlgorithm,
    retag(contextTag(0), attributes),
    parts.signatureAlgorithm,
    octetString(sign('sha256', attributes, signer.privateKey)),
    ...parts.unsigned,
  );
  const data = sequence(
    parts.version,
    encode(TAGS.set, algorithm(OIDS.sha256, derNull()), algorithm(OIDS.sha512)),
    parts.contentInfo,
    encode(contextTag(0), ...parts.certificates),
    encode(TAGS.set, ...parts.signers(signerInfo)),
  );
  return sequence(oid(parts.type), encode(contextTag(0), data), ...parts.after);
}

const read = (given?: Partial<Parts>) => readSignedData(decode(make(given)));
const claimsOf = (given?: Partial<Parts>) => readSignerClaims(read(given));
const verify = (given?: Partial<Parts>) =>
  verifySigner(read(given), (name) => createHash(name).update(content).digest());
const withAttribute = (name: string, value: Buffer): Partial<Parts> => ({
  attributes: { ...ATTRIBUTES, [name]: value },
});

/** The class and message of the error that was thrown. */
function faultOf(act: () => unknown): [unknown, string] {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return [error.constructor, error.message];
  }
  throw new Error('nothing was refused');
}

describe('signed data', () => {
  it('is read with its content detached', () => {
    const unsigned = encode(contextTag(1));
    const data = read({ unsigned: [unsigned] });
    expect(data).toMatchObject({
      digestAlgorithms: [OIDS.sha256, OIDS.sha512],
      contentType: OIDS.data,
      content: null,
      signer: { digestAlgorithm: OIDS.sha256 },
    });
    expect(data.certificates.map(({ raw }) => Buffer.from(raw))).toEqual([own.der, stranger.der]);
    expect([...data.signer.attributes.keys()].toSorted()).toEqual(
      [OIDS.contentType, OIDS.signingCertificateV2, OIDS.messageDigest].toSorted(),
    );
    expect(data.signer.signed[0]).toBe(TAGS.set);
    expect(data.signer.unsigned?.raw).toEqual(unsigned);
  });

  it('is read with its content inside', () => {
    const contentInfo = sequence(oid(OIDS.tstInfo), encode(contextTag(0), octetString(content)));
    expect(read({ contentInfo })).toMatchObject({ contentType: OIDS.tstInfo, content });
  });

  it.each<[string, Partial<Parts>, string]>([
    ['another type', { type: OIDS.data }, 'no signed data'],
    ['more behind it', { after: [derNull()] }, 'no signed data'],
    ['no signer', { signers: () => [] }, '0 signers'],
    ['two signers', { signers: (info) => [info, info] }, '2 signers'],
    [
      'an attribute without a value',
      withAttribute('contentType', attribute(OIDS.contentType)),
      'ambiguous attributes',
    ],
    [
      'an attribute with two values',
      withAttribute('contentType', attribute(OIDS.contentType, oid(OIDS.data), oid(OIDS.data))),
      'ambiguous attributes',
    ],
    [
      'an attribute twice',
      withAttribute('again', attribute(OIDS.messageDigest, octetString(sha256(own.der)))),
      'ambiguous attributes',
    ],
    [
      'parameters of a digest',
      { digestAlgorithm: algorithm(OIDS.sha256, integer(1)) },
      'unknown parameters of an algorithm',
    ],
  ])('is refused with %s', (_, given, told) => {
    expect(faultOf(() => read(given))).toEqual([SignatureFault, told]);
  });

  it.each<[string, Partial<Parts>]>([
    ['a version that is no number', { version: octetString(content) }],
    ['a signer whose version is no number', { signerVersion: octetString(content) }],
    ['a certificate that is no sequence', { certificates: [octetString(content)] }],
    [
      'content that is no octet string',
      { contentInfo: sequence(oid(OIDS.data), encode(contextTag(0), integer(1))) },
    ],
    ['content without its tag', { contentInfo: sequence(oid(OIDS.data), octetString(content)) }],
  ])('is refused with %s', (_, given) => {
    expect(faultOf(() => read(given))).toEqual([DerError, expect.stringContaining('expected tag')]);
  });

  it.each([
    ['nothing', true, []],
    ['NULL', true, [derNull()]],
    ['NULL that is not empty', false, [encode(TAGS.null, Buffer.of(0))]],
    ['another value', false, [encode(TAGS.octetString)]],
    ['NULL twice', false, [derNull(), derNull()]],
  ])('an algorithm may have %s as its parameters: %s', (_, accepted, parameters) => {
    const node = decode(algorithm(OIDS.sha256, ...parameters));
    if (accepted) expect(readAlgorithm(node)).toBe(OIDS.sha256);
    else expect(faultOf(() => readAlgorithm(node))[0]).toBe(SignatureFault);
  });
});

describe("a signer's claims", () => {
  it('are the digests of content, certificate and signature', () => {
    expect(claimsOf()).toEqual({
      digest: 'sha256',
      messageDigest: digest,
      certificateDigests: [{ algorithm: 'sha256', digest: sha256(own.der) }],
      signatureDigest: 'sha256',
    });
  });

  it("a signature that names no digest has the content's", () => {
    const given = {
      digestAlgorithm: algorithm(OIDS.sha384),
      signatureAlgorithm: algorithm(OIDS.rsaEncryption, derNull()),
    };
    expect(claimsOf(given)).toMatchObject({ digest: 'sha384', signatureDigest: 'sha384' });
  });

  it('a certificate may be named by both versions, and by another hash', () => {
    const [sha1, sha512] = ['sha1', 'sha512'].map((name) => createHash(name).update(own.der).digest());
    if (!sha1 || !sha512) throw new Error('no digests');
    const given = {
      attributes: {
        ...ATTRIBUTES,
        first: attribute(OIDS.signingCertificate, named(sha1)),
        certificate: attribute(OIDS.signingCertificateV2, named(sha512, algorithm(OIDS.sha512))),
      },
    };
    expect(claimsOf(given).certificateDigests).toEqual([
      { algorithm: 'sha1', digest: sha1 },
      { algorithm: 'sha512', digest: sha512 },
    ]);
    expect(verify(given).der).toEqual(own.der);
  });

  it.each<[string, Partial<Parts>, unknown, string]>([
    ['a weak digest', { digestAlgorithm: algorithm(OIDS.sha1) }, Unsupported, 'digest algorithm is weak'],
    [
      'an unknown signature',
      { signatureAlgorithm: algorithm(OIDS.ecPublicKey) },
      Unsupported,
      'signature algorithm is weak',
    ],
    [
      'a certificate named by a weak hash',
      withAttribute(
        'certificate',
        attribute(OIDS.signingCertificateV2, named(digest, algorithm(OIDS.sha224))),
      ),
      Unsupported,
      'named by a weak or unknown hash',
    ],
    [
      'no certificate named',
      withAttribute('certificate', attribute(OIDS.signingCertificate.replace(/12$/, '13'), derNull())),
      Unsupported,
      'does not name its certificate',
    ],
    [
      'another content type',
      withAttribute('contentType', attribute(OIDS.contentType, oid(OIDS.tstInfo))),
      SignatureFault,
      'signed content type is wrong',
    ],
    [
      'a message digest that is no octet string',
      withAttribute('messageDigest', attribute(OIDS.messageDigest, integer(1))),
      DerError,
      'expected tag 4',
    ],
    [
      'a certificate named without a hash',
      withAttribute('certificate', attribute(OIDS.signingCertificateV2, sequence(sequence(sequence())))),
      DerError,
      'expected tag 4, found nothing',
    ],
  ])('are refused with %s', (_, given, kind, told) => {
    expect(faultOf(() => claimsOf(given))).toEqual([kind, expect.stringContaining(told)]);
  });
});

describe('the certificate that an identifier names', () => {
  const keyId = (bytes: Uint8Array) => decode(encode(0x80, bytes));
  const ownKeyId = own.subjectKeyIdentifier;
  if (ownKeyId === null) throw new Error('the certificate has no identifier of its key');

  it.each([
    ['its issuer and serial number', true, decode(sequence(own.issuer, own.serial))],
    ['its issuer and another serial number', false, decode(sequence(own.issuer, stranger.serial))],
    ['another issuer and its serial number', false, decode(sequence(stranger.issuer, own.serial))],
    ["its key's identifier", true, keyId(ownKeyId)],
    ["the beginning of its key's identifier", false, keyId(ownKeyId.subarray(1))],
  ])('is found by %s: %s', (_, expected, identifier) => {
    expect(isNamedBy(own, identifier)).toBe(expected);
  });

  it('is none if it has no identifier of its key', () => {
    expect(isNamedBy({ ...own, subjectKeyIdentifier: null }, keyId(Buffer.alloc(0)))).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['no sequence', decode(octetString(content))],
    ['an issuer that is no name', decode(sequence(own.serial, own.serial))],
    ['a serial number that is no number', decode(sequence(own.issuer, octetString(content)))],
  ])('cannot be told from %s', (_, identifier) => {
    expect(faultOf(() => isNamedBy(own, identifier))[0]).toBe(DerError);
  });
});

describe('a signer', () => {
  it('is verified by the certificate that the identifier names, wherever it stands', () => {
    expect(verify().der).toEqual(own.der);
    expect(verify({ certificates: [stranger, own].map(({ der }) => Buffer.from(der)) }).der).toEqual(own.der);
  });

  it.each<[string, Partial<Parts>, string]>([
    ['its certificate left out', { certificates: [Buffer.from(stranger.der)] }, 'certificate is missing'],
    [
      "another content's digest",
      withAttribute('messageDigest', attribute(OIDS.messageDigest, octetString(sha256(own.der)))),
      'digest does not match',
    ],
    [
      "another certificate's hash",
      withAttribute('certificate', attribute(OIDS.signingCertificateV2, named(sha256(stranger.der)))),
      'names another certificate',
    ],
    [
      "another certificate's hash by the older version only",
      withAttribute('first', attribute(OIDS.signingCertificate, named(sha256(stranger.der)))),
      'names another certificate',
    ],
    [
      'the key of another certificate',
      {
        identifier: sequence(stranger.issuer, stranger.serial),
        attributes: {
          ...ATTRIBUTES,
          certificate: attribute(OIDS.signingCertificateV2, named(sha256(stranger.der))),
        },
      },
      'the signature is wrong',
    ],
    [
      'another digest of the signature',
      { signatureAlgorithm: algorithm(OIDS.ecdsaWithSha384) },
      'signature is wrong',
    ],
  ])('is refused with %s', (_, given, told) => {
    expect(faultOf(() => verify(given))).toEqual([SignatureFault, expect.stringContaining(told)]);
  });
});
