import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import forge from 'node-forge';
import { childrenOf, decode, TAGS } from '../../../shared/sealing/der.ts';
import { derNull, encode, integer, octetString, oid, sequence } from '../../../shared/sealing/der-encode.ts';
import { checkSealKey } from '../../../shared/sealing/keys/check.ts';
import { kmsKey } from '../../../shared/sealing/keys/kms.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import type { SealKey } from '../../../shared/sealing/keys/port.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { timestamper } from '../../../shared/sealing/timestamp.ts';
import {
  type DemoIdentity,
  extensions,
  issueDemo,
  makeDemoCa,
  makeDemoSealIdentity,
  pem,
  toPkcs12,
} from '../../support/demo-keys.ts';
import { PSS, pss } from '../../support/pss.ts';
import { flipped } from '../../support/tampering.ts';
import { fetchOf } from '../../support/timestamp-authority.ts';
import { craft, ONE_PAGE } from './craft.ts';
import { demoSealing, now, sealIt } from './sealing-kit.ts';

const inDays = (days: number): Date => new Date(now.getTime() + days * 86_400_000);
const keyOf = (identity: DemoIdentity) => pkcs12Key(toPkcs12(identity, 'x'), 'x');
const certified = (...parts: Buffer[]) =>
  keyOf(
    issueDemo({
      commonName: 'Odd',
      now,
      years: 1,
      issuer: demoSealing().ca,
      extensions: parts,
    }),
  );

