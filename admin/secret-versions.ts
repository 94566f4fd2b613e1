import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  DescribeSecretCommand,
  type DescribeSecretCommandOutput,
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import { parseSecret } from '../shared/runtime/secrets.ts';
import { SECOND, sleep } from '../shared/runtime/time.ts';
import type { StackOutput } from '../shared/store/stack-names.ts';
import { Failure } from './errors.ts';
import type { Operator } from './operator.ts';

/** Changes a secret safely if several operators do so at once: Secrets Manager itself silently keeps the last write. */

export async function secretText({ clients, output }: Operator, outputName: StackOutput): Promise<string> {
  const { SecretString = '{}' } = await new SecretsManagerClient(clients).send(
    new GetSecretValueCommand({ SecretId: output(outputName) }),
  );
  return SecretString;
}

type Description = Pick<DescribeSecretCommandOutput, 'VersionIdsToStages' | 'LastChangedDate'>;

const ATTEMPTS = 10;

export const versionAt = (stage: string, { VersionIdsToStages = {} }: Description): string | undefined =>
  Object.keys(VersionIdsToStages).find((id) => VersionIdsToStages[id]?.includes(stage));

/** The id of the next version, derived from the current one: of two concurrent runs only one can create it. */
export const nextVersionId = (current: string, { LastChangedDate }: Description): string =>
  hash('sha256', `${current} ${LastChangedDate?.toISOString()}`);

/** False if a concurrent run created this version first. */
export async function createVersion(
  secrets: SecretsManagerClient,
  secretId: string,
  versionId: string,
  value: string,
): Promise<boolean> {
  const put = new PutSecretValueCommand({
    SecretId: secretId,
    ClientRequestToken: versionId,
    SecretString: value,
  });
  try {
    await secrets.send(put);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceExistsException') return false;
    throw error;
  }
}

/**
 * Writes what `change` makes of the current value, and starts over if somebody else changed that meanwhile. Writes nothing if
 * the value stays: the version before would become the same, and nobody could go back to what was there.
 */
export async function changeSecret<T extends object>(
  secrets: SecretsManagerClient,
  secretId: string,
  change: (value: Partial<T>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const description = await secrets.send(new DescribeSecretCommand({ SecretId: secretId }));
    const current = versionAt('AWSCURRENT', description);
    if (!current) throw new Failure('The secret has no current value.');
    const { SecretString = '{}' } = await secrets.send(
      new GetSecretValueCommand({ SecretId: secretId, VersionId: current }),
    );
    const value = parseSecret<T>(SecretString);
    const next = await change(value);
    if (isDeepStrictEqual(next, value)) return next;
    const versionId = nextVersionId(current, description);
    if (await createVersion(secrets, secretId, versionId, JSON.stringify(next))) return next;
    // A read may show the version before for a moment.
    await sleep(SECOND / 5);
  }
  throw new Failure('Other operators keep changing the secret; nothing was stored. Try again.');
}
