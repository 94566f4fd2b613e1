import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_SETTINGS } from './clients.ts';

const client = new SecretsManagerClient(CLIENT_SETTINGS);

export type SecretStage = 'AWSCURRENT' | 'AWSPREVIOUS';

export async function readSecret(arn: string, stage: SecretStage = 'AWSCURRENT'): Promise<string> {
  const { SecretString } = await client.send(
    new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }),
  );
  if (!SecretString) throw new Error(`The secret ${arn} is empty.`);
  return SecretString;
}

/** Runs an asynchronous read once for a function's life; a failed one is tried again by the next call. */
export function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}
