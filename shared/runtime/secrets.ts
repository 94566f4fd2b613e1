import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { CLIENT_SETTINGS } from './clients.ts';

const client = new SecretsManagerClient(CLIENT_SETTINGS);

export type SecretStage = 'AWSCURRENT' | 'AWSPREVIOUS';

export async function readSecret(
  arn: string,
  stage: SecretStage = 'AWSCURRENT',
  { abortSignal }: { abortSignal?: AbortSignal | undefined } = {},
): Promise<string> {
  const { SecretString } = await client.send(
    new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }),
    abortSignal && { abortSignal },
  );
  if (!SecretString) throw new Error(`The secret ${arn} is empty.`);
  return SecretString;
}

/** The members of a secret. The error of `JSON.parse` would quote a part of it, and be logged. */
export function parseSecret<T>(text: string): Partial<T> {
  try {
    return JSON.parse(text) as Partial<T>;
  } catch {
    throw new Error('A secret is not valid JSON.');
  }
}

/** A value of a secret and when it was stored; undefined if there is none at this stage. */
export async function readSecretVersion(
  arn: string,
  stage: SecretStage,
  from = client,
): Promise<{ text: string; storedAt: Date } | undefined> {
  try {
    const { SecretString: text, CreatedDate: storedAt } = await from.send(
      new GetSecretValueCommand({ SecretId: arn, VersionStage: stage }),
    );
    return text && storedAt ? { text, storedAt } : undefined;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
}

/** Caches the result of an asynchronous read; the next call retries a failed one. */
export function memoize<T>(read: () => Promise<T>): () => Promise<T> {
  let cached: Promise<T> | undefined;
  return () => {
    cached ??= read().catch((error: unknown) => {
      cached = undefined;
      throw error;
    });
    return cached;
  };
}