describe('a key from a PKCS#12 file', () => {
  it.each(['rsa', 'ecdsa-p256', 'ecdsa-p384'] as const)(
    'a PKCS#12 file with an %s key opens and passes the check',
    async (algorithm) => {
      const key = keyOf(makeDemoSealIdentity(demoSealing().ca, { now, algorithm }));
      expect(key.algorithm).toBe(algorithm);
      await expect(checkSealKey(key, now)).resolves.toBeUndefined();
    },
  );

  it('the chain is found whatever the order in the file, without unrelated certificates', () => {
    const root = demoSealing().ca;
    const between = makeDemoCa(now, 'Demo issuing CA', { issuer: root });
    const identity = makeDemoSealIdentity(between, { now });
    const stranger = makeDemoCa(now, 'Stranger').certificate;
    const issuers = [stranger, root.certificate, between.certificate];
    const key = keyOf({ ...identity, issuers });
    expect(key.certificateChain.map((each) => Buffer.from(each))).toEqual(
      [identity.certificate, between.certificate, root.certificate].map((each) => Buffer.from(each)),
    );
  });

  const asForge = (der: Uint8Array) =>
    forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(der).toString('latin1')));
  /** With legacy encryption. */
  const byForge = (key: forge.pki.rsa.PrivateKey | null, passphrase: string | null = 'x'): Buffer => {
    const certificate = forge.pki.certificateFromAsn1(asForge(demoSealing().identity.certificate));
    const file = forge.pkcs12.toPkcs12Asn1(key, [certificate], passphrase, {
      algorithm: '3des',
      useMac: passphrase !== null,
    });
    return Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1');
  };

  it.each([
    ['legacy encryption', 'x'],
    ['no encryption', null],
  ])('a PKCS#12 file with %s opens', async (_, passphrase) => {
    const pkcs8 = demoSealing().identity.privateKey.export({ format: 'der', type: 'pkcs8' });
    const key = pkcs12Key(byForge(forge.pki.privateKeyFromAsn1(asForge(pkcs8)), passphrase), 'x');
    await expect(checkSealKey(key, now)).resolves.toBeUndefined();
  });

  it.each(['', 'pässwörd', 'salasana€', 'пароль😀'])(
    'a PKCS#12 file of today opens with the passphrase "%s", and with no other',
    async (passphrase) => {
      const file = toPkcs12(demoSealing().identity, passphrase);
      await expect(checkSealKey(pkcs12Key(file, passphrase), now)).resolves.toBeUndefined();
      expect(() => pkcs12Key(file, `${passphrase}ä`)).toThrow('key_unreadable: wrong passphrase');
    },
  );

  it('a wrong passphrase is called so even if the key decrypts to nonsense with it, as one in 256 does', () => {
    const file = toPkcs12(demoSealing().identity, 'x');
    const { pkcs12FromAsn1 } = forge.pkcs12;
    const read = jest
      .spyOn(forge.pkcs12, 'pkcs12FromAsn1')
      .mockImplementationOnce(pkcs12FromAsn1)
      .mockImplementationOnce(() => {
        throw new Error('Too few bytes to parse DER.');
      });
    expect(() => pkcs12Key(file, 'ä')).toThrow('key_unreadable: wrong passphrase');
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
  });

  it('certificates stay as they are in the file, also with an algorithm that others would write differently', () => {
    const { ca, identity } = demoSealing();
    const [tbs] = childrenOf(decode(identity.certificate), TAGS.sequence);
    const fields = childrenOf(tbs, TAGS.sequence).map(({ raw }) => raw);
    fields[2] = pss(OIDS.sha256);
    const signedPart = sequence(...fields);
    const signature = sign('sha256', signedPart, { key: ca.privateKey, ...PSS });
    const bits = encode(TAGS.bitString, Uint8Array.of(0), signature);
    const certificate = sequence(signedPart, pss(OIDS.sha256), bits);
    const key = keyOf({ ...identity, certificate });
    expect(key.certificateChain.map((each) => Buffer.from(each))).toEqual(
      [certificate, ...identity.issuers].map((each) => Buffer.from(each)),
    );
  });

  it('a certificate that cannot be read, as one of an old root, keeps no key from its file', async () => {
    const { identity } = demoSealing();
    const key = keyOf({ ...identity, issuers: [sequence(integer(1)), ...identity.issuers] });
    expect(key.certificateChain).toHaveLength(2);
    await expect(checkSealKey(key, now)).resolves.toBeUndefined();
  });

  it('a PKCS#12 file with two keys is refused', () => {
    const { identity } = demoSealing();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    expect(() => pkcs12Key(toPkcs12(identity, 'x', [privateKey]), 'x')).toThrow(
      expect.objectContaining({ code: 'key_unreadable', permanent: true }),
    );
  });

  it('a certificate that is in the file twice is in the chain once', () => {
    const { identity, ca } = demoSealing();
    const key = keyOf({ ...identity, issuers: [ca.certificate, identity.certificate, ca.certificate] });
    expect(key.certificateChain.map((each) => Buffer.from(each))).toEqual(
      [identity.certificate, ca.certificate].map((each) => Buffer.from(each)),
    );
  });

  it('a PKCS#12 file of certificates alone is refused', () => {
    expect(() => pkcs12Key(byForge(null), 'x')).toThrow(
      expect.objectContaining({ code: 'key_unreadable', permanent: true }),
    );
  });

  it('errors name the fault without quoting the file or the passphrase', () => {
    const file = toPkcs12(demoSealing().identity, 'right');
    expect(() => pkcs12Key(file, 'hunter2')).toThrow('key_unreadable: wrong passphrase');
    expect(() => pkcs12Key(Buffer.from('no such thing'), 'hunter2')).toThrow(
      'key_unreadable: no usable PKCS#12 file',
    );
  });

  it('a key that does not match the certificate is refused', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    expect(() => keyOf({ ...demoSealing().identity, privateKey })).toThrow(
      expect.objectContaining({ code: 'key_mismatch', permanent: true }),
    );
  });
});

const unknownCritical = sequence(
  oid('1.2.3.4'),
  encode(TAGS.boolean, Uint8Array.of(0xff)),
  octetString(derNull()),
);
const oddCa = issueDemo({
  commonName: 'Odd CA',
  now,
  years: 1,
  extensions: [extensions.ca(), extensions.keyUsage('keyCertSign'), unknownCritical],
});

