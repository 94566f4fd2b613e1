import {
  type CertificateFields,
  isStrongKey,
  isValidAt,
  mayExtend,
  mayHaveIssued,
  readCertificateFields,
  readExtensionList,
  readPublicKey,
  wholeBytes,
} from '../../../shared/sealing/certificate-fields.ts';
import { contextTag, decode, TAGS } from '../../../shared/sealing/der.ts';
import {
  derNull,
  encode,
  integer,
  octetString,
  oid,
  sequence,
  setOf,
} from '../../../shared/sealing/der-encode.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { encodeTime } from '../../support/encode-time.ts';

const bitString = (...bytes: number[]): Buffer => encode(TAGS.bitString, Uint8Array.of(...bytes));
const yes = encode(TAGS.boolean, Uint8Array.of(0xff));
const no = encode(TAGS.boolean, Uint8Array.of(0));
const nameOf = (text: string): Buffer =>
  sequence(setOf(sequence(oid(OIDS.commonName), encode(TAGS.utf8String, Buffer.from(text)))));
const EC = sequence(oid(OIDS.ecPublicKey), oid(OIDS.p256));
const keyOf = (algorithm: Buffer, key: Uint8Array): Buffer =>
  sequence(algorithm, encode(TAGS.bitString, Uint8Array.of(0), key));
const point = (length: number, first: number): Uint8Array => new Uint8Array(length).fill(first, 0, 1);

const NOT_BEFORE = new Date('2026-01-01T00:00:00Z');
const NOT_AFTER = new Date('2027-01-01T00:00:00Z');
const ALGORITHM = sequence(oid(OIDS.ecdsaWithSha256));

interface Parts {
  version?: Buffer[];
  inner?: Buffer;
  outer?: Buffer;
  issuer?: string;
  subject?: string;
  extensions?: Buffer[];
}

const certificate = ({
  version = [encode(contextTag(0), integer(2))],
  inner = ALGORITHM,
  outer = ALGORITHM,
  issuer = 'Issuer',
  subject = 'Subject',
  extensions = [],
}: Parts = {}): Buffer =>
  sequence(
    sequence(
      ...version,
      integer(7),
      inner,
      nameOf(issuer),
      sequence(encodeTime(NOT_BEFORE), encodeTime(NOT_AFTER)),
      nameOf(subject),
      keyOf(EC, point(65, 4)),
      ...(extensions.length > 0 ? [encode(contextTag(3), sequence(...extensions))] : []),
    ),
    outer,
    bitString(0, 1, 2),
  );
const extension = (id: string, value: Buffer, critical: Buffer[] = []): Buffer =>
  sequence(oid(id), ...critical, octetString(value));
const fieldsOf = (parts: Parts = {}): CertificateFields => readCertificateFields(certificate(parts));

