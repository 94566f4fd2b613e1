import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  DecryptCommand,
  EncryptCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  type SigningAlgorithmSpec,
} from '@aws-sdk/client-kms';
import { ACCOUNT, allow, type Cloud, failure, key, startCloud } from './harness.ts';

let cloud: Cloud;
let client: KMSClient;

beforeAll(async () => {
  cloud = await startCloud();
  client = new KMSClient(cloud.operator);
  await cloud.services.createKey(key('main'));
  await cloud.services.createKey(key('other'));
  await cloud.services.createKey(key('rsa', { spec: 'RSA_2048', usage: 'SIGN_VERIFY' }));
  await cloud.services.createKey(key('ec', { spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY' }));
});
afterAll(() => cloud.stop());

const Plaintext = Buffer.from('a secret');

describe('encryption', () => {
  /** @behaviour kms.encryption-context */
  it('a ciphertext decrypts only with the encryption context it was made with', async () => {
    const EncryptionContext = { owner: 'anna', purpose: 'webhook' };
    for (const KeyId of ['main', key('main').arn]) {
      const { CiphertextBlob } = await client.send(
        new EncryptCommand({ KeyId, Plaintext, EncryptionContext }),
      );
      expect(Buffer.from(CiphertextBlob ?? []).includes(Plaintext)).toBe(false);
      const reordered = { purpose: 'webhook', owner: 'anna' };
      const opened = await client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: reordered }));
      expect(Buffer.from(opened.Plaintext ?? [])).toEqual(Plaintext);
      expect(opened.KeyId).toBe(key('main').arn);
      for (const wrong of [{ owner: 'eve', purpose: 'webhook' }, {}]) {
        const call = client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: wrong }));
        expect(await failure(call)).toMatchObject({ name: 'InvalidCiphertextException', status: 400 });
      }
    }
  });

  it('Decrypt rejects a modified ciphertext, and one made by another key', async () => {
    const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: 'main', Plaintext }));
    const modified = Buffer.from(CiphertextBlob ?? []);
    modified[modified.length - 1] = (modified.at(-1) ?? 0) ^ 1;
    for (const blob of [modified, Buffer.from('nonsense')]) {
      expect(await failure(client.send(new DecryptCommand({ CiphertextBlob: blob })))).toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
    expect(await failure(client.send(new DecryptCommand({ CiphertextBlob, KeyId: 'other' })))).toMatchObject({
      name: 'IncorrectKeyException',
    });
  });

  it('Encrypt takes up to 4,096 bytes and needs an existing symmetric key', async () => {
    const encrypt = (KeyId: string, bytes: number) =>
      client.send(new EncryptCommand({ KeyId, Plaintext: Buffer.alloc(bytes, 1) }));
    await encrypt('main', 4096);
    expect(await failure(encrypt('main', 4097))).toMatchObject({ name: 'ValidationException' });
    expect(await failure(encrypt('nothing', 1))).toMatchObject({ name: 'NotFoundException' });
    expect(await failure(encrypt('rsa', 1))).toMatchObject({ name: 'InvalidKeyUsageException' });
  });
});

it('a call with a member that is not implemented is refused', async () => {
  const call = client.send(new EncryptCommand({ KeyId: 'main', Plaintext, DryRun: true }));
  expect(await failure(call)).toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('DryRun'),
  });
});

/** @behaviour kms.fixed-kind */
it('creating a key again keeps it, and is refused with another kind', async () => {
  await cloud.services.createKey(key('kept', { spec: 'RSA_2048', usage: 'SIGN_VERIFY' }));
  const publicKey = async () => (await client.send(new GetPublicKeyCommand({ KeyId: 'kept' }))).PublicKey;
  const first = await publicKey();
  await cloud.services.createKey(key('kept', { spec: 'RSA_2048', usage: 'SIGN_VERIFY' }));
  expect(await publicKey()).toEqual(first);
  for (const spec of ['RSA_3072', 'ECC_NIST_P256', 'SYMMETRIC_DEFAULT'] as const)
    await expect(cloud.services.createKey(key('kept', { spec }))).rejects.toThrow(
      'The kind of the key kept in the data folder differs',
    );
});

describe('signatures', () => {
  const Message = Buffer.from('to be signed');
  const sign = async (KeyId: string, SigningAlgorithm: SigningAlgorithmSpec) =>
    (await client.send(new SignCommand({ KeyId, SigningAlgorithm, Message, MessageType: 'RAW' }))).Signature;

  it.each<[string, SigningAlgorithmSpec]>([
    ['rsa', 'RSASSA_PKCS1_V1_5_SHA_256'],
    ['ec', 'ECDSA_SHA_256'],
  ])('a signature of the key %s by %s verifies with its public key', async (KeyId, SigningAlgorithm) => {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    const publicKey = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
    const signature = Buffer.from((await sign(KeyId, SigningAlgorithm)) ?? []);
    expect(verify('sha256', Message, publicKey, signature)).toBe(true);
  });

  it('Sign needs a signing key and an algorithm that fits it', async () => {
    for (const KeyId of ['ec', 'main'])
      expect(await failure(sign(KeyId, 'RSASSA_PKCS1_V1_5_SHA_256'))).toMatchObject({
        name: 'InvalidKeyUsageException',
      });
  });

  it('Sign refuses a digest, which is not implemented, instead of hashing it again', async () => {
    const digest = createHash('sha256').update(Message).digest();
    const call = new SignCommand({
      KeyId: 'ec',
      SigningAlgorithm: 'ECDSA_SHA_256',
      Message: digest,
      MessageType: 'DIGEST',
    });
    expect(await failure(client.send(call))).toMatchObject({ name: 'ValidationException' });
  });
});

describe('access to a key', () => {
  it('IAM statements apply to a key by its ARN and to the action', async () => {
    const caller = new KMSClient(cloud.caller('limited', allow('kms:Encrypt', key('main').arn)));
    const denied = { name: 'AccessDeniedException', status: 400 };
    const encrypt = (KeyId: string) => caller.send(new EncryptCommand({ KeyId, Plaintext }));
    const { CiphertextBlob } = await encrypt('main');
    expect(await failure(encrypt('other'))).toMatchObject(denied);
    expect(await failure(caller.send(new DecryptCommand({ CiphertextBlob })))).toMatchObject(denied);
  });

  /** @behaviour kms.key-policy */
  it('a key policy that names neither the caller nor its account denies access, whatever IAM allows', async () => {
    const named = `arn:aws:iam::${ACCOUNT}:role/named`;
    const policy = [
      { Effect: 'Allow' as const, Principal: { AWS: named }, Action: 'kms:Encrypt', Resource: '*' },
    ];
    await cloud.services.createKey(key('closed', { policy }));
    const encrypt = new EncryptCommand({ KeyId: 'closed', Plaintext });
    await new KMSClient(cloud.caller('named')).send(encrypt);
    const other = new KMSClient(cloud.caller('other', allow('kms:*')));
    expect(await failure(other.send(encrypt))).toMatchObject({ name: 'AccessDeniedException' });
  });
});
