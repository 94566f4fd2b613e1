import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { jest } from '@jest/globals';
import { mockClient } from 'aws-sdk-client-mock';
import { endpointContext, sealSecret, secretOpener } from '../../../shared/webhooks/secrets.ts';

const kms = mockClient(KMSClient);
const context = endpointContext('we_1', 'owner-1');
const decryptions = () => kms.commandCalls(DecryptCommand).length;

beforeEach(() => {
  kms.reset();
  kms.on(DecryptCommand).resolves({ Plaintext: Buffer.from('whsec_secret') });
});
afterEach(() => jest.useRealTimers());

describe('a secret', () => {
  it('is encrypted for its endpoint and owner', async () => {
    kms.on(EncryptCommand).resolves({ CiphertextBlob: Buffer.from('sealed') });
    expect(await sealSecret(new KMSClient({}), 'key', 'whsec_secret', context)).toBe('c2VhbGVk');
    expect(kms.commandCalls(EncryptCommand)[0]?.args[0].input).toEqual({
      KeyId: 'key',
      Plaintext: Buffer.from('whsec_secret'),
      EncryptionContext: { endpoint: 'we_1', owner: 'owner-1' },
    });
  });

  it('is decrypted once for many deliveries, those at the same moment too', async () => {
    const open = secretOpener(new KMSClient({}), 'key');
    const opened = await Promise.all([open('c2VhbGVk', context), open('c2VhbGVk', context)]);
    expect([...opened, await open('c2VhbGVk', context)]).toEqual(Array(3).fill('whsec_secret'));
    expect(decryptions()).toBe(1);
  });

  it('is decrypted anew for another endpoint', async () => {
    const open = secretOpener(new KMSClient({}), 'key');
    await open('c2VhbGVk', context);
    await open('c2VhbGVk', endpointContext('we_2', 'owner-1'));
    expect(decryptions()).toBe(2);
  });

  it('is decrypted anew after five minutes', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const open = secretOpener(new KMSClient({}), 'key');
    await open('c2VhbGVk', context);
    jest.advanceTimersByTime(5 * 60_000 + 1);
    await open('c2VhbGVk', context);
    expect(decryptions()).toBe(2);
  });

  it('that could not be decrypted is tried again', async () => {
    kms
      .on(DecryptCommand)
      .rejectsOnce(new Error('throttled'))
      .resolves({ Plaintext: Buffer.from('whsec_secret') });
    const open = secretOpener(new KMSClient({}), 'key');
    await expect(open('c2VhbGVk', context)).rejects.toThrow('throttled');
    expect(await open('c2VhbGVk', context)).toBe('whsec_secret');
  });
});