describe('a certificate', () => {
  it('without extensions allows nothing and limits nothing', () => {
    expect(fieldsOf()).toMatchObject({
      serial: integer(7),
      issuer: nameOf('Issuer'),
      subject: nameOf('Subject'),
      notBefore: NOT_BEFORE,
      notAfter: NOT_AFTER,
      key: { type: 'ec', curve: OIDS.p256, bits: 256 },
      keyUsage: null,
      extendedKeyUsage: null,
      subjectKeyIdentifier: null,
      isAuthority: false,
      pathLength: null,
      names: null,
      isUnderstood: true,
      signature: Uint8Array.of(1, 2),
      isStronglySigned: true,
    });
  });

  it('has its extensions', () => {
    const extensions = [
      extension(OIDS.basicConstraints, sequence(yes, integer(3)), [yes]),
      extension(OIDS.extendedKeyUsage, sequence(oid(OIDS.timeStamping), oid(OIDS.ocspSigning)), [yes]),
      extension(OIDS.subjectKeyIdentifier, octetString(Uint8Array.of(9))),
      extension(OIDS.nameConstraints, sequence()),
    ];
    expect(fieldsOf({ extensions })).toMatchObject({
      extendedKeyUsage: { critical: true, purposes: [OIDS.timeStamping, OIDS.ocspSigning] },
      subjectKeyIdentifier: Uint8Array.of(9),
      isAuthority: true,
      pathLength: 3,
      names: { permitted: [], excluded: [] },
    });
  });

  it.each<[string, boolean, number | null, Buffer[]]>([
    ['no constraints', false, null, []],
    ['constraints that deny it', false, null, [no]],
    ['a length alone', false, 0, [integer(0)]],
    ['no length', true, null, [yes]],
  ])('with %s is an authority: %s', (_, isAuthority, pathLength, constraints) => {
    const extensions = [extension(OIDS.basicConstraints, sequence(...constraints))];
    expect(fieldsOf({ extensions })).toMatchObject({ isAuthority, pathLength });
  });

  it.each([
    [0x80, 'digitalSignature'],
    [0x40, 'nonRepudiation'],
    [0x04, 'keyCertSign'],
    [0x02, 'cRLSign'],
    [0x39, 'none of these'],
  ])('has the key usage of its bits: %i is %s', (bits, only) => {
    const { keyUsage } = fieldsOf({ extensions: [extension(OIDS.keyUsage, bitString(0, bits))] });
    const none = { digitalSignature: false, nonRepudiation: false, keyCertSign: false, cRLSign: false };
    expect(keyUsage).toEqual(only in none ? { ...none, [only]: true } : none);
  });

  it('with a key usage of no bits may do nothing', () => {
    const extensions = [extension(OIDS.keyUsage, bitString(0))];
    expect(Object.values(fieldsOf({ extensions }).keyUsage ?? {})).toEqual([false, false, false, false]);
  });

  it.each(
    (
      [
        'authorityKeyIdentifier',
        'certificatePolicies',
        'inhibitAnyPolicy',
        'issuerAlternativeNames',
        'ocspNoCheck',
        'policyConstraints',
        'policyMappings',
        'qualifiedStatements',
        'revocationLists',
        'subjectAlternativeNames',
      ] as const
    ).map((name) => [name, OIDS[name]]),
  )('is understood with a critical extension that has no say here: %s', (_, id) => {
    expect(fieldsOf({ extensions: [extension(id, derNull(), [yes])] }).isUnderstood).toBe(true);
  });

  it('is not understood with an unknown critical extension', () => {
    const unknown = (...critical: Buffer[]) =>
      fieldsOf({ extensions: [extension('1.2.3.4', derNull(), critical)] });
    expect(unknown(yes).isUnderstood).toBe(false);
    expect(unknown(no).isUnderstood).toBe(true);
    expect(unknown().isUnderstood).toBe(true);
  });

  it('is weakly signed with SHA-1', () => {
    const sha1 = sequence(oid('1.2.840.113549.1.1.5'), derNull());
    expect(fieldsOf({ inner: sha1, outer: sha1 }).isStronglySigned).toBe(false);
  });

  it.each<[string, Parts, string]>([
    ['of another version', { version: [] }, 'no X.509 v3 certificate'],
    ['with two algorithms', { inner: sequence(oid(OIDS.sha256WithRsa)) }, 'two signature algorithms'],
  ])('%s is refused', (_, parts, reason) => {
    expect(() => fieldsOf(parts)).toThrow(reason);
  });
});

it('a bit string must have whole bytes', () => {
  expect(wholeBytes(decode(bitString(0, 1, 2)))).toEqual(Uint8Array.of(1, 2));
  expect(() => wholeBytes(decode(bitString(1, 2)))).toThrow('not whole bytes');
});

describe('a public key', () => {
  const rsa = (modulus: Uint8Array, id: string = OIDS.rsaEncryption) =>
    readPublicKey(
      decode(keyOf(sequence(oid(id), derNull()), sequence(encode(TAGS.integer, modulus), integer(3)))),
    );

  it.each<[string, number[], number]>([
    ['zero', [0], 0],
    ['one', [1], 1],
    ['seven bits', [0x7f], 7],
    ['eight bits behind a sign', [0, 0x80], 8],
    ['nine bits', [1, 0], 9],
  ])('of RSA has the bits of its modulus: %s', (_, modulus, bits) => {
    expect(rsa(Uint8Array.of(...modulus))).toMatchObject({ type: 'rsa', curve: null, bits });
  });

  it('for PSS alone is one of RSA', () => {
    expect(rsa(Uint8Array.of(1), OIDS.rsaPss).type).toBe('rsa');
  });

  it.each([
    ['a point', point(65, 4), 256],
    ['a compressed point', point(33, 2), 256],
    ['a longer compressed point', point(49, 3), 384],
  ])('of a curve has the bits of its field: %s', (_, key, bits) => {
    expect(readPublicKey(decode(keyOf(EC, key)))).toMatchObject({ type: 'ec', curve: OIDS.p256, bits });
  });

  it('of a curve that is described, and of an unknown kind, has no curve', () => {
    const described = keyOf(sequence(oid(OIDS.ecPublicKey), sequence()), point(65, 4));
    expect(readPublicKey(decode(described))).toMatchObject({ type: 'ec', curve: null });
    const unknown = keyOf(sequence(oid('1.2.3.4'), oid(OIDS.p256)), point(65, 4));
    expect(readPublicKey(decode(unknown))).toEqual({ spki: unknown, type: 'other', curve: null, bits: 0 });
  });

  it.each([
    ['rsa', 2048, true],
    ['rsa', 2047, false],
    ['ec', 256, true],
    ['ec', 255, false],
    ['other', 4096, false],
  ] as const)('%s of %i bits is strong: %s', (type, bits, isStrong) => {
    expect(isStrongKey({ spki: new Uint8Array(), type, curve: null, bits })).toBe(isStrong);
  });
});

