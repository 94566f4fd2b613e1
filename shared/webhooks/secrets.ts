import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';
import { MINUTE } from '../runtime/time.ts';

/** What a ciphertext is bound to: it opens for this endpoint and owner only. */
export type SecretContext = Record<string, string>;

export const endpointContext = (endpointId: string, ownerId: string): SecretContext => ({
  endpoint: endpointId,
  owner: ownerId,
});
export const organizationContext = (ownerId: string): SecretContext => ({ owner: ownerId });

export async function sealSecret(
  kms: KMSClient,
  keyArn: string,
  secret: string,
  context: SecretContext,
): Promise<string> {
  const { CiphertextBlob } = await kms.send(
    new EncryptCommand({ KeyId: keyArn, Plaintext: Buffer.from(secret), EncryptionContext: context }),
  );
  if (!CiphertextBlob) throw new Error('KMS gave no ciphertext.');
  return Buffer.from(CiphertextBlob).toString('base64');
}

export type OpenSecret = (ciphertext: string, context: SecretContext) => Promise<string>;

const KEPT_FOR = 5 * MINUTE;

/** Opens secrets, and remembers them for some minutes, so that a busy endpoint does not cost a call for each delivery. */
export function secretOpener(kms: KMSClient, keyArn: string): OpenSecret {
  const known = new Map<string, { secret: Promise<string>; until: number }>();

  const open = async (ciphertext: string, context: SecretContext) => {
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: keyArn,
        CiphertextBlob: Buffer.from(ciphertext, 'base64'),
        EncryptionContext: context,
      }),
    );
    if (!Plaintext) throw new Error('KMS gave no plaintext.');
    return Buffer.from(Plaintext).toString('utf8');
  };

  return (ciphertext, context) => {
    const now = performance.now();
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
    // A ciphertext opens in its own context only, so both make the entry.
    const key = JSON.stringify([ciphertext, context]);
    const found = known.get(key);
    if (found) return found.secret;
    const secret = open(ciphertext, context);
    known.set(key, { secret, until: now + KEPT_FOR });
    secret.catch(() => known.delete(key));
    return secret;
  };
}
