import { createHash, createPublicKey, verify } from 'node:crypto';
import {
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  type SigningAlgorithmSpec,
  VerifyCommand,
  VerifyMacCommand,
} from '@aws-sdk/client-kms';
import { account, allow, type Cloud, failure, key, startCloud } from './harness.ts';

let cloud: Cloud;
let client: KMSClient;
const root = { AWS: `arn:aws:iam::${account}:root` };

beforeAll(async () => {
  cloud = await startCloud();
  client = new KMSClient(cloud.operator);
  const policy = [{ Effect: 'Allow' as const, Principal: root, Action: 'kms:*', Resource: '*' }];
  await cloud.services.createKey(key('main', { policy, aliases: ['alias/main'] }));
  await cloud.services.createKey(key('other'));
  await cloud.services.createKey(key('rsa', { spec: 'RSA_2048', usage: 'SIGN_VERIFY' }));
  await cloud.services.createKey(key('ec', { spec: 'ECC_NIST_P256', usage: 'SIGN_VERIFY' }));
  await cloud.services.createKey(key('mac', { spec: 'HMAC_256', usage: 'GENERATE_VERIFY_MAC' }));
});
afterAll(() => cloud.stop());

const Plaintext = Buffer.from('a secret');

describe('encryption', () => {
  it('is undone with the same context, and with no other', async () => {
    const EncryptionContext = { owner: 'anna', purpose: 'webhook' };
    for (const KeyId of ['main', 'alias/main', key('main').arn]) {
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

  it("refuses a blob that was tampered with, or is another key's", async () => {
    const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: 'main', Plaintext }));
    const tampered = Buffer.from(CiphertextBlob ?? []);
    tampered[tampered.length - 1] = (tampered.at(-1) ?? 0) ^ 1;
    for (const blob of [tampered, Buffer.from('nonsense')]) {
      expect(await failure(client.send(new DecryptCommand({ CiphertextBlob: blob })))).toMatchObject({
        name: 'InvalidCiphertextException',
      });
    }
    expect(await failure(client.send(new DecryptCommand({ CiphertextBlob, KeyId: 'other' })))).toMatchObject({
      name: 'IncorrectKeyException',
    });
  });

  it('takes up to 4,096 bytes, of a key that exists and is meant for it', async () => {
    const encrypt = (KeyId: string, bytes: number) =>
      client.send(new EncryptCommand({ KeyId, Plaintext: Buffer.alloc(bytes, 1) }));
    await encrypt('main', 4096);
    expect(await failure(encrypt('main', 4097))).toMatchObject({ name: 'ValidationException' });
    expect(await failure(encrypt('nothing', 1))).toMatchObject({ name: 'NotFoundException' });
    expect(await failure(encrypt('rsa', 1))).toMatchObject({ name: 'InvalidKeyUsageException' });
  });

  it('makes data keys', async () => {
    const made = await client.send(new GenerateDataKeyCommand({ KeyId: 'main', KeySpec: 'AES_256' }));
    expect(made.Plaintext?.length).toBe(32);
    const opened = await client.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob }));
    expect(opened.Plaintext).toEqual(made.Plaintext);
    expect(await failure(client.send(new GenerateDataKeyCommand({ KeyId: 'main' })))).toMatchObject({
      name: 'ValidationException',
    });
  });
});

describe('signatures', () => {
  const Message = Buffer.from('to be signed');
  const digest = createHash('sha256').update(Message).digest();

  it.each<[string, SigningAlgorithmSpec]>([
    ['rsa', 'RSASSA_PKCS1_V1_5_SHA_256'],
    ['rsa', 'RSASSA_PSS_SHA_256'],
    ['ec', 'ECDSA_SHA_256'],
  ])('of the key %s by %s hold for message and digest alike', async (KeyId, SigningAlgorithm) => {
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId }));
    const publicKey = createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
    const padding = SigningAlgorithm === 'RSASSA_PSS_SHA_256' ? { padding: 6 } : {};
    const forms = [
      { MessageType: 'RAW', Message },
      { MessageType: 'DIGEST', Message: digest },
    ] as const;
    for (const form of forms) {
      const { Signature } = await client.send(new SignCommand({ KeyId, SigningAlgorithm, ...form }));
      expect(verify('sha256', Message, { key: publicKey, ...padding }, Buffer.from(Signature ?? []))).toBe(
        true,
      );
      for (const check of forms) {
        const good = new VerifyCommand({ KeyId, SigningAlgorithm, Signature, ...check });
        expect((await client.send(good)).SignatureValid).toBe(true);
        const Wrong =
          check.MessageType === 'RAW' ? Buffer.from('other') : createHash('sha256').update('other').digest();
        const bad = new VerifyCommand({ ...good.input, Message: Wrong });
        expect(await failure(client.send(bad))).toMatchObject({ name: 'KMSInvalidSignatureException' });
      }
    }
  });

  it('are made only by a fitting algorithm over a whole digest', async () => {
    const sign = (KeyId: string, SigningAlgorithm: SigningAlgorithmSpec, message: Buffer) =>
      client.send(new SignCommand({ KeyId, SigningAlgorithm, Message: message, MessageType: 'DIGEST' }));
    expect(await failure(sign('ec', 'RSASSA_PSS_SHA_256', digest))).toMatchObject({
      name: 'InvalidKeyUsageException',
    });
    expect(await failure(sign('main', 'ECDSA_SHA_256', digest))).toMatchObject({
      name: 'InvalidKeyUsageException',
    });
    expect(await failure(sign('ec', 'ECDSA_SHA_256', Message))).toMatchObject({
      name: 'ValidationException',
    });
  });

  it('may be MACs', async () => {
    const mac = { KeyId: 'mac', MacAlgorithm: 'HMAC_SHA_256', Message } as const;
    const { Mac } = await client.send(new GenerateMacCommand(mac));
    expect((await client.send(new VerifyMacCommand({ ...mac, Mac }))).MacValid).toBe(true);
    const wrong = new VerifyMacCommand({ ...mac, Message: Buffer.from('other'), Mac });
    expect(await failure(client.send(wrong))).toMatchObject({ name: 'KMSInvalidMacException' });
  });
});

describe('keys', () => {
  it('describe themselves', async () => {
    const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: 'alias/main' }));
    expect(KeyMetadata).toMatchObject({
      Arn: key('main').arn,
      KeyState: 'Enabled',
      KeyUsage: 'ENCRYPT_DECRYPT',
    });
  });

  it('open only to those whom IAM lets in, with the context that it asks for', async () => {
    const context = { StringEquals: { 'kms:EncryptionContext:purpose': 'webhook' } };
    const caller = new KMSClient(
      cloud.caller('limited', {
        ...allow(['kms:Encrypt', 'kms:Decrypt'], key('main').arn),
        Condition: context,
      }),
    );
    const denied = { name: 'AccessDeniedException', status: 400 };
    const encrypt = (KeyId: string, EncryptionContext: Record<string, string>) =>
      caller.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }));
    const { CiphertextBlob } = await encrypt('main', { purpose: 'webhook' });
    expect(await failure(encrypt('main', { purpose: 'mail' }))).toMatchObject(denied);
    expect(await failure(encrypt('main', {}))).toMatchObject(denied);
    expect(await failure(encrypt('other', { purpose: 'webhook' }))).toMatchObject(denied);
    expect(await failure(caller.send(new DecryptCommand({ CiphertextBlob })))).toMatchObject(denied);
  });

  it('whose policy names neither account nor caller open to nobody, whatever IAM says', async () => {
    const named = `arn:aws:iam::${account}:role/named`;
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