it('an extension is critical only if it says so', () => {
  const list = sequence(
    extension('1.2.3.1', derNull(), [yes]),
    extension('1.2.3.2', derNull(), [no]),
    extension('1.2.3.3', derNull()),
  );
  expect([...readExtensionList(decode(list))].map(([id, { critical }]) => [id, critical])).toEqual([
    ['1.2.3.1', true],
    ['1.2.3.2', false],
    ['1.2.3.3', false],
  ]);
});

it('a list that has an extension twice is refused', () => {
  const list = sequence(extension('1.2.3.1', derNull()), extension('1.2.3.1', derNull(), [yes]));
  expect(() => readExtensionList(decode(list))).toThrow('an extension twice');
});

it('a certificate is valid from its first second to its last', () => {
  const at = (time: number): boolean => isValidAt(fieldsOf(), new Date(time));
  expect([at(NOT_BEFORE.getTime()), at(NOT_AFTER.getTime())]).toEqual([true, true]);
  expect([at(NOT_BEFORE.getTime() - 1), at(NOT_AFTER.getTime() + 1)]).toEqual([false, false]);
});

const AUTHORITY = extension(OIDS.basicConstraints, sequence(yes));
const usage = (bits: number): Buffer => extension(OIDS.keyUsage, bitString(0, bits));

it.each<[string, boolean, Parts]>([
  ['an authority by its name', true, { subject: 'Issuer', extensions: [AUTHORITY] }],
  ['one that may sign certificates', true, { subject: 'Issuer', extensions: [AUTHORITY, usage(0x04)] }],
  ['one that may sign no certificates', false, { subject: 'Issuer', extensions: [AUTHORITY, usage(0x80)] }],
  ['no authority', false, { subject: 'Issuer', extensions: [usage(0x04)] }],
  ['one by another name', false, { subject: 'Other', extensions: [AUTHORITY] }],
])('%s may have issued a certificate: %s', (_, may, issuer) => {
  expect(mayHaveIssued(fieldsOf(issuer), fieldsOf())).toBe(may);
});

describe('a chain', () => {
  const leaf = fieldsOf();
  const between = fieldsOf({ subject: 'Between', extensions: [AUTHORITY] });
  const renewed = fieldsOf({ issuer: 'Same', subject: 'Same', extensions: [AUTHORITY] });
  const limited = (length: number): CertificateFields =>
    fieldsOf({ extensions: [extension(OIDS.basicConstraints, sequence(yes, integer(length)))] });
  const unknown = fieldsOf({ extensions: [extension('1.2.3.4', derNull(), [yes])] });
  const named = (text: string): CertificateFields => {
    const base = sequence(encode(contextTag(4), nameOf(text)));
    return fieldsOf({ extensions: [extension(OIDS.nameConstraints, sequence(encode(contextTag(0), base)))] });
  };

  it.each<[string, boolean, CertificateFields[], CertificateFields]>([
    ['with an issuer that limits nothing', true, [leaf, between, between], fieldsOf()],
    ['as long as it may be', true, [leaf, between], limited(1)],
    ['longer than it may be', false, [leaf, between, between], limited(1)],
    ['whose own certificate does not count', true, [leaf], limited(0)],
    ['of which a renewed key does not count', true, [leaf, renewed], limited(0)],
    ['of which a part is not understood', false, [leaf, unknown], fieldsOf()],
    ['with an issuer that is not understood', false, [leaf], unknown],
    ['of an allowed name', true, [leaf], named('Subject')],
    ['of another name', false, [leaf], named('Other')],
    ['with an authority of another name', false, [leaf, between], named('Subject')],
    ['of which the name of a renewed key does not count', true, [leaf, renewed], named('Subject')],
    ['of its own issuer, whose name counts', false, [renewed], named('Subject')],
  ])('%s holds: %s', (_, may, chain, issuer) => {
    expect(mayExtend(chain, issuer)).toBe(may);
  });
});
