import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { MINUTE } from '../runtime/time.ts';

/** Binds a ciphertext to an endpoint and owner: KMS decrypts it only with the same context. */
type SecretContext = Record<string, string>;

export const endpointContext = (endpointId: string, ownerId: string): SecretContext => ({
  endpoint: endpointId,
  owner: ownerId,
});
export const organizationContext = (ownerId: string): SecretContext => ({ owner: ownerId });

export async function encryptSecret(
  kms: KMSClient,
  keyArn: string,
  secret: string,
  context: SecretContext,
): Promise<string> {
  const { CiphertextBlob } = await kms.send(
    new EncryptCommand({ KeyId: keyArn, Plaintext: Buffer.from(secret), EncryptionContext: context }),
  );
  if (!CiphertextBlob) throw new Error('KMS returned no ciphertext.');
  return Buffer.from(CiphertextBlob).toString('base64');
}

export type DecryptSecret = (ciphertext: string, context: SecretContext) => Promise<string>;

const CACHE_MS = 5 * MINUTE;

/** Decrypts secrets and caches them, so that a busy endpoint does not cost a KMS call for each delivery. */
export function secretDecrypter(kms: KMSClient, keyArn: string): DecryptSecret {
  const cache = new Map<string, { secret: Promise<string>; expiresAt: number }>();

  const decrypt = async (ciphertext: string, context: SecretContext) => {
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: keyArn,
        CiphertextBlob: Buffer.from(ciphertext, 'base64'),
        EncryptionContext: context,
      }),
    );
    if (!Plaintext) throw new Error('KMS returned no plaintext.');
    return Buffer.from(Plaintext).toString('utf8');
  };

  return (ciphertext, context) => {
    const now = performance.now();
    for (const [key, { expiresAt }] of cache) if (expiresAt <= now) cache.delete(key);
    // Keyed by context too: a cached secret must not be returned for another endpoint.
    const key = JSON.stringify([ciphertext, context]);
    const cached = cache.get(key);
    if (cached) return cached.secret;
    const secret = decrypt(ciphertext, context);
    cache.set(key, { secret, expiresAt: now + CACHE_MS });
    secret.catch(() => cache.delete(key));
    return secret;
  };
}
