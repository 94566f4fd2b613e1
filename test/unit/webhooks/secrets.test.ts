import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { encryptSecret, endpointContext, secretDecrypter } from '../../../shared/webhooks/secrets.ts';

const kms = mockClient(KMSClient);
const context = endpointContext('we_1', 'owner-1');
const decryptions = () => kms.commandCalls(DecryptCommand).length;

beforeEach(() => {
  kms.reset();
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from('whsec_secret') });
});
afterEach(() => jest.useRealTimers());

describe('webhook secrets', () => {
  it('a secret is encrypted for its endpoint and owner', async () => {
    kms.on(EncryptCommand).resolves({ CiphertextBlob: Buffer.from('sealed') });
    expect(await encryptSecret(new KMSClient({}), 'key', 'whsec_secret', context)).toBe('c2VhbGVk');
    expect(kms.commandCalls(EncryptCommand)[0]?.args[0].input).toEqual({
      KeyId: 'key',
      Plaintext: Buffer.from('whsec_secret'),
      EncryptionContext: { endpoint: 'we_1', owner: 'owner-1' },
    });
  });

  it('a secret is decrypted from its bytes, with the context that it was encrypted for', async () => {
    await secretDecrypter(new KMSClient({}), 'key')('c2VhbGVk', context);
    expect(kms.commandCalls(DecryptCommand)[0]?.args[0].input).toEqual({
      KeyId: 'key',
      CiphertextBlob: Buffer.from('sealed'),
      EncryptionContext: context,
    });
  });

  it('an answer without a secret is an error', async () => {
    kms.on(EncryptCommand).resolves({});
    kms.on(DecryptCommand).resolves({});
    await expect(encryptSecret(new KMSClient({}), 'key', 'whsec_secret', context)).rejects.toThrow(
      'no ciphertext',
    );
    await expect(secretDecrypter(new KMSClient({}), 'key')('c2VhbGVk', context)).rejects.toThrow(
      'no plaintext',
    );
  });

  it('a secret is decrypted once for many deliveries, concurrent ones included', async () => {
    const decrypt = secretDecrypter(new KMSClient({}), 'key');
    const decrypted = await Promise.all([decrypt('c2VhbGVk', context), decrypt('c2VhbGVk', context)]);
    expect([...decrypted, await decrypt('c2VhbGVk', context)]).toEqual(Array(3).fill('whsec_secret'));
    expect(decryptions()).toBe(1);
  });

  it('a ciphertext is decrypted again for another endpoint', async () => {
    const decrypt = secretDecrypter(new KMSClient({}), 'key');
    await decrypt('c2VhbGVk', context);
    await decrypt('c2VhbGVk', endpointContext('we_2', 'owner-1'));
    expect(decryptions()).toBe(2);
  });

  it('a secret is decrypted again after five minutes', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const decrypt = secretDecrypter(new KMSClient({}), 'key');
    await decrypt('c2VhbGVk', context);
    jest.advanceTimersByTime(5 * 60_000 + 1);
    await decrypt('c2VhbGVk', context);
    expect(decryptions()).toBe(2);
  });

  it('a failed decryption is not cached', async () => {
    kms
      .on(DecryptCommand)
      .rejectsOnce(new Error('throttled'))
      .resolves({ Plaintext: Buffer.from('whsec_secret') });
    const decrypt = secretDecrypter(new KMSClient({}), 'key');
    await expect(decrypt('c2VhbGVk', context)).rejects.toThrow('throttled');
    expect(await decrypt('c2VhbGVk', context)).toBe('whsec_secret');
  });
});
