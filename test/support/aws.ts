import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { LocalCloud } from '../../local/cloud.ts';
import { Table } from '../../shared/store/table.ts';

interface Running {
  cloud: LocalCloud;
}

export const settingsOf = ({ cloud }: Running) => ({
  endpoint: cloud.endpointUrl,
  region: cloud.region,
  credentials: cloud.operator,
  systemClockOffset: cloud.clock.offsetMs(),
});

/** Actions of an operator with the AWS SDK, outside of the product. */
export const database = (service: Running) => new DynamoDBClient(settingsOf(service));

/** The table with the operator's credentials; the client needs the service's clock. */
export const tableOf = (service: Running) => new Table(database(service), output(service, 'TableName'));

export const secretsOf = (service: Running) => new SecretsManagerClient(settingsOf(service));

export const bucket = (service: Running) => new S3Client({ ...settingsOf(service), forcePathStyle: true });

/** Replaces an object as an insider would: the bucket refuses to overwrite, so the old object is deleted first. */
export async function replaceObject(
  s3: S3Client,
  { Body, ...object }: { Bucket: string; Key: string; Body: Uint8Array },
): Promise<void> {
  await s3.send(new DeleteObjectCommand(object));
  await s3.send(new PutObjectCommand({ ...object, Body, IfNoneMatch: '*' }));
}

export function output({ cloud }: Running, name: string): string {
  const value = cloud.outputs[name];
  if (value === undefined) throw new Error(`The stack has no output ${name}.`);
  return value;
}

export const putSecret = (service: Running, outputName: string, value: unknown) =>
  secretsOf(service).send(
    new PutSecretValueCommand({
      SecretId: output(service, outputName),
      SecretString: JSON.stringify(value),
    }),
  );

/** Replaces a secret while `work` runs. */
export async function withSecret(
  service: Running,
  outputName: string,
  value: unknown,
  work: () => Promise<void>,
): Promise<void> {
  const secrets = secretsOf(service);
  const { SecretString = '' } = await secrets.send(
    new GetSecretValueCommand({ SecretId: output(service, outputName) }),
  );
  await putSecret(service, outputName, value);
  try {
    await work();
  } finally {
    await putSecret(service, outputName, JSON.parse(SecretString));
  }
}