/** A certificate that is enough for the checks of its key, whose key nobody has. */
const SHORT_RSA = Buffer.from(
  'MIICDjCCAXegAwIBAgIUKOkK6bZ0Eu81pbfpKF/ldfoBKsQwDQYJKoZIhvcNAQELBQAwEDEOMAwGA1UEAwwFU2hvcnQwIBcNMjYxMTI3MTIwMzI2WhgPMjA4MTA4MzAxMjAzMjZaMBAxDjAMBgNVBAMMBVNob3J0MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCrrlSgP22ur5xz4s7AGwvNMFwId7B544OsoXIcYpKCln3RYSIl7NLzFat/XfEoJ3RQ0P4OAZ1ygpcjW+CD5cIQeB2GykaDZH2XageCYn9luj1EoV62Y8tJuHaOLvJqs8zjJjcttWd2RaxEeQHmUeFb7gAv3HevOykgZehbm1VufQIDAQABo2MwYTAdBgNVHQ4EFgQUu+v5V5wAzZPr38eYwcD0oZ4T97AwHwYDVR0jBBgwFoAUu+v5V5wAzZPr38eYwcD0oZ4T97AwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCB4AwDQYJKoZIhvcNAQELBQADgYEAIcjw+PBgt8PSEfnxD6tIrOrm22QORzipQ0H1uoAI+I0YQ+NQbtrzOBrpyZCfinpKw+bgch/7C+6N+tUbJBrkvNAxzLUdPWRQaZj29iFxn0VRPEIQsf/fgN4b9ePs+t33U5WN7Stn4S+RG06CMUa+5ZiUNIKlvXVkKbWbgGaRumc=',
  'base64',
);
/** On P-384. */
const OTHER_CURVE = Buffer.from(
  'MIIB0TCCAVagAwIBAgIULVdzYD4HC1YEI4ZDp3rfK0J7R4gwCgYIKoZIzj0EAwIwFjEUMBIGA1UEAwwLT3RoZXIgY3VydmUwIBcNMjYxMTI3MTIwMzI2WhgPMjA4MTA4MzAxMjAzMjZaMBYxFDASBgNVBAMMC090aGVyIGN1cnZlMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEReMdaEi6UgGPPUwhnJtTDmXw6DDNCV+ENw1n+21fCKMNiZNghxEhrjJevjbR6rTUUBP5iFom9dYSvjDYwWnGhoUYPxhXjjtJ2yNHpiL+a2w/T12FtRVfzkyoZpxL6EKlo2MwYTAdBgNVHQ4EFgQUDtheT26I+cmJzHC5yqVPeCG+W50wHwYDVR0jBBgwFoAUDtheT26I+cmJzHC5yqVPeCG+W50wDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCB4AwCgYIKoZIzj0EAwIDaQAwZgIxAOGJub6zl2ahKyWJ8DjEU3rPSZgfv3WMmvArrmRxRCiNDZF1LgwjPVA329n6j1dmhQIxAJHRW4e9FF9jZrVPYX94a55xSnV12rl0EhnlsHCKG77gMkMl55MD/IM+tXWC/5QhVw==',
  'base64',
);
const ED25519 = Buffer.from(
  'MIIBQDCB86ADAgECAhQVsawJlBIvTYkmm9gdTnE+0/59WDAFBgMrZXAwDTELMAkGA1UEAwwCRWQwIBcNMjYxMTI3MTIwMzI2WhgPMjA4MTA4MzAxMjAzMjZaMA0xCzAJBgNVBAMMAkVkMCowBQYDK2VwAyEAgaRyT6mTCKGuPkzV2Zm4w1mcBpHoE+BcfaSpyNseT1ajYzBhMB0GA1UdDgQWBBSmEv5hOH2ROI5DdqSl3HER/g48BTAfBgNVHSMEGDAWgBSmEv5hOH2ROI5DdqSl3HER/g48BTAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIHgDAFBgMrZXADQQDva2+owZPOrUnL3U9f/pcCP6Zw0cellmPEQ1Ag33u5cUeCh+IqkgaxTCsxUUj5wGo+5mx9V5Kce+kZcW+vXhoL',
  'base64',
);

