import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { mockClient } from 'aws-sdk-client-mock';
import forge from 'node-forge';
import {
  type DemoIdentity,
  extensions,
  issueDemo,
  makeDemoSealIdentity,
  pem,
  toPkcs12,
} from '../../../admin/demo-keys.ts';
import { checkSealKey } from '../../../shared/sealing/keys/check.ts';
import { kmsKey } from '../../../shared/sealing/keys/kms.ts';
import { pkcs12Key } from '../../../shared/sealing/keys/pkcs12.ts';
import { OIDS } from '../../../shared/sealing/oids.ts';
import { testCa } from '../../support/test-ca.ts';
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
      algorithm: 'ecdsa-p256',
      issuer: demoSealing().ca,
      extensions: parts,
    }),
  );

describe('a key from a PKCS#12 file', () => {
  it.each(['rsa', 'ecdsa-p256'] as const)(
    'a PKCS#12 file with an %s key opens and passes the check',
    async (algorithm) => {
      const key = keyOf(makeDemoSealIdentity(demoSealing().ca, { now, algorithm }));
      expect(key.algorithm).toBe(algorithm);
      await expect(checkSealKey(key, now)).resolves.toBeUndefined();
    },
  );

  it('the chain is found whatever the order in the file, without unrelated certificates', () => {
    const root = demoSealing().ca;
    const between = testCa(now, 'Demo issuing CA', root);
    const identity = makeDemoSealIdentity(between, { now });
    const stranger = testCa(now, 'Stranger').certificate;
    const issuers = [stranger, root.certificate, between.certificate];
    const key = keyOf({ ...identity, issuers });
    expect(key.certificateChain.map((each) => Buffer.from(each))).toEqual(
      [identity.certificate, between.certificate, root.certificate].map((each) => Buffer.from(each)),
    );
  });

  it('a PKCS#12 file with legacy encryption opens', async () => {
    const { identity } = demoSealing();
    const asForge = (der: Uint8Array) =>
      forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(der).toString('latin1')));
    const pkcs8 = identity.privateKey.export({ format: 'der', type: 'pkcs8' });
    const file = forge.pkcs12.toPkcs12Asn1(
      forge.pki.privateKeyFromAsn1(asForge(pkcs8)),
      [forge.pki.certificateFromAsn1(asForge(identity.certificate))],
      'x',
      { algorithm: '3des' },
    );
    const key = pkcs12Key(Buffer.from(forge.asn1.toDer(file).getBytes(), 'latin1'), 'x');
    await expect(checkSealKey(key, now)).resolves.toBeUndefined();
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
    expect(() => keyOf({ ...demoSealing().identity, privateKey })).toThrow('key_mismatch');
  });
});

describe('the check of a key', () => {
  it.each([
    ['certificate_expired', () => demoSealing().key, inDays(4000)],
    ['certificate_not_yet_valid', () => demoSealing().key, inDays(-30)],
    ['certificate_key_usage', () => certified(), now],
    ['certificate_key_usage', () => certified(extensions.keyUsage('keyCertSign')), now],
    [
      'certificate_key_usage',
      () =>
        certified(
          extensions.keyUsage('digitalSignature'),
          extensions.extendedKeyUsage(false, OIDS.timeStamping),
        ),
      now,
    ],
    ['key_unsuitable', () => ({ ...demoSealing().key, algorithm: 'ecdsa-p256' as const }), now],
    ['certificate_chain', () => ({ ...demoSealing().key, certificateChain: [] }), now],
    ['certificate_chain', () => ({ ...demoSealing().key, certificateChain: [Buffer.from('x')] }), now],
    [
      'certificate_chain',
      () => ({
        ...demoSealing().key,
        certificateChain: [demoSealing().identity.certificate, demoSealing().tsa.ca.certificate],
      }),
      now,
    ],
  ])('an unusable key fails permanently with %s', async (code, key, at) => {
    await expect(checkSealKey(key(), at)).rejects.toMatchObject({ code, permanent: true });
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
    ['AccessDeniedException', true],
    ['NotFoundException', true],
  ])('the KMS fault %s is permanent: %s', async (name, permanent) => {
    const { kms, key } = kmsWith(demoSealing().identity);
    kms.on(SignCommand).rejects(Object.assign(new Error('no'), { name }));
    await expect(sealIt(craft({ objects: ONE_PAGE }), { key })).rejects.toMatchObject({
      code: 'key_unavailable',
      permanent,
    });
  });

  it('a broken certificate chain is refused', () => {
    const certificateChainPem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    expect(() => kmsKey({ client: new KMSClient({}), keyId: 'x', certificateChainPem })).toThrow(
      'certificate_chain',
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