describe('the check of a key', () => {
  const withKey = (algorithm: SealKey['algorithm'], certificate: Uint8Array) => () => ({
    ...demoSealing().key,
    algorithm,
    certificateChain: [certificate],
  });
  const withChain = (...certificateChain: Uint8Array[]) => ({ ...demoSealing().key, certificateChain });

  it.each([
    ['certificate_expired', 'expired at 20', () => demoSealing().key, inDays(4000)],
    ['certificate_not_yet_valid', 'valid from 20', () => demoSealing().key, inDays(-30)],
    ['certificate_key_usage', 'no key usage', () => certified(), now],
    ['certificate_key_usage', 'no key usage', () => certified(extensions.keyUsage('keyCertSign')), now],
    [
      'certificate_key_usage',
      'no purpose for documents',
      () =>
        certified(
          extensions.keyUsage('digitalSignature'),
          extensions.extendedKeyUsage(false, OIDS.timeStamping),
        ),
      now,
    ],
    [
      'key_unsuitable',
      'not for ecdsa-p256 of',
      withKey('ecdsa-p256', demoSealing().identity.certificate),
      now,
    ],
    ['key_unsuitable', 'not for rsa of', withKey('rsa', SHORT_RSA), now],
    ['key_unsuitable', 'not for rsa of', withKey('rsa', OTHER_CURVE), now],
    ['key_unsuitable', 'not for rsa of', withKey('rsa', ED25519), now],
    ['key_unsuitable', 'not for ecdsa-p256 of', withKey('ecdsa-p256', OTHER_CURVE), now],
    ['key_unsuitable', 'not for ecdsa-p256 of', withKey('ecdsa-p256', ED25519), now],
    ['key_unsuitable', 'not for ecdsa-p384 of', withKey('ecdsa-p384', ED25519), now],
    ['certificate_chain', 'no certificate', () => withChain(), now],
    ['certificate_chain', 'cannot be read', () => withChain(Buffer.from('x')), now],
    [
      'certificate_chain',
      'certificate 1 was not issued by the one after it',
      () => withChain(demoSealing().identity.certificate, demoSealing().tsa.ca.certificate),
      now,
    ],
    [
      'certificate_chain',
      'a certificate is not by the issuer that came along',
      () =>
        withChain(
          demoSealing().identity.certificate,
          flipped(demoSealing().ca.certificate, demoSealing().ca.certificate.length - 1),
        ),
      now,
    ],
    [
      'certificate_chain',
      'certificate 2 does not allow the chain below it, or a certificate up to it has an unknown critical extension',
      () => keyOf(makeDemoSealIdentity(oddCa, { now })),
      now,
    ],
  ])('an unusable key fails permanently with %s: %s', async (code, told, key, at) => {
    await expect(checkSealKey(key(), at)).rejects.toMatchObject({
      code,
      permanent: true,
      told: expect.stringContaining(told),
    });
  });

  it.each([
    ['signatures alone', extensions.keyUsage('digitalSignature')],
    ['what its owner cannot deny alone', extensions.keyUsage('nonRepudiation')],
  ])('a certificate may be for %s, and for other purposes beside documents', async (_, usage) => {
    const purposes = extensions.extendedKeyUsage(false, OIDS.timeStamping, OIDS.documentSigning);
    await expect(checkSealKey(certified(usage, purposes), now)).resolves.toBeUndefined();
  });

  it.each([
    'documentSigning',
    'emailProtection',
    'adobeDocumentSigning',
    'microsoftDocumentSigning',
    'anyExtendedKeyUsage',
  ] as const)('a certificate may be for %s alone', async (purpose) => {
    const purposes = extensions.extendedKeyUsage(false, OIDS[purpose]);
    const key = certified(extensions.keyUsage('digitalSignature'), purposes);
    await expect(checkSealKey(key, now)).resolves.toBeUndefined();
  });

  it('the first and the last second of the certificate count', async () => {
    const key = certified(extensions.keyUsage('digitalSignature'));
    for (const at of [inDays(-1), inDays(365)]) await expect(checkSealKey(key, at)).resolves.toBeUndefined();
  });

  it('a timestamp from outside the validity of the certificate makes no seal, and the next one may', async () => {
    const { ca, tsa } = demoSealing();
    const key = keyOf(makeDemoSealIdentity(ca, { now: inDays(10) }));
    const [first, last] = [inDays(9), inDays(10 + 3 * 365)];
    const sealAt = (at: Date, clockAhead: number) => {
      const time = new Date(at.getTime() + clockAhead);
      const timestamp = timestamper([tsa.authority], {
        fetch: fetchOf(tsa, () => ({ time })),
        now: () => at,
      });
      return sealIt(craft({ objects: ONE_PAGE }), { key, timestamp, now: at });
    };
    const refused = {
      code: 'timestamp_unavailable',
      permanent: false,
      told: expect.stringContaining('certificate is not valid at'),
    };
    await expect(sealAt(first, -1_000)).rejects.toMatchObject(refused);
    await expect(sealAt(last, 1_000)).rejects.toMatchObject(refused);
    for (const at of [first, last])
      await expect(sealAt(at, 0)).resolves.toMatchObject({ sealedAt: at.toISOString() });
  });

  it('a signature that the certificate does not verify is never embedded', async () => {
    const { key } = demoSealing();
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const swapped = { ...key, sign: async (data: Uint8Array) => sign('sha256', data, other) };
    await expect(sealIt(craft({ objects: ONE_PAGE }), { key: swapped })).rejects.toMatchObject({
      code: 'key_mismatch',
      permanent: true,
    });
  });
});

describe('a key in KMS', () => {
  const chainOf = (identity: DemoIdentity): string =>
    [identity.certificate, ...identity.issuers].map(pem).join('');
  const kmsWith = (identity: DemoIdentity) => {
    const kms = mockClient(KMSClient);
    kms
      .on(SignCommand)
      .callsFake(async ({ Message }) => ({ Signature: sign('sha256', Message, identity.privateKey) }));
    const key = kmsKey({
      client: new KMSClient({}),
      keyId: 'alias/seal',
      certificateChainPem: chainOf(identity),
    });
    return { kms, key };
  };

  it.each([
    ['rsa', 'RSASSA_PKCS1_V1_5_SHA_256'],
    ['ecdsa-p256', 'ECDSA_SHA_256'],
  ] as const)('a KMS key of type %s signs the whole attributes', async (algorithm, name) => {
    const { kms, key } = kmsWith(makeDemoSealIdentity(demoSealing().ca, { now, algorithm }));
    await sealIt(craft({ objects: ONE_PAGE }), { key });
    const [call] = kms.commandCalls(SignCommand);
    expect(call?.args[0].input).toMatchObject({
      KeyId: 'alias/seal',
      MessageType: 'RAW',
      SigningAlgorithm: name,
    });
    expect(call?.args[0].input.Message?.length).toBeLessThan(4096);
  });

  it.each([
    ['ThrottlingException', false],
    ['KMSInternalException', false],
    ['DependencyTimeoutException', false],
    ['AccessDeniedException', true],
    ['DisabledException', true],
    ['InvalidKeyUsageException', true],
    ['KMSInvalidStateException', true],
    ['NotFoundException', true],
    ['UnsupportedOperationException', true],
    ['ValidationException', true],
  ])('the KMS fault %s is permanent: %s', async (name, permanent) => {
    const { kms, key } = kmsWith(demoSealing().identity);
    kms.on(SignCommand).rejects(Object.assign(new Error('no'), { name }));
    await expect(sealIt(craft({ objects: ONE_PAGE }), { key })).rejects.toMatchObject({
      code: 'key_unavailable',
      permanent,
      told: `KMS: ${name}`,
    });
  });

  it('an answer without a signature is no signature; the next one may be', async () => {
    const { kms, key } = kmsWith(demoSealing().identity);
    kms.on(SignCommand).resolves({});
    await expect(sealIt(craft({ objects: ONE_PAGE }), { key })).rejects.toMatchObject({
      code: 'key_unavailable',
      permanent: false,
    });
  });

  it('a broken certificate chain is refused', () => {
    const certificateChainPem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    expect(() => kmsKey({ client: new KMSClient({}), keyId: 'x', certificateChainPem })).toThrow(
      expect.objectContaining({ code: 'certificate_chain', permanent: true }),
    );
  });
});

describe('demo certificates', () => {
  it('the subject of a demo certificate for test requests says TEST', () => {
    const key = keyOf(makeDemoSealIdentity(demoSealing().ca, { now, test: true }));
    expect(Buffer.from(key.certificateChain[0] ?? []).toString('latin1')).toContain('TEST');
  });

  it('node reads back a demo key', () => {
    const { privateKey } = demoSealing().identity;
    expect(createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' })).asymmetricKeyType).toBe(
      'rsa',
    );
  });
});
